"""Files of other tools, which `learn import` reads."""

from __future__ import annotations

from typing import TYPE_CHECKING

from learnloop.cli import options, output
from learnloop.cli.progress import progress

if TYPE_CHECKING:
    from learnloop.service.workspace import Workspace

_SHOWN = 20


def import_from(ws: Workspace, origin: str, path: str, project: str | None) -> None:
    """Make drafts of another tool's file, print the counts and what was left out."""
    from learnloop.service.intake import imports

    with progress("Importing"):
        report = imports.import_files(ws, origin, path, options.project_of(project) if project else "")
    output.line(str(report))
    for skipped in report.skipped[:_SHOWN]:
        output.note(f"left out: {skipped}")
    if len(report.skipped) > _SHOWN:
        output.note(f"and {len(report.skipped) - _SHOWN} more")

"""Files of other tools, which import, export and migrate-notepads read and write."""

from __future__ import annotations

from typing import TYPE_CHECKING

from learnloop.cli import options, output

if TYPE_CHECKING:
    from argparse import ArgumentParser

    from learnloop.service.workspace import Workspace

ORIGINS = ("reflect", "memory", "bullets", "triads", "olympus", "notepads")
_SHOWN = 20


def add_origin(parser: ArgumentParser) -> None:
    """`--from ORIGIN` and the project that pieces hold in."""
    parser.add_argument(
        "--from", dest="origin", choices=ORIGINS, help="read another tool's file or folder; drafts come of it"
    )
    parser.add_argument("--project", metavar="FOLDER", help="where what it says holds (default: everywhere)")


def import_from(ws: Workspace, origin: str, path: str, project: str | None) -> None:
    """Make drafts of another tool's file, print the counts and what was left out."""
    from learnloop.service.intake import imports

    report = imports.import_files(ws, origin, path, options.project_of(project) if project else "")
    output.line(str(report))
    for skipped in report.skipped[:_SHOWN]:
        output.note(f"left out: {skipped}")
    if len(report.skipped) > _SHOWN:
        output.note(f"and {len(report.skipped) - _SHOWN} more")


def export_olympus(ws: Workspace, folder: str) -> int:
    """Write an Olympus learning folder."""
    from learnloop.service.intake import imports

    for path in imports.export_olympus(ws, folder):
        output.line(f"Wrote {path}")
    return 0

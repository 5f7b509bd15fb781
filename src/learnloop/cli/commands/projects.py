"""`learn projects`: list the projects that were recorded."""

from __future__ import annotations

from typing import TYPE_CHECKING

from learnloop.cli import options, output
from learnloop.cli.columns import Column

if TYPE_CHECKING:
    from learnloop.cli.commands import Namespace, Workspace
    from learnloop.service.sessions.sessions import Project

add_options = options.add_json


def run(ws: Workspace, args: Namespace) -> None:
    from learnloop.service.sessions import sessions

    columns = [Column("PROJECT", wide=True), Column("SESSIONS", "right"), Column("DRAFTS", "right")]
    columns += [Column("ACTIVE", "right"), Column("LAST SEEN"), Column("SWITCHED")]
    empty = "No project was recorded yet: learn install, then work with your agent"
    output.listing(sessions.projects(ws), columns, _cells, json=args.json, empty=empty)


def _cells(project: Project) -> list[object]:
    last_seen = output.local(project.last_seen)
    counts = [project.sessions, project.drafts, project.active]
    switched = "off" if not project.recording else "on" if project.recalling else "recall off"
    return [project.path, *counts, last_seen, switched]

"""ingest, status, projects."""

from __future__ import annotations

from typing import TYPE_CHECKING

from learnloop.cli import options, output
from learnloop.cli.output import Column
from learnloop.cli.registry import Command

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from learnloop.service.sessions.sessions import Project
    from learnloop.service.workspace import Workspace

_WAIT_S = 10.0


def _nothing(parser: ArgumentParser) -> None:
    """Ingest takes no options."""
    del parser


def _ingest(ws: Workspace, args: Namespace) -> int:
    from learnloop.errors import Busy
    from learnloop.service import workspace

    del args
    report = workspace.ingest(ws, wait_s=_WAIT_S)
    if report.busy:
        raise Busy("another process is ingesting just now", "wait a moment and look with learn drafts")
    events, drafts = output.count(report.events, "event"), output.count(report.drafts, "new draft")
    output.line(f"Ingested {events}: {drafts}.")
    if report.quarantined:
        bad = output.count(report.quarantined, "unreadable line")
        output.note(f"{bad} kept aside; learn doctor tells where")
    return 0


def _status(ws: Workspace, args: Namespace) -> int:
    from learnloop.cli.commands.status import status

    found = status(ws)
    if args.json:
        output.as_json(found)
    else:
        from learnloop.cli.commands.status import show

        show(found)
    return 0


def _projects(ws: Workspace, args: Namespace) -> int:
    from learnloop.service.sessions import sessions

    found = sessions.projects(ws)
    if args.json:
        output.documents(found)
        return 0
    columns = [Column("PROJECT", wide=True), Column("SESSIONS", "right"), Column("DRAFTS", "right")]
    columns += [Column("ACTIVE", "right"), Column("LAST SEEN"), Column("SWITCHED")]
    rows = [
        [item.path, item.sessions, item.drafts, item.active, output.local(item.last_seen), _switched(item)]
        for item in found
    ]
    output.table(columns, rows, empty="No project was recorded yet: learn install, then work with your agent")
    return 0


def _switched(item: Project) -> str:
    if not item.recording:
        return "off"
    return "on" if item.recalling else "recall off"


COMMANDS = {
    "ingest": Command(_nothing, _ingest),
    "status": Command(options.add_json, _status),
    "projects": Command(options.add_json, _projects),
}

"""`learn ingest`: turn what the hooks recorded into feedback and drafts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from learnloop.cli import options, output
from learnloop.errors import Busy

if TYPE_CHECKING:
    from learnloop.cli.commands import Namespace, Workspace
    from learnloop.ingest.run import IngestReport

add_options = options.add_none
_WAIT_S = 10.0


def run(ws: Workspace, _args: Namespace) -> None:
    report = ingest(ws)
    _retire(ws)
    events, drafts = output.count(report.events, "event"), output.count(report.drafts, "new draft")
    output.line(f"Ingested {events}: {drafts}.")
    if report.quarantined:
        bad = output.count(report.quarantined, "unreadable line")
        output.note(f"{bad} kept aside; learn doctor says where")


def _retire(ws: Workspace) -> None:
    from learnloop.service import workspace

    workspace.retire(ws)


def ingest(ws: Workspace) -> IngestReport:
    """Ingest what is new; raises Busy where another process is still at it after ten seconds."""
    from learnloop.service import workspace

    report = workspace.ingest(ws, wait_s=_WAIT_S)
    if report.busy:
        raise Busy(
            "another process is at the journal or the store", "wait a moment and look with learn drafts"
        )
    return report

"""An ingest that a verb waits for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from learnloop.errors import Busy

if TYPE_CHECKING:
    from learnloop.ingest.run import IngestReport
    from learnloop.service.workspace import Workspace

_WAIT_S = 10.0


def ingest(ws: Workspace) -> IngestReport:
    """Ingest what is new; raises Busy where another process is still at it after ten seconds."""
    from learnloop.service import workspace

    report = workspace.ingest(ws, wait_s=_WAIT_S)
    if report.busy:
        raise Busy("another process is ingesting just now", "wait a moment and look with learn drafts")
    return report

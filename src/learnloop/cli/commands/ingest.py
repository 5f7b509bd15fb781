"""`learn ingest`: turn what the hooks recorded into feedback and drafts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from learnloop.cli import options, output
from learnloop.cli.ingest_call import ingest
from learnloop.cli.registry import VerbCommand

if TYPE_CHECKING:
    from argparse import Namespace

    from learnloop.service.workspace import Workspace


def _run(ws: Workspace, _args: Namespace) -> int:
    report = ingest(ws)
    events, drafts = output.count(report.events, "event"), output.count(report.drafts, "new draft")
    output.line(f"Ingested {events}: {drafts}.")
    if report.quarantined:
        bad = output.count(report.quarantined, "unreadable line")
        output.note(f"{bad} kept aside; learn doctor says where")
    return 0


COMMAND = VerbCommand(options.add_none, _run)

"""`learn ingest`: turn what the hooks recorded into feedback and drafts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from learnloop.cli import options, output
from learnloop.cli.ingest_call import ingest

if TYPE_CHECKING:
    from argparse import Namespace

    from learnloop.service.workspace import Workspace

add_options = options.add_none


def run(ws: Workspace, _args: Namespace) -> None:
    report = ingest(ws)
    events, drafts = output.count(report.events, "event"), output.count(report.drafts, "new draft")
    output.line(f"Ingested {events}: {drafts}.")
    if report.quarantined:
        bad = output.count(report.quarantined, "unreadable line")
        output.note(f"{bad} kept aside; learn doctor says where")

"""`learn redo`: repeat the verdict that was undone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from learnloop.cli import options, verdict_report
from learnloop.cli.registry import VerbCommand

if TYPE_CHECKING:
    from argparse import Namespace

    from learnloop.service.workspace import Workspace


def _run(ws: Workspace, _args: Namespace) -> int:
    from learnloop.service.history import undo

    return verdict_report.report_step(ws, undo.redo(ws), "redo")


COMMAND = VerbCommand(options.add_none, _run)

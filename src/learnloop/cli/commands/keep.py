"""`learn keep`: turn down the proposal to archive lessons."""

from __future__ import annotations

from typing import TYPE_CHECKING

from learnloop.cli import options, verdict_report
from learnloop.cli.registry import VerbCommand

if TYPE_CHECKING:
    from argparse import Namespace

    from learnloop.service.workspace import Workspace


def _run(ws: Workspace, args: Namespace) -> int:
    from learnloop.service.review import verdicts

    return verdict_report.report(ws, verdicts.keep(ws, args.ids))


COMMAND = VerbCommand(options.add_ids, _run)

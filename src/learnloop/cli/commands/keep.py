"""`learn keep`: turn down the proposal to archive lessons."""

from __future__ import annotations

from typing import TYPE_CHECKING

from learnloop.cli import options, verdict_report

if TYPE_CHECKING:
    from learnloop.cli.commands import Namespace, Workspace


add_options = options.add_ids


def run(ws: Workspace, args: Namespace) -> None:
    from learnloop.service.review import verdicts

    verdict_report.report(ws, verdicts.keep(ws, args.ids))

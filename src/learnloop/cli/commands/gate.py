"""`learn gate`: let a lesson stop the first call it applies to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from learnloop.cli import options, output, verdict_report
from learnloop.cli.registry import VerbCommand

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from learnloop.service.workspace import Workspace


def _add(parser: ArgumentParser) -> None:
    options.add_ids(parser)
    parser.add_argument("--off", action="store_true", help="let calls through again")


def _run(ws: Workspace, args: Namespace) -> int:
    from learnloop.service.review import verdicts

    code = verdict_report.report(ws, verdicts.gate(ws, args.ids, on=not args.off))
    if not args.off:
        output.note("The first call it matters at is stopped once in a session, so that it is read before.")
    return code


COMMAND = VerbCommand(_add, _run)

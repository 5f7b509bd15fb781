"""`learn rate`: say whether a recall helped."""

from __future__ import annotations

from typing import TYPE_CHECKING

from learnloop.cli import options, verdict_report
from learnloop.cli.registry import VerbCommand

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from learnloop.service.workspace import Workspace


def _add(parser: ArgumentParser) -> None:
    options.add_id(parser)
    parser.add_argument("verdict", choices=("helpful", "harmful"), help="how its last recall was")


def _run(ws: Workspace, args: Namespace) -> int:
    from learnloop.service.review import verdicts

    return verdict_report.report(ws, verdicts.rate(ws, [args.id], args.verdict))


COMMAND = VerbCommand(_add, _run)

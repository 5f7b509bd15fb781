"""`learn archive`: retire active lessons."""

from __future__ import annotations

from typing import TYPE_CHECKING

from learnloop.cli import options, verdict_report
from learnloop.cli.registry import VerbCommand

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from learnloop.service.workspace import Workspace


def _add(parser: ArgumentParser) -> None:
    options.add_ids(parser)
    parser.add_argument(
        "--reason",
        choices=("expired", "unused", "superseded", "harmful"),
        default="unused",
        help="why (default unused)",
    )


def _run(ws: Workspace, args: Namespace) -> int:
    from learnloop.service.review import verdicts

    return verdict_report.report(ws, verdicts.archive(ws, args.ids, reason=args.reason))


COMMAND = VerbCommand(_add, _run)

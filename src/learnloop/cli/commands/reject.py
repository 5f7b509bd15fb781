"""`learn reject`: turn drafts down."""

from __future__ import annotations

from typing import TYPE_CHECKING

from learnloop.cli import options, verdict_report
from learnloop.cli.registry import VerbCommand

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from learnloop.service.workspace import Workspace


def _add(parser: ArgumentParser) -> None:
    from learnloop.learn.lessons.reasons import OTHER, REJECTING

    options.add_ids(parser)
    names = ", ".join(repr(name) if " " in name else name for name in REJECTING if name != OTHER)
    parser.add_argument(
        "--reason", default="", metavar="WHY", help=f"why: {names}, or your own words (counted as other)"
    )


def _run(ws: Workspace, args: Namespace) -> int:
    from learnloop.service.review import verdicts

    return verdict_report.report(ws, verdicts.reject(ws, args.ids, reason=args.reason))


COMMAND = VerbCommand(_add, _run)

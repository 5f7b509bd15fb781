"""`learn feedback`: state a preference, or list the feedback that was detected."""

from __future__ import annotations

from typing import TYPE_CHECKING

from learnloop.cli import options, output
from learnloop.cli.columns import Column
from learnloop.cli.registry import VerbCommand
from learnloop.cli.verdict_report import print_decision

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from learnloop.models import Feedback
    from learnloop.service.workspace import Workspace


def _add(parser: ArgumentParser) -> None:
    parser.add_argument(
        "text", nargs="?", metavar="TEXT", help="a preference, approved by your saying it; without: list"
    )
    parser.add_argument(
        "--project",
        nargs="?",
        const=".",
        metavar="FOLDER",
        help="counts in one project (default: everywhere)",
    )
    options.add_limit(parser, 50)
    options.add_json(parser)


def _run(ws: Workspace, args: Namespace) -> int:
    return _list(ws, args) if args.text is None else _state(ws, args)


def _state(ws: Workspace, args: Namespace) -> int:
    from learnloop.service.review import verdicts

    project = options.project_of(args.project) if args.project else None
    scope = "project" if project else "global"
    print_decision(ws, verdicts.add(ws, args.text, scope=scope, project=project or ""))
    output.note("It is recalled from now on. Take it back with: learn undo")
    return 0


def _list(ws: Workspace, args: Namespace) -> int:
    from learnloop.service.sessions import sessions

    columns = [Column("TIME"), Column("CATEGORY"), Column("SURE", "right"), Column("SAID", wide=True)]
    entries, empty = sessions.feedback(ws, args.limit), "No feedback was heard yet"
    return output.listing(entries, columns, _cells, json=args.json, empty=empty)


def _cells(entry: Feedback) -> list[object]:
    sure = f"{entry.confidence:.2f}"
    return [output.local(entry.timestamp), entry.feedback_category, sure, entry.user_message]


COMMAND = VerbCommand(_add, _run)

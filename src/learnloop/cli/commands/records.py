"""feedback, history."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from learnloop.cli import options, output
from learnloop.cli.output import Column
from learnloop.cli.registry import Command

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from learnloop.service.workspace import Workspace


def _add_feedback(parser: ArgumentParser) -> None:
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


def _add_history(parser: ArgumentParser) -> None:
    options.add_limit(parser, 50)
    options.add_json(parser)


def _feedback(ws: Workspace, args: Namespace) -> int:
    return _list_feedback(ws, args) if args.text is None else _tell(ws, args)


def _tell(ws: Workspace, args: Namespace) -> int:
    from learnloop.cli.commands.verdicts import tell
    from learnloop.service.review import verdicts

    project = options.project_of(args.project) if args.project else None
    scope = "project" if project else "global"
    tell(ws, verdicts.add(ws, args.text, scope=scope, project=project or ""))
    output.note("It is recalled from now on. Take it back with: learn undo")
    return 0


def _list_feedback(ws: Workspace, args: Namespace) -> int:
    from learnloop.service.sessions import sessions

    found = sessions.feedback(ws, args.limit)
    if args.json:
        output.documents(found)
        return 0
    columns = [Column("TIME"), Column("CATEGORY"), Column("SURE", "right"), Column("SAID", wide=True)]
    rows = [
        [output.local(item.timestamp), item.feedback_category, f"{item.confidence:.2f}", item.user_message]
        for item in found
    ]
    output.table(columns, rows, empty="No feedback was heard yet")
    return 0


def _history(ws: Workspace, args: Namespace) -> int:
    from learnloop.service.history import sentences

    found = sentences.history(ws, args.limit)
    if args.json:
        output.documents(found)
        return 0
    columns = [Column("TIME"), Column("BY"), Column("DID", wide=True)]
    rows = [[output.local(item["ts"]), item["by"], sentence(item)] for item in found]
    output.table(columns, rows, empty="No verdicts were given yet")
    return 0


def sentence(entry: dict[str, Any]) -> str:
    """A verdict of the history in words."""
    return f"{entry['sentence']}{' (undone)' if entry['undone'] else ''}"


COMMANDS = {
    "feedback": Command(_add_feedback, _feedback),
    "history": Command(_add_history, _history),
}

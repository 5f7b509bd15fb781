"""promote, reject, archive, restore, pause, resume, undo, redo."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from learnloop.cli import options, output
from learnloop.cli.registry import Command
from learnloop.errors import Refused

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from learnloop.models.decision import Decision
    from learnloop.service.workspace import Workspace

_DONE = {
    "promote": "Promoted",
    "reject": "Rejected",
    "archive": "Archived",
    "restore": "Restored",
    "edit": "Edited",
    "scope": "Moved",
    "pause": "Paused",
    "resume": "Resumed",
    "add": "Added",
    "gate": "Gate set for",
    "rate": "Rated",
    "keep": "Kept",
    "merge": "Merged",
}


def _add_promote(parser: ArgumentParser) -> None:
    options.add_ids(parser)
    parser.add_argument("--statement", metavar="TEXT", help="what the agent is told, in one sentence")


def _add_reject(parser: ArgumentParser) -> None:
    options.add_ids(parser)
    from learnloop.learn.lessons.reasons import OTHER, REJECTING

    standing = ", ".join(repr(name) if " " in name else name for name in REJECTING if name != OTHER)
    parser.add_argument(
        "--reason", default="", metavar="WHY", help=f"why: {standing}, or your own words (counted as other)"
    )


def _add_archive(parser: ArgumentParser) -> None:
    options.add_ids(parser)
    parser.add_argument(
        "--reason",
        choices=("expired", "unused", "superseded", "harmful"),
        default="unused",
        help="why (default unused)",
    )


def _nothing(parser: ArgumentParser) -> None:
    """Undo and redo take no options."""
    del parser


def _promote(ws: Workspace, args: Namespace) -> int:
    from learnloop.service.review import verdicts

    return _told(ws, verdicts.promote(ws, args.ids, statement=args.statement))


def _reject(ws: Workspace, args: Namespace) -> int:
    from learnloop.service.review import verdicts

    return _told(ws, verdicts.reject(ws, args.ids, reason=args.reason))


def _archive(ws: Workspace, args: Namespace) -> int:
    from learnloop.service.review import verdicts

    return _told(ws, verdicts.archive(ws, args.ids, reason=args.reason))


def _restore(ws: Workspace, args: Namespace) -> int:
    from learnloop.service.review import verdicts

    return _told(ws, verdicts.restore(ws, args.ids))


def _pause(ws: Workspace, args: Namespace, *, paused: bool) -> int:
    from learnloop.service.review import verdicts

    return _told(ws, verdicts.pause(ws, args.ids, paused))


def _undo(ws: Workspace, args: Namespace) -> int:
    from learnloop.service.history import undo

    del args
    return _resolved(ws, undo.undo(ws), "undo")


def _redo(ws: Workspace, args: Namespace) -> int:
    from learnloop.service.history import undo

    del args
    return _resolved(ws, undo.redo(ws), "redo")


def _told(ws: Workspace, decision: Decision) -> int:
    tell(ws, decision)
    output.note("Take it back with: learn undo")
    return 0


def tell(ws: Workspace, decision: Decision) -> None:
    """Says what a verdict did to which lessons."""
    from learnloop.cli.commands.lessons import says
    from learnloop.service.lessons import lookup, queue

    for lesson_id in decision.lesson_ids:
        lesson = lookup.find(ws, lesson_id)
        short = queue.short_id(lesson.id)
        output.line(f"{_DONE.get(decision.action, decision.action)} {short}  {output.safe(says(lesson))}")


def _resolved(ws: Workspace, decision: Decision | None, verb: str) -> int:
    if decision is None:
        raise Refused(f"there is nothing to {verb}", "learn history lists the verdicts")
    from learnloop.service.history import sentences

    sentence = sentences.step_sentence(ws, decision) or "a verdict"
    output.line(f"{'Undone' if verb == 'undo' else 'Redone'}: {output.safe(sentence)}")
    return 0


COMMANDS = {
    "promote": Command(_add_promote, _promote),
    "reject": Command(_add_reject, _reject),
    "archive": Command(_add_archive, _archive),
    "restore": Command(options.add_ids, _restore),
    "pause": Command(options.add_ids, partial(_pause, paused=True)),
    "resume": Command(options.add_ids, partial(_pause, paused=False)),
    "undo": Command(_nothing, _undo),
    "redo": Command(_nothing, _redo),
}

"""The verbs that decide about lessons: what each takes, and what it asks of the service."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from learnloop.cli import lesson_table, options, output
from learnloop.cli.columns import Column
from learnloop.cli.lesson_table import short, summary

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Callable

    from learnloop.models.decision import Decision
    from learnloop.models.lesson import Lesson
    from learnloop.service.workspace import Workspace

_BACK = "Take it back with: learn undo"


def _decides(name: str, *named: str) -> Callable[[Workspace, Namespace], None]:
    """A verb that asks `service.review.verdicts` to decide on `args.ids`, with the options `named`."""

    def run(ws: Workspace, args: Namespace) -> None:
        from learnloop.service.review import verdicts

        decision = getattr(verdicts, name)(ws, args.ids, **{key: getattr(args, key) for key in named})
        lesson_table.report(ws, decision)

    return run


_WAYS = {
    ("--stop",): "stop a call that breaks it, once per session (where nobody is asked: the same)",
    ("--remind",): "remind an agent once that ends with it broken or due",
    ("--tell", "--mention"): "only tell it",
}


def _promote_options(parser: ArgumentParser) -> None:
    options.add_ids(parser)
    parser.add_argument("--statement", metavar="TEXT", help="what the agent reads, in one sentence")
    either = parser.add_mutually_exclusive_group()
    for names, words in _WAYS.items():
        way = names[0].removeprefix("--")
        either.add_argument(*names, dest="way", action="store_const", const=way, help=words)


def _print_doubt(ws: Workspace, lesson: Lesson) -> None:
    from learnloop.service.recall.backtest import doubt

    if objection := doubt(ws, lesson):
        ways = (
            f" Better told {' or '.join(objection.ways)}: learn edit names its moments."
            if objection.ways
            else ""
        )
        output.note(output.safe(f"It {objection.words}.{ways}"))


def _promote(ws: Workspace, args: Namespace) -> None:
    from learnloop.service import place
    from learnloop.service.lessons import documents
    from learnloop.service.profile import one_yes
    from learnloop.service.recall import moments
    from learnloop.service.sessions import sessions
    from learnloop.wire import origin

    can_ask = output.on_terminal() and output.can_ask() and place.here().attended
    is_asked = can_ask and not args.way and len(args.ids) == 1
    how = lesson_table.ask_way(ws, args.ids[0], args.statement) if is_asked else {"way": args.way}
    decision = one_yes.promote(ws, args.ids, statement=args.statement, **how)
    if not lesson_table.print_decision(ws, decision):
        return
    promoted = [documents.find(ws, lesson_id) for lesson_id in decision.lesson_ids]
    if len(promoted) == 1:
        output.note(f"It is {moments.describe_moments(promoted[0])}.")
        _print_doubt(ws, promoted[0])
    lesson_table.print_place(ws, decision)
    places = {origin.key(each.project, each.repo) for each in promoted} - {""}
    for unseen in sorted(sessions.unseen(ws, places)):
        path = output.safe(unseen)
        output.note(f"No session was ever seen in {path}: learn edit ID --project FOLDER names another")
    output.note(_BACK)


def _reject_options(parser: ArgumentParser) -> None:
    from learnloop.learn.lessons.reasons import OTHER, REJECTING

    options.add_ids(parser)
    names = ", ".join(repr(name) if " " in name else name for name in REJECTING if name != OTHER)
    why = f"why: {names}, or your own words (counted as other)"
    parser.add_argument("--reason", default="", metavar="WHY", help=why)


def _archive_options(parser: ArgumentParser) -> None:
    options.add_ids(parser)
    reasons = ("expired", "unused", "superseded", "harmful")
    parser.add_argument("--reason", choices=reasons, default="unused", help="why (default unused)")


def _rate_options(parser: ArgumentParser) -> None:
    options.add_id(parser, "ids")
    parser.add_argument("verdict", choices=("helpful", "harmful"), help="how its last recall was")


def _pausing(paused: bool) -> Callable[[ArgumentParser], None]:
    def add_options(parser: ArgumentParser) -> None:
        options.add_ids(parser)
        parser.set_defaults(paused=paused)

    return add_options


def _merge_options(parser: ArgumentParser) -> None:
    parser.add_argument("keep", metavar="KEEP", help="the lesson that stays")
    parser.add_argument("others", nargs="+", metavar="OTHER", help="a lesson that it replaces from now on")


def _merge(ws: Workspace, args: Namespace) -> None:
    from learnloop.service.review import verdicts

    keeper, seen = _print_archived(ws, verdicts.merge(ws, args.keep, args.others))
    output.line(f"Kept {short(ws, keeper.id)} with {seen} of evidence  {output.safe(summary(keeper))}")
    output.note(_BACK)


def _replace_options(parser: ArgumentParser) -> None:
    parser.add_argument("new", metavar="NEW", help="the lesson that applies from now on; a draft is promoted")
    parser.add_argument("old", metavar="OLD", help="the active lesson that it contradicts; it is archived")
    parser.add_argument("--statement", metavar="TEXT", help="the words of a draft that has none")


def _replace(ws: Workspace, args: Namespace) -> None:
    from learnloop.service.review import verdicts

    new, _ = _print_archived(ws, verdicts.replace(ws, args.new, args.old, args.statement))
    output.line(f"Active is {short(ws, new.id)}  {output.safe(summary(new))}")
    output.note(_BACK)


def _print_archived(ws: Workspace, decision: Decision) -> tuple[Lesson, str]:
    """Print the lessons that a decision retired; the one that stays, and a count of its evidence."""
    from learnloop.service.lessons import documents

    keeper, *archived = (documents.find(ws, lesson_id) for lesson_id in decision.lesson_ids)
    for lesson in archived:
        output.line(f"Archived {short(ws, lesson.id)}  {output.safe(summary(lesson))}")
    return keeper, output.count(len(keeper.evidence), "piece")


def _step(verb: Literal["undo", "redo"]) -> Callable[[Workspace, Namespace], None]:
    def run(ws: Workspace, _args: Namespace) -> None:
        from learnloop.service.history import undo

        lesson_table.report_step(ws, undo.undo(ws) if verb == "undo" else undo.redo(ws), verb)

    return run


def _add_options(parser: ArgumentParser) -> None:
    parser.add_argument("text", metavar="TEXT", help="the lesson in your words; it is approved at once")
    where = "it applies in one project (default: everywhere)"
    parser.add_argument("--project", nargs="?", const=".", metavar="FOLDER", help=where)


def _add(ws: Workspace, args: Namespace) -> None:
    from learnloop.service.lessons import documents
    from learnloop.service.recall import moments
    from learnloop.service.review import verdicts

    project = options.project_of(args.project) if args.project else None
    scope = "project" if project else "global"
    decision = verdicts.tell(ws, args.text, scope=scope, project=project or "")
    if not lesson_table.print_decision(ws, decision):
        return
    when = moments.describe_moments(documents.find(ws, decision.lesson_ids[0]))
    output.note(f"It is {when}. Take it back with: learn undo")


def _history_options(parser: ArgumentParser) -> None:
    options.add_limit(parser, 50)
    options.add_json(parser)


def _history(ws: Workspace, args: Namespace) -> None:
    from learnloop.service.history import sentences

    columns = [Column("TIME"), Column("BY"), Column("FROM"), Column("DID", wide=True)]
    output.listing(
        sentences.history(ws, args.limit), columns,
        lambda entry: [
            output.local(entry["ts"]), entry["door"], sentences.origin(entry),
            f"{entry['sentence']}{sentences.remark(entry)}",
        ],
        json=args.json, empty="No verdicts were given yet",
    )  # fmt: skip


COMMANDS = {
    "promote": (_promote_options, _promote), "reject": (_reject_options, _decides("reject", "reason")),
    "archive": (_archive_options, _decides("archive", "reason")),
    "restore": (options.add_ids, _decides("restore")),
    "pause": (_pausing(True), _decides("pause", "paused")),
    "resume": (_pausing(False), _decides("pause", "paused")), "keep": (options.add_ids, _decides("keep")),
    "rate": (_rate_options, _decides("rate", "verdict")), "merge": (_merge_options, _merge),
    "replace": (_replace_options, _replace), "undo": (options.add_none, _step("undo")),
    "redo": (options.add_none, _step("redo")), "add": (_add_options, _add),
    "history": (_history_options, _history),
}  # fmt: skip
"""By verb what declares its options, and what runs it."""

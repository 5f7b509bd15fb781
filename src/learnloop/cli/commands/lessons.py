"""drafts, lessons, show, search."""

from __future__ import annotations

from argparse import ArgumentTypeError
from typing import TYPE_CHECKING, Any

from learnloop.cli import options, output
from learnloop.cli.output import Column
from learnloop.cli.registry import Command

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Sequence

    from learnloop.models.lesson import Lesson
    from learnloop.service.lessons.row import Row
    from learnloop.service.workspace import Workspace

STATUSES = ("draft", "active", "archived", "rejected")


def _add_drafts(parser: ArgumentParser) -> None:
    parser.add_argument("--all", action="store_true", help="the weaker ones too, not only the strongest")
    _add_filter(parser)
    options.add_json(parser)


def _add_filter(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--filter", default="", metavar="LINE",
        help="only what fits a line of the filter language, as in 'kind:pattern prio:>=high -project:shop'",
    )  # fmt: skip


def _add_lessons(parser: ArgumentParser) -> None:
    parser.add_argument("--status", choices=STATUSES, help="only lessons in this state")
    several: dict[str, Any] = {"action": "append", "default": [], "metavar": "TEXT"}
    parser.add_argument("--category", help="only of this category (several times: of one of them)", **several)
    parser.add_argument(
        "--context",
        help="only about this: a word, or NAME=WORD as in language=python (several times)",
        **several,
    )
    parser.add_argument("--keyword", help="only with this keyword (several times: with all)", **several)
    parser.add_argument(
        "--min-score", type=_share, default=0.0, metavar="S", help="only from this score on, 0–1"
    )
    parser.add_argument("--agent", default="", metavar="A", help="only for this agent, or for every one")
    parser.add_argument("--limit", type=options.positive, metavar="N", help="show at most N, best first")
    _add_filter(parser)
    options.add_json(parser)


def _share(text: str) -> float:
    """A number from 0 to 1."""
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 1:
        raise ArgumentTypeError(f"{text!r} is not a number between 0 and 1")
    return value


def _add_show(parser: ArgumentParser) -> None:
    parser.add_argument("id", metavar="ID", help="a lesson's id, or the first 4 characters or more")
    options.add_json(parser)


def _add_search(parser: ArgumentParser) -> None:
    parser.add_argument("words", nargs="+", metavar="WORD", help="all of them have to be in the lesson")
    _add_filter(parser)
    options.add_json(parser)


def _drafts(ws: Workspace, args: Namespace) -> int:
    from learnloop.service.lessons import queue, rows

    if args.json:
        output.documents(_fitting(ws, args, queue.queue(ws)))
        return 0
    if args.filter:
        from learnloop.service.lessons import filter_lessons

        _listing(filter_lessons.fitting(ws, args.filter, "draft"), "No draft fits that filter")
        return 0
    page = rows.queue_page(ws, everything=args.all)
    _listing(page.top, "There are no drafts: correct your agent where it goes wrong, then run learn ingest")
    if page.weaker:
        output.note(f"{output.count(page.weaker, 'weaker draft')} more: learn drafts --all")
    return 0


def _lessons(ws: Workspace, args: Namespace) -> int:
    from learnloop.service.lessons import query, rows

    conditions = {
        "categories": args.category, "context": args.context, "keywords": args.keyword,
        "min_score": args.min_score, "agent": args.agent, "limit": args.limit,
    }  # fmt: skip
    asked = any(conditions.values()) or args.filter
    if args.json or asked:
        found = query.query(ws, status=args.status, among=_ids(ws, args), **conditions)
        if args.json:
            output.documents(found)
            return 0
        row_by_id = {row.id: row for row in rows.rows(ws, None)}
        _listing([row_by_id[lesson.id] for lesson in found], "No lesson fits all of that", with_state=True)
        return 0
    empty = f"There are no {args.status} lessons" if args.status else "There are no lessons yet"
    _listing(rows.rows(ws, args.status), empty, with_state=True)
    return 0


def _search(ws: Workspace, args: Namespace) -> int:
    from learnloop.service.lessons import queue, rows

    words = " ".join(args.words)
    found = _fitting(ws, args, queue.search(ws, words))
    if args.json:
        output.documents(found)
        return 0
    row_by_id = {row.id: row for row in rows.rows(ws, None)}
    _listing([row_by_id[lesson.id] for lesson in found], f"No lesson has {words!r} in it", with_state=True)
    return 0


def _ids(ws: Workspace, args: Namespace) -> frozenset[str] | None:
    """The lessons that fit the filter; None where there is none."""
    if not args.filter:
        return None
    from learnloop.service.lessons import filter_lessons

    return frozenset(row.id for row in filter_lessons.fitting(ws, args.filter))


def _fitting(ws: Workspace, args: Namespace, found: list[Lesson]) -> list[Lesson]:
    ids = _ids(ws, args)
    return found if ids is None else [lesson for lesson in found if lesson.id in ids]


def _listing(found: Sequence[Row], empty: str, *, with_state: bool = False) -> None:
    """A list of drafts shows how strong they are, other lists what state each is in and how useful it is."""
    columns = [Column("ID", style="cyan")]
    columns += [Column("STATE"), Column("USEFUL", "right")] if with_state else [Column("STRENGTH", "right")]
    columns += [Column("SEEN", "right"), Column("WHERE"), Column("SAYS", wide=True)]
    output.table(columns, [_cells(row, with_state) for row in found], empty=empty)


def _cells(row: Row, with_state: bool) -> list[object]:
    state = "paused" if row.paused and row.status == "active" else row.status
    numbers: list[object] = [state, f"{row.usefulness:.2f}"] if with_state else [row.strength]
    says = f"(needs words) {row.statement}" if row.needs_words else row.statement
    return [row.short, *numbers, row.seen, where(row), output.short(says, 500)]


def where(row: Row) -> str:
    """Where a lesson counts, short: the project's folder name, or everywhere."""
    return "everywhere" if row.scope == "global" else row.folder or row.project


def says(lesson: Lesson) -> str:
    """What stands for a lesson in one line."""
    if lesson.statement:
        return lesson.statement
    quote = lesson.evidence[0].quote if lesson.evidence else lesson.title
    return f"(needs words) {output.short(quote, 200)}"


def status_of(lesson: Lesson) -> str:
    """The state of a lesson, with what qualifies it."""
    if lesson.paused and lesson.status == "active":
        return "paused"
    return lesson.status


def _show(ws: Workspace, args: Namespace) -> int:
    from learnloop.service.lessons import lookup

    lesson = lookup.find(ws, args.id)
    if args.json:
        output.as_json(lesson.as_json())
        return 0
    from learnloop.cli import paging
    from learnloop.cli.detail import show
    from learnloop.service.review import validation

    with paging.paged():
        show(lesson, validation.says(ws, lesson))
    return 0


COMMANDS = {
    "drafts": Command(_add_drafts, _drafts),
    "lessons": Command(_add_lessons, _lessons),
    "show": Command(_add_show, _show),
    "search": Command(_add_search, _search),
}

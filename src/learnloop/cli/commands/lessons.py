"""`learn lessons`: list lessons in every state, or those with some words in them."""

from typing import Any

from learnloop.cli import lesson_table, options, output
from learnloop.cli.commands import ArgumentParser, Namespace, Workspace

STATUSES = ("active", "draft", "archived", "rejected")


def add_options(parser: ArgumentParser) -> None:
    add = parser.add_argument
    add("words", nargs="*", metavar="WORD", help="only lessons with all of these words in them")
    add("--status", choices=STATUSES, help="only lessons in this state")
    several: dict[str, Any] = {"action": "append", "default": [], "metavar": "TEXT"}
    add("--category", help="only of this category (several times: of one of them)", **several)
    add(
        "--context",
        help="only about this: a word, or NAME=WORD as in language=python (several times)",
        **several,
    )
    add("--keyword", help="only with this keyword (several times: with all)", **several)
    add("--min-score", type=options.share, default=0.0, metavar="S", help="only from this score on, 0–100")
    add("--agent", default="", metavar="A", help="only for this agent, or for every one")
    add("--limit", type=options.positive, metavar="N", help="show at most N, best first")
    lesson_table.add_filter(parser)
    options.add_json(parser)


def run(ws: Workspace, args: Namespace) -> None:
    from learnloop.service.lessons import query, queue, rows

    conditions = {
        "categories": args.category, "context": args.context, "keywords": args.keyword,
        "min_score": args.min_score, "agent": args.agent, "limit": args.limit,
    }  # fmt: skip
    if not (args.json or args.filter or args.words or any(conditions.values())):
        empty = f"There are no {args.status} lessons" if args.status else "There are no lessons yet"
        by_state = sorted(rows.rows(ws, args.status), key=lambda row: STATUSES.index(row.status))
        lesson_table.print_lessons(by_state, empty)
        return
    words = " ".join(args.words)
    hits = [lesson.id for lesson in queue.search(ws, words)] if words else []
    among = lesson_table.matching_ids(ws, args.filter)
    if words:
        among = frozenset(hits) & (among if among is not None else frozenset(hits))
    lessons = query.query(ws, status=args.status, among=among, **conditions)
    if words:
        lessons.sort(key=lambda lesson: hits.index(lesson.id))
    if args.json:
        output.documents(lessons)
    else:
        empty = f"No lesson has {words!r} in it" if words else "No lesson fits all of that"
        lesson_table.print_matches(ws, lessons, empty)

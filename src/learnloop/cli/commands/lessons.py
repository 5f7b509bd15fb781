"""`learn lessons` and its views: lists, counts, and what is proposed for archiving."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from learnloop.cli import lesson_table, options, output
from learnloop.cli.columns import Column

if TYPE_CHECKING:
    from learnloop.cli.commands import ArgumentParser, Namespace, Workspace
    from learnloop.service.lessons.upkeep import Proposal


STATUSES = ("active", "draft", "archived", "rejected")


def _lessons_options(parser: ArgumentParser) -> None:
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


def _lessons(ws: Workspace, args: Namespace) -> None:
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


def _drafts_options(parser: ArgumentParser) -> None:
    parser.add_argument("--all", action="store_true", help="the folded ones too: weak, without words")
    lesson_table.add_filter(parser)
    options.add_json(parser)


def _drafts(ws: Workspace, args: Namespace) -> None:
    from learnloop.service.lessons import rows
    from learnloop.service.lessons.row import fold_words

    if args.json:
        from learnloop.service.lessons import queue

        output.documents(queue.listed_drafts(ws, lesson_table.matching_ids(ws, args.filter)))
        return
    if args.filter:
        from learnloop.service.lessons import query

        drafts = query.matching_rows(ws, args.filter, "draft")
        lesson_table.print_drafts(drafts, "No draft fits that filter")
        return
    page = rows.queue_page(ws, everything=args.all)
    empty = "There are no drafts: correct your agent where it goes wrong, then run learn ingest"
    if page.top or not page.folded:
        lesson_table.print_drafts(page.top, empty)
    if page.folded:
        output.note(f"{fold_words(page.folded)} (learn lessons --drafts --all)")


def _stats_options(parser: ArgumentParser) -> None:
    options.add_json(parser)


def _stats(ws: Workspace, args: Namespace) -> None:
    from learnloop.service.lessons import outcome_words, query

    statistics = query.statistics(ws)
    if args.json:
        output.as_json(statistics.as_json())
        return
    if not statistics.total:
        output.note("There are no lessons yet: correct your agent where it goes wrong, then run learn ingest")
        return
    output.fields(
        [
            ("lessons", statistics.total),
            ("by status", _counts(statistics.by_status)),
            ("by kind", _counts(statistics.by_kind)),
            ("by category", _counts(statistics.by_category)),
            ("active by priority", _counts(statistics.by_priority)),
        ]
    )
    if statistics.most_used:
        output.line("\nMost used")
        columns = [Column("ID", style="cyan"), Column("OUTCOME", wide=True), Column("SAYS", wide=True)]
        rows = [
            [lesson_table.short(ws, used.id), outcome_words.story(used.as_json()), used.statement]
            for used in statistics.most_used
        ]
        output.table(columns, rows)
    share = query.critical_share(ws)
    if share:
        output.note(
            f"{share[0]} of {share[1]} active lessons are CRITICAL, so none of them is special any more."
        )


def _counts(counts: dict[str, int]) -> str:
    return ", ".join(f"{name} {count:,}" for name, count in counts.items())


_WAYS = {
    "bind": ("check {} --stop", "stops a call that breaks it, and a turn that leaves it open"),
    "first": ("check {} --first", "blocks the first matching call"),
    "reword": ("edit {}", "rewords it"), "narrow": ("edit {}", "narrows where it is told"),
    "archive": ("edit --archive {}", "drops it"), "keep": ("edit --keep {}", "keeps it as it is"),
}  # fmt: skip


def _upkeep(ws: Workspace, args: Namespace) -> None:
    from learnloop.service.lessons import upkeep
    from learnloop.service.patches import block_upkeep

    archived = upkeep.run(ws)
    proposed, expiring = upkeep.proposals(ws), upkeep.expiring_drafts(ws)
    items = block_upkeep.stale_items(ws)
    if args.json:
        output.as_json({
            "archived": archived,
            "proposals": [proposal.as_json() for proposal in proposed],
            "expiring": [draft.as_json() for draft in expiring],
            "items": [item.as_json() for item in items],
        })  # fmt: skip
        return
    if archived:
        drafts = output.count(archived, "draft")
        output.line(f"Archived {drafts} that nobody reviewed for 30 days; learn undo brings them back")
    for proposal in proposed:
        _print(ws, proposal)
    for item in items:
        output.line(f"{output.safe(item.item)}  in {output.safe(item.path)}: {item.why}")
        output.line(f"  learn patches revert {item.short}  takes it out")
    if not proposed:
        output.note("No lesson is proposed for archiving")
    for draft in expiring:
        days = "today" if draft.days == 0 else f"in {output.count(draft.days, 'day')}"
        output.note(f"Draft {draft.short} is archived {days}: {output.short(draft.statement, 80)}")


def _print(ws: Workspace, proposal: Proposal) -> None:
    """Print a lesson, why it is proposed, and a command for each way out."""
    from learnloop.service.lessons import documents
    from learnloop.service.recall import backtest

    lesson = documents.find(ws, proposal.lesson_id)
    output.line(f"{proposal.short}  {output.short(proposal.statement, 300)}")
    output.line(f"  {output.safe(proposal.words)}")
    if proposal.reason == "too_broad":
        output.line(f"  {output.safe(backtest.cost_words(ws, lesson))}")
    ways = [_WAYS[way] for way in (*proposal.ways, "keep")]
    output.fields(((f"learn {verb.format(proposal.short)}", does) for verb, does in ways), indent="  ")


COMMANDS = {
    "lessons": (_lessons_options, _lessons), "drafts": (_drafts_options, _drafts),
    "stats": (_stats_options, _stats),
    "upkeep": (options.add_json, _upkeep),
}  # fmt: skip
"""By verb what declares its options, and what runs it."""

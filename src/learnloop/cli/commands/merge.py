"""merge, upkeep."""

from __future__ import annotations

from typing import TYPE_CHECKING

from learnloop.cli import options, output
from learnloop.cli.output import Column
from learnloop.cli.registry import Command

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from learnloop.service.workspace import Workspace


def _add_merge(parser: ArgumentParser) -> None:
    parser.add_argument("keep", metavar="KEEP", help="the lesson that stays")
    parser.add_argument("others", nargs="+", metavar="OTHER", help="a lesson that it stands for from now on")


def _merge(ws: Workspace, args: Namespace) -> int:
    from learnloop.cli.commands.lessons import says
    from learnloop.service.lessons import lookup, queue
    from learnloop.service.review import verdicts

    decision = verdicts.merge(ws, args.keep, args.others)
    for lesson_id in decision.lesson_ids[1:]:
        lesson = lookup.find(ws, lesson_id)
        output.line(f"Archived {queue.short_id(lesson.id)}  {output.safe(says(lesson))}")
    kept = lookup.find(ws, decision.lesson_ids[0])
    seen = output.count(len(kept.evidence), "piece")
    output.line(f"Kept {queue.short_id(kept.id)} with {seen} of evidence  {output.safe(says(kept))}")
    output.note("Take it back with: learn undo")
    return 0


def _upkeep(ws: Workspace, args: Namespace) -> int:
    from learnloop.service.lessons import upkeep

    archived = upkeep.run(ws)
    proposed, expiring = upkeep.proposals(ws), upkeep.expiring(ws)
    if args.json:
        output.as_json({
            "archived": archived,
            "proposals": [one.as_json() for one in proposed],
            "expiring": [one.as_json() for one in expiring],
        })  # fmt: skip
        return 0
    if archived:
        drafts = output.count(archived, "draft")
        output.line(f"Archived {drafts} that nobody looked at for 30 days; learn undo brings them back")
    columns = [Column("ID", style="cyan"), Column("WHY", wide=True), Column("SAYS", wide=True)]
    rows = [[one.short, f"{one.words}: {one.advice}", output.short(one.statement, 300)] for one in proposed]
    output.table(columns, rows, empty="No lesson is proposed for archiving")
    if proposed:
        output.note("learn archive ID, learn edit ID, learn gate ID, or learn keep ID")
    for draft in expiring:
        days = "today" if draft.days == 0 else f"in {output.count(draft.days, 'day')}"
        output.note(f"Draft {draft.short} is archived {days}: {output.short(draft.statement, 80)}")
    return 0


COMMANDS = {"merge": Command(_add_merge, _merge), "upkeep": Command(options.add_json, _upkeep)}

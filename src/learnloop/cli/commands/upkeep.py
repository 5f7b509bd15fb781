"""`learn upkeep`: list the lessons that a person should look at, each with the ways out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from learnloop.cli import options, output

if TYPE_CHECKING:
    from learnloop.cli.commands import Namespace, Workspace
    from learnloop.service.lessons.upkeep import Proposal

add_options = options.add_json
_WAYS = {
    "stop": ("edit {} --stops yes", "stops {} once per session"),
    "gate": ("gate {}", "blocks the first matching call"),
    "remind": ("edit {} --reminds yes", "reminds an agent once that ends while it is due"),
    "reword": ("edit {}", "rewords it"),
    "narrow": ("edit {}", "narrows where it is told"),
    "archive": ("archive {}", "drops it"),
    "keep": ("keep {}", "keeps it as it is"),
}


def run(ws: Workspace, args: Namespace) -> None:
    from learnloop.service.lessons import upkeep
    from learnloop.service.patches import stale_items

    archived = upkeep.run(ws)
    proposed, expiring = upkeep.proposals(ws), upkeep.expiring_drafts(ws)
    items = stale_items.stale_items(ws)
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
    from learnloop.service.lessons import lookup
    from learnloop.service.recall import cost, moments

    lesson = lookup.find(ws, proposal.lesson_id)
    output.line(f"{proposal.short}  {output.short(proposal.statement, 300)}")
    output.line(f"  {output.safe(proposal.words)}")
    if proposal.reason == "too_broad":
        output.line(f"  {output.safe(cost.words_for(ws, lesson))}")
    ways = [_WAYS[way] for way in (*proposal.ways, "keep")]
    unwanted = moments.describe_unwanted(lesson)
    output.fields(
        ((f"learn {verb.format(proposal.short)}", does.format(unwanted)) for verb, does in ways), indent="  "
    )

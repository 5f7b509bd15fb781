"""`learn upkeep`: list what is proposed for archiving."""

from learnloop.cli import options, output
from learnloop.cli.columns import Column
from learnloop.cli.commands import Namespace, Workspace

add_options = options.add_json


def run(ws: Workspace, args: Namespace) -> None:
    from learnloop.service.lessons import upkeep

    archived = upkeep.run(ws)
    proposed, expiring = upkeep.proposals(ws), upkeep.expiring_drafts(ws)
    if args.json:
        output.as_json({
            "archived": archived,
            "proposals": [proposal.as_json() for proposal in proposed],
            "expiring": [draft.as_json() for draft in expiring],
        })  # fmt: skip
        return
    if archived:
        drafts = output.count(archived, "draft")
        output.line(f"Archived {drafts} that nobody reviewed for 30 days; learn undo brings them back")
    columns = [Column("ID", style="cyan"), Column("WHY", wide=True), Column("SAYS", wide=True)]
    rows = [[row.short, f"{row.words}: {row.advice}", output.short(row.statement, 300)] for row in proposed]
    output.table(columns, rows, empty="No lesson is proposed for archiving")
    if proposed:
        output.note("learn archive ID, learn edit ID, learn gate ID, or learn keep ID")
    for draft in expiring:
        days = "today" if draft.days == 0 else f"in {output.count(draft.days, 'day')}"
        output.note(f"Draft {draft.short} is archived {days}: {output.short(draft.statement, 80)}")

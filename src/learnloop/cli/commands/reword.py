"""`learn reword`: ask a model for better words for drafts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from learnloop.cli import options, output, verdict_report
from learnloop.cli.lesson_table import short
from learnloop.errors import Refused
from learnloop.service.facts import asking, reword_drafts

if TYPE_CHECKING:
    from learnloop.cli.commands import ArgumentParser, Namespace, Workspace
    from learnloop.service.facts.reword_drafts import Rewording

_HELP = """\
The model gets the statement of each draft and your words beside it, as learn facts says.
It is asked where a model may read along: learn facts on, and learn config facts.mode draft.
"""


def add_options(parser: ArgumentParser) -> None:
    parser.epilog = _HELP
    options.add_ids(parser)
    parser.add_argument("--yes", action="store_true", help="take the better words over without asking")
    options.add_json(parser)


def run(ws: Workspace, args: Namespace) -> int:
    planned = reword_drafts.plan(ws, args.ids)
    for lesson_id, why in planned.left.items() if planned.lesson_ids and not args.json else ():
        output.note(f"{short(ws, lesson_id)} is left out: {why}")
    if len(planned.lesson_ids) > 1 and not (args.yes or args.json):
        _confirm(planned)
    report = reword_drafts.ask(ws, args.ids)
    if args.json:
        for each in report.rewordings:
            if args.yes and each.statement:
                reword_drafts.accept(ws, each)
        output.as_json(report)
    else:
        for each in report.rewordings:
            _decide(ws, each, take=args.yes)
        for run in report.runs:
            output.note(asking.line(run))
        if report.stopped:
            output.note(report.stopped)
    return 1 if report.stopped or not any(each.statement for each in report.rewordings) else 0


def _confirm(planned: reword_drafts.RewordPlan) -> None:
    """Say the cost first; where nobody can be asked, naming the drafts is enough."""
    what = f"{output.count(len(planned.lesson_ids), 'draft')}: {planned.words}"
    if output.can_ask() and output.ask(f"Ask about {what}? Type yes to go on: ").lower() not in ("y", "yes"):
        raise Refused("nothing was asked", "answer yes to go on")


def _decide(ws: Workspace, found: Rewording, *, take: bool) -> None:
    name = short(ws, found.lesson_id)
    if not found.statement:
        output.note(f"{name}: {found.why_not}")
        return
    for sign, words in (("-", found.before), ("+", found.statement)):
        output.line(f"{sign} {output.safe(words)}")
    for trigger, sides in found.triggers.items():
        before, after = (", ".join(side) or "none" for side in sides)
        output.line(f"  {trigger}: {output.safe(before)} → {output.safe(after)}")
    if found.caution:
        output.note(f"Read with care: it {found.caution}.")
    if take or (output.can_ask() and output.ask("Take it? Type yes: ").lower() in ("y", "yes")):
        verdict_report.report(ws, reword_drafts.accept(ws, found))
    else:
        output.note(f"{name} stays as it is; --yes takes the words over.")

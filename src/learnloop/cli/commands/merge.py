"""`learn merge`: let one lesson replace others."""

from learnloop.cli import output
from learnloop.cli.commands import ArgumentParser, Namespace, Workspace
from learnloop.cli.lesson_table import short, summary


def add_options(parser: ArgumentParser) -> None:
    parser.add_argument("keep", metavar="KEEP", help="the lesson that stays")
    parser.add_argument("others", nargs="+", metavar="OTHER", help="a lesson that it replaces from now on")


def run(ws: Workspace, args: Namespace) -> None:
    from learnloop.service.lessons import lookup
    from learnloop.service.review import verdicts

    decision = verdicts.merge(ws, args.keep, args.others)
    keeper, *archived = (lookup.find(ws, lesson_id) for lesson_id in decision.lesson_ids)
    for lesson in archived:
        output.line(f"Archived {short(ws, lesson.id)}  {output.safe(summary(lesson))}")
    seen = output.count(len(keeper.evidence), "piece")
    output.line(f"Kept {short(ws, keeper.id)} with {seen} of evidence  {output.safe(summary(keeper))}")
    output.note("Take it back with: learn undo")

"""`learn replace`: let a lesson take the place of an active one that it contradicts."""

from learnloop.cli import output
from learnloop.cli.commands import ArgumentParser, Namespace, Workspace
from learnloop.cli.lesson_table import short, summary


def add_options(parser: ArgumentParser) -> None:
    parser.add_argument("new", metavar="NEW", help="the lesson that applies from now on; a draft is promoted")
    parser.add_argument("old", metavar="OLD", help="the active lesson that it contradicts; it is archived")
    parser.add_argument("--statement", metavar="TEXT", help="the words of a draft that has none")


def run(ws: Workspace, args: Namespace) -> None:
    from learnloop.service.lessons import lookup
    from learnloop.service.review import verdicts

    decision = verdicts.replace(ws, args.new, args.old, args.statement)
    new, old = (lookup.find(ws, lesson_id) for lesson_id in decision.lesson_ids)
    output.line(f"Archived {short(ws, old.id)}  {output.safe(summary(old))}")
    output.line(f"Active is {short(ws, new.id)}  {output.safe(summary(new))}")
    output.note("Take it back with: learn undo")

"""`learn add`: a lesson in the person's own words, approved by saying it."""

from learnloop.cli import options, output
from learnloop.cli.commands import ArgumentParser, Namespace, Workspace
from learnloop.cli.verdict_report import print_decision


def add_options(parser: ArgumentParser) -> None:
    parser.add_argument("text", metavar="TEXT", help="the lesson in your words; it is approved at once")
    add_project(parser)


def add_project(parser: ArgumentParser) -> None:
    """`--project`, where the lesson holds."""
    where = "it applies in one project (default: everywhere)"
    parser.add_argument("--project", nargs="?", const=".", metavar="FOLDER", help=where)


def run(ws: Workspace, args: Namespace) -> None:
    from learnloop.service.lessons import lookup
    from learnloop.service.recall import moments
    from learnloop.service.review import verdicts

    project = options.project_of(args.project) if args.project else None
    scope = "project" if project else "global"
    decision = verdicts.tell(ws, args.text, scope=scope, project=project or "")
    if not print_decision(ws, decision):
        return
    when = moments.describe_moments(lookup.find(ws, decision.lesson_ids[0]))
    output.note(f"It is {when}. Take it back with: learn undo")

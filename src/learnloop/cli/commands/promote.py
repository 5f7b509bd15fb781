"""`learn promote`: approve drafts."""

from learnloop.cli import options, output, verdict_report
from learnloop.cli.commands import ArgumentParser, Namespace, Workspace


def add_options(parser: ArgumentParser) -> None:
    options.add_ids(parser)
    remind = "remind an agent that ends with something due, once per session"
    parser.add_argument("--remind", action="store_true", default=None, help=remind)
    parser.add_argument("--statement", metavar="TEXT", help="what the agent reads, in one sentence")
    either = parser.add_mutually_exclusive_group()
    stop = "stop a call that breaks it once per session, before it runs (as without an option)"
    either.add_argument("--stop", action="store_true", default=True, help=stop)
    mention = "only mention it beside such a call"
    either.add_argument("--mention", dest="stop", action="store_false", help=mention)


def run(ws: Workspace, args: Namespace) -> None:
    from learnloop.service.lessons import lookup
    from learnloop.service.recall import moments
    from learnloop.service.review import verdicts
    from learnloop.service.sessions import sessions

    decision = verdicts.promote(ws, args.ids, statement=args.statement, stop=args.stop, remind=args.remind)
    if not verdict_report.print_decision(ws, decision):
        return
    promoted = [lookup.find(ws, lesson_id) for lesson_id in decision.lesson_ids]
    if len(promoted) == 1:
        output.note(f"It is {moments.describe_moments(promoted[0])}.")
    of_lessons = {lesson.project for lesson in promoted}
    for project in sessions.projects(ws):
        if project.path in of_lessons and not project.sessions:
            path = output.safe(project.path)
            output.note(f"No session was ever seen in {path}: learn edit ID --project FOLDER names another")
    output.note("Take it back with: learn undo")

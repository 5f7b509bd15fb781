"""`learn gate`: let a lesson stop the first call it applies to."""

from learnloop.cli import options, output, verdict_report
from learnloop.cli.commands import ArgumentParser, Namespace, Workspace


def add_options(parser: ArgumentParser) -> None:
    options.add_ids(parser)
    parser.add_argument("--off", action="store_true", help="let calls through again")


def run(ws: Workspace, args: Namespace) -> None:
    from learnloop.service.review import verdicts

    verdict_report.report(ws, verdicts.gate(ws, args.ids, on=not args.off))
    if not args.off:
        output.note("The first matching call in a session is blocked once, with the lesson as the reason.")

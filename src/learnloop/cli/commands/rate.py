"""`learn rate`: say whether a recall helped."""

from learnloop.cli import options, verdict_report
from learnloop.cli.commands import ArgumentParser, Namespace, Workspace


def add_options(parser: ArgumentParser) -> None:
    options.add_id(parser)
    parser.add_argument("verdict", choices=("helpful", "harmful"), help="how its last recall was")


def run(ws: Workspace, args: Namespace) -> None:
    from learnloop.service.review import verdicts

    verdict_report.report(ws, verdicts.rate(ws, [args.id], args.verdict))

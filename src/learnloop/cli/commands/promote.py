"""`learn promote`: approve drafts."""

from learnloop.cli import options, verdict_report
from learnloop.cli.commands import ArgumentParser, Namespace, Workspace


def add_options(parser: ArgumentParser) -> None:
    options.add_ids(parser)
    parser.add_argument("--statement", metavar="TEXT", help="what the agent reads, in one sentence")


def run(ws: Workspace, args: Namespace) -> None:
    from learnloop.service.review import verdicts

    verdict_report.report(ws, verdicts.promote(ws, args.ids, statement=args.statement))

"""`learn archive`: retire active lessons."""

from learnloop.cli import options, verdict_report
from learnloop.cli.commands import ArgumentParser, Namespace, Workspace


def add_options(parser: ArgumentParser) -> None:
    options.add_ids(parser)
    parser.add_argument(
        "--reason",
        choices=("expired", "unused", "superseded", "harmful"),
        default="unused",
        help="why (default unused)",
    )


def run(ws: Workspace, args: Namespace) -> None:
    from learnloop.service.review import verdicts

    verdict_report.report(ws, verdicts.archive(ws, args.ids, reason=args.reason))

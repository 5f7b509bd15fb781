"""`learn reject`: turn drafts down."""

from learnloop.cli import options, verdict_report
from learnloop.cli.commands import ArgumentParser, Namespace, Workspace


def add_options(parser: ArgumentParser) -> None:
    add = parser.add_argument
    from learnloop.learn.lessons.reasons import OTHER, REJECTING

    options.add_ids(parser)
    names = ", ".join(repr(name) if " " in name else name for name in REJECTING if name != OTHER)
    add("--reason", default="", metavar="WHY", help=f"why: {names}, or your own words (counted as other)")


def run(ws: Workspace, args: Namespace) -> None:
    from learnloop.service.review import verdicts

    verdict_report.report(ws, verdicts.reject(ws, args.ids, reason=args.reason))

"""`learn restore`: bring lessons back."""

from learnloop.cli import options, verdict_report
from learnloop.cli.commands import Namespace, Workspace

add_options = options.add_ids


def run(ws: Workspace, args: Namespace) -> None:
    from learnloop.service.review import verdicts

    verdict_report.report(ws, verdicts.restore(ws, args.ids))

"""`learn redo`: repeat the verdict that was undone."""

from learnloop.cli import options, verdict_report
from learnloop.cli.commands import Namespace, Workspace

add_options = options.add_none


def run(ws: Workspace, _args: Namespace) -> None:
    from learnloop.service.history import undo

    verdict_report.report_step(ws, undo.redo(ws), "redo")

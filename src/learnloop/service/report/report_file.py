"""Writing the report: a whole file or none, which only its owner may read."""

from pathlib import Path

from learnloop.service.report import report_page, report_view
from learnloop.service.workspace import Workspace
from learnloop.store import files
from learnloop.wire import clock


def page(ws: Workspace, *, days_ms: int = 0, project: str = "", quotes: bool = True) -> str:
    """The report of the last `days_ms` milliseconds (0: of all time) as HTML."""
    now_ms = clock.now_ms()
    since_ms = now_ms - days_ms if days_ms else 0
    report = report_view.gather(ws, now_ms=now_ms, since_ms=since_ms, project=project, quotes=quotes)
    return report_page.html(report, ws.settings.redaction.extras)


def write_for_console(ws: Workspace) -> Path:
    """Write the report of all time among the console's files, which `learn forget` removes; returns where."""
    path = Path(ws.root, "console", "report.html")
    files.replace(path, [page(ws).encode("utf-8", "replace")])
    return path

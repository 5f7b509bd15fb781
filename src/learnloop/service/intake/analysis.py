"""Read all of history again with the present detector."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from learnloop.service.workspace import Workspace

if TYPE_CHECKING:
    from learnloop.ingest.analyze import AnalyzeReport

Progress = Callable[[int, int], None]
REMARK = "history was read by an older detector"
HINT = "learn analyze --all"


def analyze_all(ws: Workspace, on_progress: Progress = lambda _done, _total: None) -> "AnalyzeReport":
    """Build all documents anew from the events; decisions stay. Raises Busy where another process does."""
    from learnloop.ingest.analyze import analyze

    return analyze(ws.root, on_progress)


def is_outdated(ws: Workspace) -> bool:
    """Whether an older detector than this one read the stored history."""
    from learnloop.learn.feedback.version import DETECTOR
    from learnloop.store.store import Store

    state = Store(ws.root).state()
    return bool(state) and state.get("detector", 0) < DETECTOR

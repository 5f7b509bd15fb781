"""Analysis: what is new is taken in, or all of history is read anew with the present detector."""

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from learnloop.ingest.analyze import AnalyzeReport
    from learnloop.service.workspace import Workspace

Progress = Callable[[int, int], None]
REMARK = "history was read by an older detector"
HINT = "learn analyze --all"


def analyze_all(ws: "Workspace", on_progress: Progress = lambda _done, _total: None) -> "AnalyzeReport":
    """Read all of history anew; raises Busy. Human decisions stand; old documents serve until it is done."""
    from learnloop.ingest.analyze import analyze

    return analyze(ws.root, on_progress)


def is_outdated(ws: "Workspace") -> bool:
    """Whether the stored history was read by an older detector than this one."""
    from learnloop.learn.feedback.version import DETECTOR
    from learnloop.store.store import Store

    state = Store(ws.root).state()
    return bool(state) and state.get("detector", 0) < DETECTOR

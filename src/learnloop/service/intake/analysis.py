"""Read all of history again with the present detector."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from learnloop.service.workspace import Workspace
from learnloop.wire import clock

if TYPE_CHECKING:
    from learnloop.ingest.analyze import AnalyzeReport

Progress = Callable[[int, int], None]
REMARK = "history was read by an older detector"
HINT = "learn ingest --all"


def analyze_all(ws: Workspace, on_progress: Progress = lambda _done, _total: None) -> "AnalyzeReport":
    """Build all documents anew from the events; decisions stay. Raises Busy where another process does."""
    from learnloop.ingest.analyze import analyze

    return analyze(ws.root, on_progress)


def is_outdated(ws: Workspace) -> bool:
    """Whether an older detector than this one read the stored history."""
    from learnloop.learn.hear.version import DETECTOR
    from learnloop.store import tinydb_file

    head = tinydb_file.meta(tinydb_file.path(ws.root, "state"))
    return bool(head.get("cursor")) and (head.get("detector") or 0) < DETECTOR


def last_correction(ws: Workspace) -> str:
    """When the last correction was, and how many drafts wait; empty where there is no correction yet."""
    from learnloop.service.elapsed import elapsed
    from learnloop.service.lessons import rows
    from learnloop.service.sessions import sessions

    last = sessions.last_correction(ws.root)
    if not last:
        return ""
    drafts = rows.unfolded_count(ws, rows.rows(ws))
    waiting = (
        f"{drafts} draft{'s wait' if drafts > 1 else ' waits'}: learn triage" if drafts else "no draft waits"
    )
    return f"Your last correction was {elapsed(clock.now_ms() - clock.parse_ms(last))} ago; {waiting}"

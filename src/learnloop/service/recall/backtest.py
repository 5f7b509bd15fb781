"""Backtest of a lesson's triggers over the newest 20,000 recorded calls and prompts."""

from collections.abc import Callable, Iterator
from functools import lru_cache

from learnloop.ingest import own_prompts
from learnloop.models import Lesson
from learnloop.recall import backtest as trial
from learnloop.recall.backtest import Asked
from learnloop.recall.backtest import Backtest as Backtest
from learnloop.recall.compile import record
from learnloop.service.workspace import Workspace

MOST = 20_000
"""Calls and prompts that a trial looks at, the newest, and the rest of the oldest one's segment."""


def backtest(ws: Workspace, lesson: Lesson, stopped: Callable[[], bool] = lambda: False) -> Backtest | None:
    """What the triggers of a lesson, stored or just edited, would have done; None once `stopped` is true."""
    index_record = record(lesson.as_json(), lesson.id[:6], shares=own_prompts.shares(ws.root))
    corrections = [(evidence.session_id, evidence.ts) for evidence in lesson.evidence]
    return trial.run(index_record, _read(ws.root, stopped), corrections, stopped)


def summary(result: Backtest) -> str:
    """The backtest in one sentence."""
    if not result.calls and not result.prompts:
        return "nothing is recorded yet that it could be tried on"
    if not result.fired:
        return f"never, in {result.calls:,} calls and {result.prompts:,} prompts"
    sessions = "1 session" if result.session_count == 1 else f"{result.session_count:,} sessions"
    calls = f"{result.at_calls:,} of {result.calls:,} calls"
    return f"{calls}, {result.at_prompts:,} of {result.prompts:,} prompts; {sessions}, told {result.told:,}×"


def _read(root: str, stopped: Callable[[], bool]) -> list[Asked]:
    """The newest calls and prompts, oldest first."""
    batches, left = [], MOST
    for batch in newest_batches(root):
        batches.append(batch)
        left -= len(batch)
        if left <= 0 or stopped():
            break
    return [asked for batch in reversed(batches) for asked in batch]


def newest_batches(root: str) -> Iterator[list[Asked]]:
    """The calls and prompts of what no segment has yet, then those of the segments from the newest on."""
    from learnloop.store import pending, segments

    names = segments.names(root)
    yield trial.compact(pending.records(root, names[-1] if names else ""))
    for name in reversed(names):
        path = segments.path(root, name)
        yield _batch(root, name, path.stat().st_mtime_ns if path.exists() else 0)


@lru_cache(maxsize=8)
def _batch(root: str, segment: str, _changed_ns: int) -> list[Asked]:
    """What a segment has, kept while triggers are edited; `forget` writes segments anew."""
    from learnloop.store import segments

    return trial.compact(event for event in segments.read(root, segment) if "payload" in event)

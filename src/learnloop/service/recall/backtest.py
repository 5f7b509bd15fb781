"""Backtest of a lesson's triggers over the newest 20,000 recorded calls and prompts."""

import os
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import islice
from pathlib import Path

from learnloop.ingest import own_prompts
from learnloop.models import Lesson
from learnloop.recall import backtest as trial
from learnloop.recall.backtest import Asked, Dead
from learnloop.recall.backtest import Backtest as Backtest
from learnloop.recall.compile import record
from learnloop.service.workspace import Workspace
from learnloop.wire import globs

MOST = 20_000
"""Calls and prompts that a trial looks at, the newest, and the rest of the oldest one's segment."""
_MOST_FILES = 50_000
_LEFT_OUT = frozenset((".git", "node_modules", ".venv", "venv", "__pycache__", ".mypy_cache", ".ruff_cache"))


def backtest(ws: Workspace, lesson: Lesson, stopped: Callable[[], bool] = lambda: False) -> Backtest | None:
    """What the triggers of a lesson, stored or just edited, would have done; None once `stopped` is true."""
    index_record = record(lesson.as_json(), lesson.id[:6], shares=own_prompts.shares(ws.root))
    corrections = [(evidence.session_id, evidence.ts) for evidence in lesson.evidence]
    result = trial.run(index_record, _read(ws.root, stopped), corrections, stopped)
    if result is None or stopped():
        return None
    dead, why_not = _dead_file_patterns(ws, lesson, stopped)
    if stopped():
        return None
    return result.with_(dead=(*dead, *result.dead), repository=why_not)


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


def _dead_file_patterns(ws: Workspace, lesson: Lesson, stopped: Callable[[], bool]) -> tuple[list[Dead], str]:
    """The file patterns that match no file of the lesson's project; or none, and why they were not tried."""
    from learnloop.ingest import trusted_files
    from learnloop.service.lessons import documents

    patterns = dict.fromkeys(record(lesson.as_json(), "")["files"])
    if not patterns:
        return [], ""
    if not lesson.project:
        return [], "it came from no project"
    if lesson.project not in trusted_files.trusted(documents.decisions(ws.root)):
        return [], "its files are read only after learn config --trust"
    if not Path(lesson.project).is_dir():
        return [], "the project's folder is gone"
    for path in islice(_files(lesson.project), _MOST_FILES):
        where = globs.spot(path, (lesson.project,))
        for pattern in [pattern for pattern in patterns if globs.covers(pattern, where)]:
            del patterns[pattern]
        if not patterns or stopped():
            break
    return [Dead(trigger=pattern, kind="file", where="repository") for pattern in patterns], ""


def _files(project: str) -> Iterator[str]:
    """The files of a repository, without the folders of tools."""
    for folder, below, names in os.walk(project):
        below[:] = [name for name in below if name not in _LEFT_OUT]
        yield from (f"{folder}/{name}" for name in names)

"""The latest events as hooks wrote them: when, how fast, and what hooks could not use.

An event is a dict as `wire.event.record` makes it.
"""

import os
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from learnloop.wire import clock, hosts, journal, paths, regular

HOOK_EVENTS = {
    "session_start": "SessionStart", "prompt": "UserPromptSubmit", "tool_start": "PreToolUse",
    "tool_end": "PostToolBatch", "refusal": "PostToolBatch", "tool_failed": "PostToolUseFailure",
    "subagent_start": "SubagentStart", "subagent_end": "SubagentStop", "turn_end": "Stop",
    "turn_failed": "StopFailure", "notice": "Notification", "compact": "PreCompact",
    "session_end": "SessionEnd",
}  # fmt: skip
RECENT_BYTES = 1 << 20
"""How much of journal and newest segments is read for latencies: some thousand events."""
_WEEK_MS = 7 * 86_400_000


@dataclass(frozen=True)
class HookTimes:
    """The times and errors of the latest hooks of one event."""

    event: str
    count: int = 0
    p50_ms: float | None = None
    p95_ms: float | None = None
    errors: int = 0


@dataclass(frozen=True)
class HookError:
    """Something a hook could not use or could not do; the agent saw nothing of it."""

    ts: str
    event: str
    """Its name, behind the agent's where that is not Claude Code."""
    error: str
    size: int = 0


def recent(root: str, limit: int = RECENT_BYTES) -> Iterator[dict[str, Any]]:
    """The last live events, decisions included, oldest first, from at most `limit` bytes of files.

    Each file is read before the next folder is listed, so events that a fold moves are never missed.
    """
    newest_first: list[bytes] = []
    for path in _newest_files(root):
        size = size_of(path)
        newest_first.append(read(path, max(size - limit, 0)))
        limit -= size
        if limit <= 0:
            break
    seen: set[str] = set()
    for data in reversed(newest_first):
        for record in decoded(data):
            if record["id"] not in seen and record.get("source") != "transcript":
                seen.add(record["id"])
                yield record


def firings(root: str) -> list[dict[str, Any]]:
    """The last live events without their content: {kind, ts, hook_ms}, and {payload} of a hook's error."""
    return [
        {name: event[name] for name in ("kind", "ts", "hook_ms") if name in event}
        | ({"payload": event.get("payload", {})} if event.get("kind") == "hook_error" else {})
        for event in recent(root)
    ]


def _newest_files(root: str) -> Iterator[str]:
    from learnloop.store import files, segments

    yield from reversed(spool_files(root))
    yield paths.journal(root)
    yield from reversed([str(path) for path in files.listing(Path(root), segments.FOLD_SUFFIX)])
    for name in reversed(segments.names(root)):
        yield f"{paths.events(root)}/{name}"


def read(path: str, start: int = 0) -> bytes:
    """A file from a place on; empty where there is none."""
    try:
        with os.fdopen(regular.opened(path), "rb") as file:
            file.seek(start)
            return file.read()
    except OSError:
        return b""


def decoded(data: bytes) -> Iterator[dict[str, Any]]:
    """The events in lines; fold puts other lines into quarantine."""
    from learnloop.store import segments

    return filter(None, map(segments.parse, filter(None, data.split(b"\n"))))


def last_capture(root: str, events: Iterable[dict[str, Any]] | None = None) -> str | None:
    """The time of the last event of a hook, ISO; None where there is none. Verdicts do not count."""
    from learnloop.store.store import Store

    events = recent(root) if events is None else events
    times = [event["ts"] for event in events if event.get("kind") != "decision"]
    times += [str(day.get("last", "")) for day in Store(root).documents("health").values()]
    return max(times, default="") or None


def hook_times(events: Iterable[dict[str, Any]]) -> Iterator[HookTimes]:
    """The times of hooks by event; each firing is counted by the record that has its time."""
    taken: dict[str, list[float]] = {}
    failed: Counter[str] = Counter()
    for event in events:
        kind = event.get("kind")
        if kind == "hook_error":
            failed[str(event.get("payload", {}).get("event") or "unknown")] += 1
        elif kind in HOOK_EVENTS:
            times = taken.setdefault(HOOK_EVENTS[kind], [])
            if isinstance(event.get("hook_ms"), int | float):
                times.append(event["hook_ms"])
    for name in dict.fromkeys((*HOOK_EVENTS.values(), *failed)):
        if name in taken or name in failed:
            ms = sorted(taken.get(name, ()))
            yield HookTimes(
                event=name, count=len(ms), p50_ms=percentile(ms, 50), p95_ms=percentile(ms, 95),
                errors=failed[name],
            )  # fmt: skip


def percentile(ordered: list[float], percent: int) -> float | None:
    """The percentile of ordered values, None where there are none."""
    if not ordered:
        return None
    return round(ordered[min(len(ordered) - 1, len(ordered) * percent // 100)], 2)


def hook_errors(root: str, now_ms: int | None = None) -> list[HookError]:
    """The errors of hooks in the last seven days, newest first."""
    from learnloop.store import pending, segments

    since = (clock.now_ms() if now_ms is None else now_ms) - _WEEK_MS
    names = [name for name in segments.names(root) if name >= f"{since:013d}"]
    errors = [error for name in names for error in _errors_of(root, name)]
    errors += map(_error, pending.records(root, max(names, default=""), kinds=("hook_error",)))
    recent_errors = (error for error in errors if error.ts >= clock.iso(since))
    return sorted(recent_errors, key=lambda error: error.ts, reverse=True)


_segment_errors: dict[tuple[str, str], list[HookError]] = {}


def _errors_of(root: str, name: str) -> list[HookError]:
    """The hook errors of a segment, cached: a segment never changes."""
    errors = _segment_errors.get((root, name))
    if errors is None:
        lines = read(f"{paths.events(root)}/{name}").split(b"\n")
        records = decoded(b"\n".join(line for line in lines if b'"hook_error"' in line))
        errors = [_error(record) for record in records if record["kind"] == "hook_error"]
        _segment_errors[root, name] = errors
    return errors


def _error(record: dict[str, Any]) -> HookError:
    payload = record.get("payload") or {}
    size = payload.get("bytes")
    event, error = str(payload.get("event", "")), str(payload.get("error", ""))
    if record.get("host") in hosts.NAMES[1:]:
        event = f"{record['host']} {event}".strip()
    return HookError(record["ts"], event, error, size if isinstance(size, int) else 0)


def group_errors(errors: Iterable[HookError]) -> dict[tuple[str, str], list[HookError]]:
    """Hook errors by event and message, the newest first in each group."""
    groups: dict[tuple[str, str], list[HookError]] = {}
    for error in errors:
        groups.setdefault((error.event, error.error), []).append(error)
    return groups


def spool_files(root: str) -> list[str]:
    """The files of records that could not be written to the journal."""
    files = []
    for folder in filter(None, (paths.spool(root), journal.runtime_spool(root))):
        try:
            files += [f"{folder}/{name}" for name in sorted(os.listdir(folder))]  # noqa: PTH208
        except OSError:
            continue
    return files


def size_of(path: str) -> int:
    """The size of a file; 0 where there is none."""
    try:
        return os.stat(path).st_size  # noqa: PTH116
    except OSError:
        return 0

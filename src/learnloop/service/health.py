"""Health: whether events arrive, how long hooks take, what waits, what is damaged."""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import Field

from learnloop.models.base import Document
from learnloop.wire import clock, codec, journal, paths

if TYPE_CHECKING:
    from learnloop.doctor import Check
    from learnloop.service.workspace import Workspace

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


class HookTimes(Document):
    """How the hooks of one event did lately."""

    event: str
    count: int = 0
    p50_ms: float | None = None
    p95_ms: float | None = None
    errors: int = 0


class HookError(Document):
    """Something a hook could not use or could not do; the agent saw nothing of it."""

    ts: str
    event: str
    error: str
    size: int = 0


class Quarantined(Document):
    """Something unreadable, kept byte for byte in the quarantine folder."""

    name: str
    source: str
    """The file it stood in."""
    reason: str
    size: int
    lines: int
    at: str


class Health(Document):
    """One look at everything that can go wrong."""

    last_capture: str | None = None
    hooks: tuple[HookTimes, ...] = ()
    hook_errors: tuple[HookError, ...] = ()
    """Of the last seven days, newest first."""
    journal_bytes: int = 0
    journal_lines: int = 0
    spool_files: int = 0
    segments: int = 0
    segment_bytes: int = 0
    pending_decisions: int = 0
    drafts: int = 0
    active: int = 0
    quarantine: tuple[Quarantined, ...] = ()
    damage: tuple[str, ...] = ()
    store_bytes: dict[str, int] = Field(default_factory=dict)
    index_generation: int | None = None
    store_generation: int = 0
    recording: bool = True
    recalling: bool = True

    @property
    def index_current(self) -> bool:
        """Whether hooks read the lessons that the store has; true too while there is nothing to read."""
        return self.index_generation == self.store_generation or (
            self.index_generation is None and self.store_generation == 0
        )


def health(ws: "Workspace", now_ms: int | None = None) -> Health:
    """How things stand now."""
    from learnloop.service import documents
    from learnloop.store import segments
    from learnloop.store.store import Store

    root = ws.root
    store = Store(root)
    stored, published = generations(root)
    record, recall = switched(root)
    events = list(recent(root))
    statuses = [doc.get("status") for doc in documents.lessons(root).values()]
    names = segments.names(root)
    return Health(
        last_capture=_last_capture(events),
        hooks=tuple(_times(events)),
        hook_errors=tuple(hook_errors(root, now_ms)),
        journal_bytes=_size(paths.journal(root)),
        journal_lines=_lines(paths.journal(root)),
        spool_files=len(_spooled(root)),
        segments=len(names),
        segment_bytes=sum(_size(f"{paths.events(root)}/{name}") for name in names),
        pending_decisions=len(documents.pending(root)),
        drafts=statuses.count("draft"),
        active=statuses.count("active"),
        quarantine=tuple(_quarantined(root)),
        damage=tuple(store.damage()),
        store_bytes=_store_sizes(root),
        index_generation=published,
        store_generation=stored,
        recording=record,
        recalling=recall,
    )


def doctor(ws: "Workspace", fix: bool = False) -> "list[Check]":
    """Every check with what to do about it; `fix` mends what is safe to mend."""
    from learnloop import doctor as checks

    return checks.examine(ws, fix=fix)


def status_line(found: Health, now_ms: int | None = None) -> str:
    """The one sentence that every pane shows: what keeps Learnloop from working, else how it is doing."""
    if found.damage:
        return f"The store is damaged: {found.damage[0]}. Run learn doctor."
    if not found.recording:
        return "Recording is switched off. Switch it on with learn on."
    if not found.index_current:
        return "Agents still get the lessons of an earlier state. Run learn ingest."
    if found.last_capture is None:
        return "Nothing captured yet. Install hooks with learn install, then type a prompt to your agent."
    return f"Last capture {ago(found.last_capture, now_ms)}{''.join(_remarks(found))}."


def _remarks(found: Health) -> Iterator[str]:
    """What is worth a look besides."""
    if not found.recalling:
        yield " · recall is switched off"
    if found.hook_errors:
        yield f" · {_many(len(found.hook_errors), 'hook error')} in 7 days"
    if found.quarantine:
        yield f" · {_many(len(found.quarantine), 'unreadable piece')} kept aside"
    if found.hook_errors or found.quarantine:
        yield ", see learn doctor"


def ago(ts: str, now_ms: int | None = None) -> str:
    """How long ago a time was: `2 s ago`, `5 min ago`, `3 h ago`, `4 days ago`."""
    seconds = max(((clock.now_ms() if now_ms is None else now_ms) - parse_ms(ts)) // 1000, 0)
    for unit, size in (("days", 86_400), ("h", 3_600), ("min", 60)):
        if seconds >= (2 if unit == "days" else 1) * size:
            return f"{seconds // size} {unit} ago"
    return f"{seconds} s ago"


def parse_ms(ts: str) -> int:
    """Milliseconds since the epoch of a time as events carry it."""
    from datetime import datetime

    return round(datetime.fromisoformat(ts).timestamp() * 1000)


def recent(root: str, limit: int = RECENT_BYTES) -> Iterator[dict[str, Any]]:
    """The last events in the order of writing, at most so many bytes of them, decisions among them."""
    files = _newest_files(root)
    chosen: list[tuple[str, int]] = []
    for path in files:
        size = _size(path)
        chosen.append((path, max(size - limit, 0)))
        limit -= size
        if limit <= 0:
            break
    for path, start in reversed(chosen):
        yield from _decoded(_read(path, start).split(b"\n"))


def _newest_files(root: str) -> Iterator[str]:
    from learnloop.store import segments

    yield from reversed(_spooled(root))
    yield paths.journal(root)
    for name in reversed(segments.names(root)):
        yield f"{paths.events(root)}/{name}"


def _read(path: str, start: int) -> bytes:
    try:
        with open(path, "rb") as file:  # noqa: PTH123
            file.seek(start)
            return file.read()
    except OSError:
        return b""


def _decoded(lines: Iterable[bytes]) -> Iterator[dict[str, Any]]:
    """The events among lines; what is none was or will be set aside by fold."""
    for line in lines:
        if line:
            try:
                record = codec.decode(line.decode("utf-8"))
            except (ValueError, RecursionError):
                continue
            if isinstance(record, dict) and isinstance(record.get("ts"), str):
                yield record


def last_capture(root: str) -> str | None:
    """When a hook last wrote; what people decide does not count."""
    return _last_capture(recent(root))


def _last_capture(events: Iterable[dict[str, Any]]) -> str | None:
    times = [event["ts"] for event in events if event.get("kind") != "decision" and event.get("ts")]
    return max(times, default=None)


def _times(events: Iterable[dict[str, Any]]) -> Iterator[HookTimes]:
    taken: dict[str, list[float]] = {}
    counted: dict[str, int] = {}
    failed: dict[str, int] = {}
    for event in events:
        kind = event.get("kind")
        if kind == "hook_error":
            name = str(event.get("payload", {}).get("event") or "unknown")
            failed[name] = failed.get(name, 0) + 1
        elif kind in HOOK_EVENTS:
            name = HOOK_EVENTS[kind]
            counted[name] = counted.get(name, 0) + 1
            if isinstance(event.get("hook_ms"), int | float):
                taken.setdefault(name, []).append(event["hook_ms"])
    order = list(dict.fromkeys((*HOOK_EVENTS.values(), *failed)))
    for name in order:
        if name in counted or name in failed:
            ms = sorted(taken.get(name, ()))
            yield HookTimes(
                event=name, count=counted.get(name, 0), p50_ms=percentile(ms, 50), p95_ms=percentile(ms, 95),
                errors=failed.get(name, 0),
            )  # fmt: skip


def percentile(ordered: list[float], percent: int) -> float | None:
    """The value that so many percent do not exceed, None of nothing."""
    if not ordered:
        return None
    return round(ordered[min(len(ordered) - 1, len(ordered) * percent // 100)], 2)


def hook_errors(root: str, now_ms: int | None = None) -> list[HookError]:
    """What hooks could not use or do in the last seven days, newest first."""
    from learnloop.store import pending, segments

    since = (clock.now_ms() if now_ms is None else now_ms) - _WEEK_MS
    names = [name for name in segments.names(root) if name >= f"{since:013d}"]
    found = [one for name in names for one in _errors_of(root, name)]
    found += map(_error, pending.records(root, max(names, default=""), kinds=("hook_error",)))
    return sorted((one for one in found if one.ts >= clock.iso(since)), key=lambda one: one.ts, reverse=True)


_segment_errors: dict[tuple[str, str], list[HookError]] = {}


def _errors_of(root: str, name: str) -> list[HookError]:
    """The hook errors of a segment, looked for once: it never changes."""
    kept = _segment_errors.get((root, name))
    if kept is None:
        data = _read(f"{paths.events(root)}/{name}", 0)
        lines = [line for line in data.split(b"\n") if b'"hook_error"' in line]
        records = (record for record in _decoded(lines) if record.get("kind") == "hook_error")
        kept = _segment_errors[root, name] = [_error(record) for record in records]
    return kept


def _error(record: dict[str, Any]) -> HookError:
    told = record.get("payload") or {}
    size = told.get("bytes")
    return HookError(
        ts=record["ts"],
        event=str(told.get("event", "")),
        error=str(told.get("error", "")),
        size=size if isinstance(size, int) else 0,
    )


def grouped(found: Iterable[HookError]) -> dict[tuple[str, str], list[HookError]]:
    """Hook errors by event and message, the newest first in each group."""
    groups: dict[tuple[str, str], list[HookError]] = {}
    for one in found:
        groups.setdefault((one.event, one.error), []).append(one)
    return groups


def switched(root: str) -> tuple[bool, bool]:
    """Whether hooks record and whether they recall: switch files, and the settings as published."""
    from learnloop.wire import index, switches

    found = index.read(paths.index(root))
    told = found.header.get("switches", {}) if found else {}
    recording = switches.recording(root, "") and told.get("record", True)
    return recording, switches.recalling(root, "") and told.get("recall", True)


def generations(root: str) -> tuple[int, int | None]:
    """The generation of the store and the one that hooks read, None where there is no index to read."""
    from learnloop.store.store import Store
    from learnloop.wire import index

    found = index.read(paths.index(root))
    return Store(root).generation(), None if found is None else int(found.header.get("generation", 0))


def _quarantined(root: str) -> Iterator[Quarantined]:
    from learnloop.store import quarantine

    for kept in quarantine.listing(root):
        yield Quarantined(
            name=kept.name,
            source=kept.source,
            reason=kept.reason,
            size=kept.bytes,
            lines=kept.lines,
            at=clock.iso(kept.at_ms),
        )


def _spooled(root: str) -> list[str]:
    found = []
    for folder in filter(None, (paths.spool(root), journal.runtime_spool(root))):
        try:
            found += [f"{folder}/{name}" for name in sorted(os.listdir(folder))]  # noqa: PTH208
        except OSError:
            continue
    return found


def _store_sizes(root: str) -> dict[str, int]:
    folder = Path(paths.store(root))
    return {str(path.relative_to(folder)): path.stat().st_size for path in sorted(folder.rglob("*.json"))}


def _size(path: str) -> int:
    try:
        return os.stat(path).st_size  # noqa: PTH116
    except OSError:
        return 0


def _lines(path: str) -> int:
    try:
        with open(path, "rb") as file:  # noqa: PTH123
            return sum(1 for line in file if line.strip())
    except OSError:
        return 0


def _many(number: int, thing: str) -> str:
    return f"{number} {thing}{'' if number == 1 else 's'}"

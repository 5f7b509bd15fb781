"""Health: whether events arrive, how long hooks take, what waits, what is damaged."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import Field

from learnloop import keymap
from learnloop.models.base import Document
from learnloop.service.captured import (
    HookError,
    HookTimes,
    hook_errors,
    hook_times,
    last_capture,
    recent,
    size_of,
    spooled,
)
from learnloop.service.hook_latency import Histogram, latencies
from learnloop.service.left_out import LeftOut
from learnloop.service.silence import Silent
from learnloop.wire import clock, paths

if TYPE_CHECKING:
    from learnloop.doctor import Check
    from learnloop.service.workspace import Workspace

__all__ = [
    "Health", "HookError", "HookTimes", "LeftOut", "Quarantined", "Silent", "ago", "doctor", "generations",
    "health", "parse_ms", "status_line", "switched",
]  # fmt: skip


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
    hook_latencies: Histogram = Histogram()
    """Of the latest days that were measured."""
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
    left_out: tuple[LeftOut, ...] = ()
    """Imports that did not take everything, newest first."""
    silent: tuple[Silent, ...] = ()
    """CRITICAL lessons that nobody was told lately where they mattered."""
    store_bytes: dict[str, int] = Field(default_factory=dict)
    keymap: tuple[str, ...] = ()
    """What of the console's keys in the settings cannot be."""
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
    from learnloop.service import documents, left_out, silence
    from learnloop.store import segments
    from learnloop.store.store import Store

    root = ws.root
    store = Store(root)
    stored, published = generations(root)
    record, recall = switched(root)
    events = list(recent(root))
    lessons = documents.lessons(root)
    statuses = [doc.get("status") for doc in lessons.values()]
    names = segments.names(root)
    return Health(
        last_capture=last_capture(root, events),
        hooks=tuple(hook_times(events)),
        hook_latencies=latencies(store.health(), events),
        hook_errors=tuple(hook_errors(root, now_ms)),
        journal_bytes=size_of(paths.journal(root)),
        journal_lines=_lines(paths.journal(root)),
        spool_files=len(spooled(root)),
        segments=len(names),
        segment_bytes=sum(size_of(f"{paths.events(root)}/{name}") for name in names),
        pending_decisions=len(documents.pending(root)),
        drafts=statuses.count("draft"),
        active=statuses.count("active"),
        quarantine=tuple(_quarantined(root)),
        damage=tuple(store.damage()),
        left_out=tuple(left_out.listing(root)),
        silent=tuple(silence.silent(lessons, now_ms)),
        store_bytes=_store_sizes(root),
        keymap=keymap.resolved(ws.settings.keys).problems if ws.settings.keys else (),
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
    if found.silent:
        yield f" · {_many(len(found.silent), 'CRITICAL lesson')} stayed silent"
    if found.keymap:
        yield f" · {_many(len(found.keymap), 'key')} of yours cannot be used"
    if found.hook_errors or found.quarantine or found.silent or found.keymap:
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


def _store_sizes(root: str) -> dict[str, int]:
    folder = Path(paths.store(root))
    return {str(path.relative_to(folder)): path.stat().st_size for path in sorted(folder.rglob("*.json"))}


def _lines(path: str) -> int:
    try:
        with open(path, "rb") as file:  # noqa: PTH123
            return sum(1 for line in file if line.strip())
    except OSError:
        return 0


def _many(number: int, thing: str) -> str:
    return f"{number} {thing}{'' if number == 1 else 's'}"

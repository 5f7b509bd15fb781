"""The report of the Health pane: what arrives, how long hooks take, what waits, what is damaged."""

from pathlib import Path

from pydantic import Field

from learnloop.models.base import Document
from learnloop.service.charts.series import Histogram, latencies
from learnloop.service.facts.reading_status import ReadingStatus, reading_status
from learnloop.service.health.missed_recalls import MissedRecall
from learnloop.service.health.quick_status import QuickStatus, quick_status
from learnloop.service.health.recall_cost import RecallCost, recall_cost
from learnloop.service.sessions import sessions
from learnloop.service.sessions.recent_events import (
    HookError,
    HookTimes,
    firings,
    hook_times,
    size_of,
    spool_files,
)
from learnloop.service.workspace import Workspace
from learnloop.store import pending
from learnloop.store.quarantine import QuarantinedFile
from learnloop.wire import paths


class Health(Document):
    """The state of everything that can go wrong."""

    last_capture: str | None = None
    last_correction: str = ""
    """When the person last corrected an agent."""
    hooks: tuple[HookTimes, ...] = ()
    hook_latencies: Histogram = Histogram()
    """Of the latest days that were measured."""
    recall_cost: RecallCost = RecallCost()
    hook_errors: tuple[HookError, ...] = ()
    """Of the last seven days, newest first."""
    journal_bytes: int = 0
    journal_lines: int = 0
    spool_files: int = 0
    segments: int = 0
    segment_bytes: int = 0
    drafts: int = 0
    active: int = 0
    quarantine: tuple[QuarantinedFile, ...] = ()
    damage: tuple[str, ...] = ()
    missed_recalls: tuple[MissedRecall, ...] = ()
    store_bytes: dict[str, int] = Field(default_factory=dict)
    keymap: tuple[str, ...] = ()
    """Problems of the console's keys in the settings."""
    claimed: int = 0
    """Lessons with a verdict that may be an agent's."""
    gaps: int = 0
    """Breaks in the chain of decisions."""
    hooked: bool = False
    """Whether an agent calls the hooks."""
    taken_out: bool = False
    """Whether hooks were registered once, and are no more."""
    index_current: bool = True
    """Whether hooks read the lessons that the store has, or did until a moment ago."""
    silences: tuple[str, ...] = ()
    """What keeps hooks from recording or recalling, with the way out."""
    recording: bool = True
    recalling: bool = True
    reading: ReadingStatus = ReadingStatus()
    """The model that reads along."""

    def figures(self) -> QuickStatus:
        """The figures of the status line."""
        return QuickStatus(*(getattr(self, name) for name in QuickStatus._fields))


def health_report(ws: Workspace, now_ms: int | None = None) -> Health:
    """Read the report from disk, as of now."""
    from learnloop.service.lessons import documents
    from learnloop.store import segments
    from learnloop.store.store import Store

    root, folder = ws.root, Path(paths.store(ws.root))
    store, names, events = Store(root), segments.names(root), firings(root)
    figures, measured = quick_status(ws, now_ms), store.documents("health")
    return Health.model_validate({
        **figures._asdict(),
        "last_correction": sessions.last_correction(root), "hooks": tuple(hook_times(events)),
        "hook_latencies": latencies(measured, events),
        "recall_cost": recall_cost(measured, documents.lessons(root).values()),
        "journal_bytes": size_of(paths.journal(root)), "spool_files": len(spool_files(root)),
        "segments": len(names),
        "segment_bytes": sum(size_of(f"{paths.events(root)}/{name}") for name in names),
        "damage": (*pending.obstacles(root), *store.damage()),
        "store_bytes": {
            str(at.relative_to(folder)): at.stat().st_size for at in sorted(folder.rglob("*.json"))
        },
        "reading": reading_status(ws, now_ms),
    })  # fmt: skip

"""The status line and a few figures, without pydantic.

`learn status` runs often, also in shell prompts, so it reads little. The complete report is
`service.health.health_report`.
"""

import contextlib
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from learnloop.errors import Unreadable
from learnloop.service import silences as silence_reasons
from learnloop.service.elapsed import elapsed
from learnloop.service.workspace import Workspace
from learnloop.wire import clock, index, paths, regular

_PUBLISHING_MS = 30_000
"""An index that is older than the store by less than this is being written."""


class QuickStatus(NamedTuple):
    """The figures of `learn status`; fields that `Health` has too mean the same there."""

    last_capture: str | None
    drafts: int
    active: int
    journal_lines: int
    damage: tuple[str, ...]
    recording: bool
    recalling: bool
    index_current: bool
    hook_errors: tuple[object, ...]
    quarantine: tuple[object, ...]
    missed_recalls: tuple[object, ...]
    keymap: tuple[str, ...]
    silences: tuple[str, ...]
    claimed: int = 0
    """Lessons with a verdict that may be an agent's."""
    gaps: int = 0
    """Breaks in the chain of decisions."""
    hooked: bool = False
    """Whether an agent calls the hooks."""
    taken_out: bool = False
    """Whether hooks were registered once, and are no more."""


def quick_status(ws: Workspace, now_ms: int | None = None, project: str = "") -> QuickStatus:
    """Read the figures from disk, as of now, as they are in a project."""
    from learnloop.service import workspace
    from learnloop.service.health import missed_recalls
    from learnloop.service.lessons import documents
    from learnloop.service.sessions import recent_events
    from learnloop.service.setup import install
    from learnloop.store import pending, quarantine, repair, seal

    root = ws.root
    lessons = documents.lessons(root)
    states = [str(doc.get("status", "")) for doc in lessons.values()]
    _keep_consent(root)
    silences = silence_reasons.of(root, project)
    pieces = quarantine.listing(root)
    return QuickStatus(
        last_capture=recent_events.last_capture(root), journal_lines=journal_lines(root),
        drafts=states.count("draft"), active=states.count("active"),
        damage=(*pending.obstacles(root), *(repair.damage(root) if pieces else ())),
        index_current=is_current(root, now_ms),
        hook_errors=tuple(recent_events.hook_errors(root, now_ms)), quarantine=tuple(pieces),
        missed_recalls=tuple(missed_recalls.missed_recalls(lessons, now_ms)),
        keymap=key_problems(ws) if workspace.are_settings_touched() else (),
        claimed=sum(bool(doc.get("claims")) for doc in lessons.values()), gaps=seal.breaks(root),
        silences=words_of(silences),
        recording=all(silence.records for silence in silences),
        recalling=all(silence.recalls for silence in silences), **install.hook_state(ws),
    )  # fmt: skip


def queued(root: str) -> int | None:
    """How many drafts the Inbox opens with, as the last publish counted them; None where none has."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        count: int | None = json.loads(regular.content(paths.news(root))).get("drafts")
        return count
    return None


def _keep_consent(root: str) -> None:
    from learnloop.service import workspace

    if workspace.are_settings_touched():
        from learnloop import settings

        with contextlib.suppress(OSError):
            settings.keep_prohibitions(root)


def key_problems(ws: Workspace) -> tuple[str, ...]:
    """The problems of the console's keys in the settings."""
    from learnloop.keymap import keymap

    try:
        chosen = ws.settings.keys
    except Unreadable:  # a silence, and the settings' own fault, say more
        return ()
    return keymap.resolved(chosen).problems if chosen else ()


def is_current(root: str, now_ms: int | None = None) -> bool:
    """Whether hooks read the lessons of the store: true before the first publish, and while one may be on."""
    places = (paths.index(root) + ".known", f"{paths.store(root)}/lessons.json", paths.index(root))
    noted, lessons, written = (path.stat().st_mtime_ns if path.exists() else 0 for path in map(Path, places))
    is_being_written = (now_ms or clock.now_ms()) - lessons // 1_000_000 < _PUBLISHING_MS
    is_read = not noted or index.read(paths.index(root)) is not None
    return is_being_written or (noted >= max(lessons, written) and is_read)


WAITING = "Hooks are in. Waiting for your first prompt."


def status_line(status: QuickStatus, now_ms: int | None = None) -> str:
    """The sentence that every pane shows: what keeps Learnloop from working, else the last capture."""
    if status.damage:
        return f"The store is damaged: {status.damage[0]}. Run learn doctor."
    if not status.recording:
        return f"Recording is switched off: {status.silences[0]}."
    if not status.index_current:
        return "Agents still get the lessons of an earlier state. Run learn ingest."
    if status.last_capture is None:
        return WAITING if status.hooked else "No hooks yet: learn install registers them."
    gone = (
        "No agent calls Learnloop any more: learn install registers the hooks. " if status.taken_out else ""
    )
    return f"{gone}Last capture {ago(status.last_capture, now_ms)}{''.join(_remarks(status))}."


def _remarks(status: QuickStatus) -> Iterator[str]:
    """What else needs attention."""
    if not status.recalling:
        yield " · recall is switched off" + (f" ({status.silences[0]})" if status.silences else "")
    if status.hook_errors:
        yield f" · {_many(len(status.hook_errors), 'hook error')} in 7 days"
    if status.claimed:
        yield f" · {_many(status.claimed, 'verdict')} may be an agent's, see the Inbox"
    if status.gaps:
        yield " · decisions were removed"
    if status.quarantine:
        yield f" · {_many(len(status.quarantine), 'unreadable piece')} kept aside"
    if status.missed_recalls:
        yield f" · {_many(len(status.missed_recalls), 'CRITICAL lesson')} not recalled"
    if status.keymap:
        yield f" · {_many(len(status.keymap), 'key')} of yours cannot be used"
    if status.hook_errors or status.quarantine or status.missed_recalls or status.keymap or status.gaps:
        yield ", see learn doctor"


def ago(ts: str, now_ms: int | None = None) -> str:
    """How long ago a time was, as in `5 min ago`."""
    return f"{elapsed((clock.now_ms() if now_ms is None else now_ms) - clock.parse_ms(ts))} ago"


def words_of(silences: Iterable[silence_reasons.Silence]) -> tuple[str, ...]:
    """The reasons with their ways out; what stops recording comes first."""
    return tuple(f"{each.why}; {each.way_out}" for each in sorted(silences, key=lambda each: each.records))


def journal_lines(root: str) -> int:
    """The number of events in the journal."""
    from learnloop.service.sessions import recent_events

    return sum(1 for line in recent_events.read(paths.journal(root)).split(b"\n") if line.strip())


def _many(number: int, thing: str) -> str:
    return f"{number} {thing}{'' if number == 1 else 's'}"

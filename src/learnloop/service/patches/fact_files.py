"""Which file of its project a fact belongs into: that of a folder only where its sessions wrote there."""

from collections.abc import Iterator, Mapping
from typing import Any

from learnloop.patch import plain_bullets
from learnloop.store.store import Store
from learnloop.wire import clock

_DAY_MS = 86_400_000


def file_of(root: str, lesson: Mapping[str, Any]) -> str:
    """The file of a lesson that is a fact."""
    folder = str(lesson.get("path") or "").strip("/") if lesson.get("scope") == "module" else ""
    written = _written(root, lesson) if folder else ()
    return plain_bullets.fact_file(str(lesson["project"]), folder, written)


def _written(root: str, lesson: Mapping[str, Any]) -> Iterator[str]:
    """The files that were written in the sessions in which it was said."""
    for seen in lesson.get("evidence") or ():
        yield from map(str, seen.get("files") or ())
        day, session = str(seen.get("ts", ""))[:10], str(seen.get("session_id", ""))
        if day and session:
            following = clock.iso(clock.parse_ms(str(seen["ts"])) + _DAY_MS)[:10]
            for turn in Store(root).turns(session, days=(day, following)):
                yield from turn.files

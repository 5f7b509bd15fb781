"""Since the last visit: what a person has not seen yet when they open the console.

    since(ws)    what is new; None before the first visit ended
    leave(ws)    what was there to be seen, for the next time

What was seen stands in a file of the console's, not in a decision: nothing depends on it. Of two consoles the
one that is closed last says what was seen. Ids and findings are kept as digests: the file names nothing.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from learnloop.service.lessons import documents, rows
from learnloop.wire import clock

if TYPE_CHECKING:
    from learnloop.service.workspace import Workspace

FILE = "console-visit.json"
_COUNTED = ("recurred", "harmful")
_DIGEST = 10


class News(NamedTuple):
    """What is new since a visit."""

    ms: int
    """When that visit ended, UTC."""
    drafts: int = 0
    """Drafts that were not there."""
    recalled: int = 0
    """Lessons that an agent was told."""
    recurred: int = 0
    """Times that a mistake came back although its lesson is there."""
    harmful: int = 0
    """Times that a recall was said to do harm."""
    astray: int = 0
    """Blocks in prompt files that were edited or taken out by hand, or whose file is gone."""
    beliefs: int = 0
    """What is believed and not confirmed, and was not there."""

    @property
    def is_any(self) -> bool:
        """Whether anything is new at all."""
        return any(self[1:])


def since(ws: "Workspace") -> News | None:
    """What is new since the last visit; None where there was none, or where what was seen cannot be read."""
    before = _read(ws.root)
    if before is None:
        return None
    at = before["at"]
    drafts, usage = set(_drafts(ws)), _usage(ws)
    more = {
        name: sum(max(0, count - _known(before[name], key)) for key, count in usage[name].items())
        for name in _COUNTED
    }
    time = clock.iso(at)
    recalled = sum((usage.get("last_recalled") or "") > time for usage in _usage_by_id(ws.root).values())
    return News(
        at,
        len(drafts - _kept(before, "drafts")),
        recalled,
        more["recurred"],
        more["harmful"],
        len(set(_astray(ws)) - _kept(before, "astray")),
        len(set(_beliefs(ws)) - _kept(before, "beliefs")),
    )


def _known(counts: Mapping[str, Any], key: str) -> int:
    count = counts.get(key, 0)
    return count if isinstance(count, int) else 0


def _kept(before: Mapping[str, Any], name: str) -> set[str]:
    return set(map(str, before[name]))


def leave(ws: "Workspace", now_ms: int | None = None) -> None:
    """Keep what was there to be seen; raises OSError where the folder cannot be written."""
    from learnloop.store import files

    seen = {
        "at": clock.now_ms() if now_ms is None else now_ms,
        "drafts": sorted(_drafts(ws)),
        **_usage(ws),
        "astray": sorted(_astray(ws)),
        "beliefs": sorted(_beliefs(ws)),
    }
    files.replace(Path(ws.root, FILE), [json.dumps(seen).encode("ascii")])


def _read(root: str) -> dict[str, Any] | None:
    """What was seen; None where there is nothing of the right shape."""
    try:
        found = json.loads(Path(root, FILE).read_bytes())
    except (OSError, ValueError, RecursionError):
        return None
    if not isinstance(found, dict) or not isinstance(found.get("at"), int):
        return None
    lists = all(isinstance(found.get(name), list) for name in ("drafts", "astray", "beliefs"))
    counts = all(isinstance(found.get(name), dict) for name in _COUNTED)
    return found if lists and counts else None


def _digest(value: str) -> str:
    return hashlib.sha256(value.encode()).hexdigest()[:_DIGEST]


def _drafts(ws: "Workspace") -> Iterator[str]:
    return (_digest(row.id) for row in rows.rows(ws, "draft"))


def _usage(ws: "Workspace") -> dict[str, dict[str, int]]:
    """Of each lesson what is above zero."""
    usage_by_id = _usage_by_id(ws.root)
    return {
        name: {_digest(key): count for key, usage in usage_by_id.items() if (count := usage.get(name))}
        for name in _COUNTED
    }


def _usage_by_id(root: str) -> dict[str, dict[str, Any]]:
    return {key: doc.get("usage") or {} for key, doc in documents.lessons(root).items()}


def _astray(ws: "Workspace") -> Iterator[str]:
    from learnloop.service.patches import block_upkeep

    return map(_digest, block_upkeep.astray(ws))


def _beliefs(ws: "Workspace") -> Iterable[str]:
    """What is believed and waits for the person."""
    from learnloop.service.profile import beliefs as believed

    page = believed.page(ws)
    traits = (
        one
        for one in page.preferences.traits
        if (one.statement or one.conflict) and not (one.confirmed or one.dismissed)
    )
    findings = (one for project in page.projects for one in project.findings)
    waiting = (one.id for one in (*findings, *page.weak_areas) if not (one.confirmed or one.dismissed))
    sides = (one.id for one in page.preferences.contradictions)
    return map(_digest, (*(one.id for one in traits), *sides, *waiting))

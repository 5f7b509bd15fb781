"""What is new since the last visit to the console.

The console writes `console-visit.json` when it closes and compares with it at the next start. Nothing else
reads it. Of two consoles, the one that closes last wins. It contains digests
of ids and no names.
"""

import contextlib
import hashlib
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from learnloop.errors import LearnloopError
from learnloop.learn.lessons.claims import STANDING
from learnloop.service.history import undo
from learnloop.service.lessons import documents, rows
from learnloop.service.recall import explain
from learnloop.service.workspace import Workspace
from learnloop.wire import clock, paths, regular

if TYPE_CHECKING:
    from learnloop.models.preferences import Trait
    from learnloop.models.project_patterns import Finding

_COUNTED = ("drafts", "recurred", "harmful", "modified_blocks", "beliefs")
_DIGEST = 10


class News(NamedTuple):
    """How much is new since a visit."""

    ms: int
    """When that visit ended, UTC."""
    recalled: int = 0
    drafts: int = 0
    recurred: int = 0
    """Times that a mistake came back although its lesson is active."""
    harmful: int = 0
    """Times that a recall was judged harmful."""
    modified_blocks: int = 0
    """Blocks in prompt files that were edited or removed by hand, or whose file is gone."""
    beliefs: int = 0
    approved: int = 0
    """Approvals that were not given in the console."""
    taken: int = 0
    """Facts that a standing approval took in."""

    @property
    def is_any(self) -> bool:
        """Whether anything is new at all."""
        return any(self[1:])


def since(ws: Workspace) -> News | None:
    """What is new since the last visit; None where there was none, or its file cannot be read."""
    last = _read(ws.root)
    if last is None:
        return None
    now = _snapshot(ws)
    ended = clock.iso(last["at"])
    recalled = sum((usage.get("last_recalled") or "") > ended for usage in _usage_by_id(ws.root).values())
    increases = {
        name: sum(max(0, count - last[name].get(key, 0)) for key, count in now[name].items())
        for name in _COUNTED
    }
    elsewhere = undo.approved_elsewhere(ws)
    taken = sum(decision.by == STANDING for decision in elsewhere)
    return News(last["at"], recalled, **increases, approved=len(elsewhere) - taken, taken=taken)


def leave(ws: Workspace, now_ms: int | None = None) -> None:
    """Write down what this visit could see; raises OSError where the folder cannot be written."""
    from learnloop.store import files

    at = clock.now_ms() if now_ms is None else now_ms
    files.replace(Path(paths.visit(ws.root)), [json.dumps({"at": at, **_snapshot(ws)}).encode("ascii")])
    Path(paths.news(ws.root)).unlink(missing_ok=True)  # it counts from this visit on
    with contextlib.suppress(LearnloopError):  # the next ingest writes the news
        explain.publish(ws)


def _read(root: str) -> dict[str, Any] | None:
    """The file of the last visit; None where it has another shape."""
    try:
        visit = json.loads(regular.content(paths.visit(root)))
    except (OSError, ValueError, RecursionError):
        return None
    if not isinstance(visit, dict) or not isinstance(visit.get("at"), int):
        return None
    if not all(isinstance(visit.get(name), dict) for name in _COUNTED):
        return None
    counts = {
        name: {key: count for key, count in visit[name].items() if isinstance(count, int)}
        for name in _COUNTED
    }
    return {"at": visit["at"], **counts}


def _snapshot(ws: Workspace) -> dict[str, dict[str, int]]:
    """For each of `_COUNTED` how often it is there now, by digest of its id."""
    from learnloop.service.patches import block_upkeep

    usage_by_id = _usage_by_id(ws.root)
    return {
        "drafts": _once(row.id for row in rows.rows(ws, "draft") if not row.folded),
        **{
            name: {_digest(key): count for key, usage in usage_by_id.items() if (count := usage.get(name))}
            for name in ("recurred", "harmful")
        },
        "modified_blocks": _once(block_upkeep.modified_blocks(ws)),
        "beliefs": _once(_open_beliefs(ws)),
    }


def _usage_by_id(root: str) -> dict[str, dict[str, Any]]:
    return {key: doc.get("usage") or {} for key, doc in documents.lessons(root).items()}


def _once(ids: Iterable[str]) -> dict[str, int]:
    return {_digest(value): 1 for value in ids}


def _digest(value: str) -> str:
    return hashlib.sha256(value.encode()).hexdigest()[:_DIGEST]


def _open_beliefs(ws: Workspace) -> Iterator[str]:
    """The ids of beliefs and contradictions without a verdict."""
    from learnloop.service.profile.belief_page import belief_page

    page = belief_page(ws)
    findings = [finding for project in page.projects for finding in project.findings]
    traits = [trait for trait in page.preferences.traits if trait.statement or trait.conflict]
    beliefs: list[Trait | Finding] = [*traits, *findings, *page.weak_areas]
    for belief in beliefs:
        if not (belief.confirmed or belief.dismissed):
            yield belief.id
    yield from (contradiction.id for contradiction in page.preferences.contradictions)

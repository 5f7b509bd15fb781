"""Ingest: fold the journal, turn segments into documents, publish what changed. Safe to cut off anywhere."""

import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from learnloop.errors import Busy
from learnloop.ingest import interruptions, session_views
from learnloop.ingest.apply import Applier
from learnloop.ingest.effects import Left
from learnloop.ingest.publish import publish
from learnloop.ingest.reduce import reduce
from learnloop.models.event import EVENT_KINDS
from learnloop.store import fold, quarantine, segments
from learnloop.store.repair import Repaired
from learnloop.store.store import Store
from learnloop.wire import codec

Doc = dict[str, Any]
Seen = Callable[[list[Doc]], None]
"""Told of the events of each segment."""

PER_TRANSACTION = 3
"""Segments in one transaction, at most 10,000 events each: what is lost by a crash, and held in memory."""
_KINDS = frozenset(EVENT_KINDS)
_MOST_REPAIRS = 5
_RETRY_S = 0.01


@dataclass(frozen=True)
class IngestReport:
    """What one ingest did."""

    events: int = 0
    drafts: int = 0
    """New drafts."""
    changed: bool = False
    """What can be recalled is different, and has been published."""
    busy: bool = False
    """Another process ingests; what is new is its to take."""
    quarantined: int = 0
    heard: dict[str, int] = field(default_factory=dict)
    """Feedback by category."""


def ingest(root: str, *, wait_s: float = 0.0) -> IngestReport:
    """Fold, ingest what is new, publish what changed; waits so long for another process's ingest."""
    folded = _fold(root, wait_s)
    total = IngestReport(quarantined=folded.quarantined)
    store = Store(root)
    repairs = 0
    left: list[Left] = []
    while _waiting(root, store.cursor()) or (left and _noted(root, left, wait_s)):
        try:
            total = _sum(total, transact(store, wait_s, left=left))
        except Repaired:
            repairs += 1
            if repairs > _MOST_REPAIRS:
                raise
        except Busy:
            total = _sum(total, IngestReport(busy=True))
            break
    publish(root)
    return total


def _fold(root: str, wait_s: float) -> fold.FoldReport:
    """Fold; where another process does, wait for it: what was appended meanwhile may not be in its fold."""
    deadline = time.monotonic() + wait_s
    while True:
        folded = fold.fold(root)
        if not folded.busy or time.monotonic() >= deadline:
            return folded
        time.sleep(_RETRY_S)


def _waiting(root: str, cursor: str) -> list[str]:
    return [name for name in segments.names(root) if name > cursor]


def _noted(root: str, left: list[Left], wait_s: float) -> bool:
    """Whether transcripts told something of turns that were left, which waits to be ingested now."""
    found = interruptions.note(root, left)
    left.clear()
    if found:
        _fold(root, wait_s)
    return found > 0


def transact(
    store: Store,
    wait_s: float,
    source: str = "",
    chosen: Sequence[str] = (),
    see: Seen = lambda _events: None,
    left: list[Left] | None = None,
) -> IngestReport:
    """One transaction over the next few segments, or over those `chosen` from another root, `source`."""
    root = source or store.root
    with store.transaction(wait_s=wait_s) as tx:
        names = chosen or _waiting(root, tx.cursor)[:PER_TRANSACTION]
        state = tx.state if tx.state.get("open") is not None else session_views.fresh()
        applier, events, bad = Applier(tx, state.get("critical")), 0, 0
        for name in names:
            good, broken = _valid(root, name)
            see(good)
            _revive(state, good, tx)
            applier.apply(name, reduce(state, good))
            events, bad = events + len(good), bad + broken
        if applier.recallable_changed:
            tx.bump_generation()
        state["critical"] = applier.critical()
        tx.state = state
        tx.cursor = names[-1] if names else tx.cursor
    _keep_bad(root, "decisions", applier.bad)
    for refused in applier.refused:
        quarantine.keep(
            root, f"block {refused.source}", refused.words.encode("utf-8", "replace"), refused.reason
        )
    if left is not None:
        left += applier.left
    return IngestReport(
        events,
        applier.drafts,
        applier.recallable_changed or applier.queue_changed,
        False,
        bad + len(applier.bad) + len(applier.refused),
        dict(applier.heard),
    )


def _valid(root: str, name: str) -> tuple[list[Doc], int]:
    """The events of a segment, and how many lines were none and have been set aside."""
    good: list[Doc] = []
    bad: list[Doc] = []
    for record in segments.read(root, name):
        (good if _is_event(record) else bad).append(record)
    _keep_bad(root, f"events/{name}", bad)
    return good, len(bad)


def _is_event(record: Doc) -> bool:
    get = record.get
    return (
        get("kind") in _KINDS
        and isinstance(get("id"), str)
        and len(record["id"]) == 32
        and isinstance(get("ts"), str)
        and len(record["ts"]) == 24
        and isinstance(get("host"), str)
        and isinstance(get("session_id"), str)
        and isinstance(get("payload"), dict)
    )


def _keep_bad(root: str, name: str, bad: Iterable[Doc]) -> None:
    data = b"".join(codec.encode(record).encode() + b"\n" for record in bad)
    if data:
        quarantine.keep(root, name, data, "invalid")


def _revive(state: Doc, events: list[Doc], tx: Any) -> None:
    """Bring sessions back that the state has put to rest."""
    dormant = state["dormant"]
    if dormant:
        for key in dict.fromkeys(session_views.key_of(event) for event in events):
            if key in dormant:
                session_views.revive(state, key, lambda table, doc_id: tx.table(table).get(doc_id))


def _sum(one: IngestReport, other: IngestReport) -> IngestReport:
    return IngestReport(
        one.events + other.events, one.drafts + other.drafts, one.changed or other.changed,
        one.busy or other.busy,
        one.quarantined + other.quarantined, dict(Counter(one.heard) + Counter(other.heard)),
    )  # fmt: skip

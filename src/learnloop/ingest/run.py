"""Ingest: fold the journal, turn segments into documents, publish changes. Safe to interrupt anywhere."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from learnloop.errors import Busy
from learnloop.ingest import interruptions, lesson_decisions
from learnloop.ingest.apply import Applier
from learnloop.ingest.effects import TurnUnclear
from learnloop.ingest.publish import publish
from learnloop.ingest.reduce import reduce
from learnloop.learn.hear.version import DETECTOR
from learnloop.models.event import is_event
from learnloop.store import fold, quarantine, seal, segments
from learnloop.store.document_table import VIEWS
from learnloop.store.repair import Repaired
from learnloop.store.store import Store
from learnloop.wire import codec

Doc = dict[str, Any]
PER_TRANSACTION = 3
"""Segments in one transaction, of at most 10,000 events each: a crash loses that much work."""
_MOST_REPAIRS = 5


@dataclass(frozen=True)
class IngestReport:
    """The result of one ingest."""

    events: int = 0
    drafts: int = 0
    """New drafts."""
    busy: bool = False
    """Another process holds journal or store, so not everything is ingested."""
    quarantined: int = 0
    heard: dict[str, int] = field(default_factory=dict)
    """Feedback by category."""


def ingest(root: str, *, wait_s: float = 0.0) -> IngestReport:
    """Fold, ingest new events, publish changes; waits up to `wait_s` seconds for another ingest."""
    if fold.has_work(root):
        seal.ensure(root)
    lesson_decisions.are_held(root)  # before anything is written over
    folded = fold.fold(root, wait_s)
    total = IngestReport(busy=folded.busy or folded.postponed, quarantined=folded.quarantined)
    store = Store(root)
    repairs = 0
    unclear: list[TurnUnclear] = []
    while _waiting(root, store.cursor()) or (unclear and _look_up(root, unclear, wait_s)):
        try:
            total = _sum(total, transact(store, wait_s, unclear=unclear))
        except Repaired:
            repairs += 1
            if repairs > _MOST_REPAIRS:
                raise
        except Busy:
            total = _sum(total, IngestReport(busy=True))
            break
    publish(root)
    return total


def _waiting(root: str, cursor: str) -> list[str]:
    return [name for name in segments.names(root) if name > cursor]


def _look_up(root: str, unclear: list[TurnUnclear], wait_s: float) -> bool:
    """Append and fold what transcripts say of unclear turns; return whether that was anything."""
    count = interruptions.note(root, unclear)
    unclear.clear()
    if count:
        fold.fold(root, wait_s)
    return count > 0


def transact(
    store: Store, wait_s: float, source: str = "", chosen: Sequence[str] = (),
    event_ids: set[str] | None = None, unclear: list[TurnUnclear] | None = None,
) -> IngestReport:  # fmt: skip
    """Run one transaction over the next few segments, or over those `chosen` from another root, `source`.

    Adds the ids of events and the unclear turns to the collections that are passed.
    """
    root = source or store.root
    with store.transaction(wait_s=wait_s) as tx:
        names = chosen or _waiting(root, tx.cursor)[:PER_TRANSACTION]
        state = tx.state or {"detector": DETECTOR}
        applier, events, bad = Applier(tx, state.get("critical")), 0, 0
        applier.decisions.withdraw()
        for name in names:
            good, broken = _valid(root, name)
            if event_ids is not None:
                event_ids.update(event["id"] for event in good)
            with tx.taking_in(name):
                applier.apply(reduce(state, good, tx.documents(VIEWS), root))
            events, bad = events + len(good), bad + broken
        state["critical"] = applier.critical()  # without what is ahead of these events
        applier.decisions.restore()
        tx.state = state
        tx.cursor = names[-1] if names else tx.cursor
    _keep_bad(root, "decisions", applier.decisions.bad)
    for aside in applier.set_aside:
        quarantine.keep(root, aside.source, aside.words.encode("utf-8", "replace"), aside.reason)
    if unclear is not None:
        unclear += applier.unclear
    return IngestReport(
        events, applier.drafts,
        quarantined=bad + len(applier.decisions.bad) + len(applier.set_aside),
        heard=dict(applier.heard),
    )  # fmt: skip


def _valid(root: str, name: str) -> tuple[list[Doc], int]:
    """Return the events of a segment, and how many lines were quarantined because they are none."""
    good: list[Doc] = []
    bad: list[Doc] = []
    for record in segments.read(root, name):
        if record["kind"] in seal.KINDS and is_event(record):
            record["fault"] = seal.fault(root, record, name)
        (good if is_event(record) else bad).append(record)
    _keep_bad(root, f"events/{name}", bad)
    return good, len(bad)


def _keep_bad(root: str, name: str, bad: Iterable[Doc]) -> None:
    data = b"".join(codec.encode(record).encode() + b"\n" for record in bad)
    if data:
        quarantine.keep(root, name, data, "invalid")


def _sum(total: IngestReport, report: IngestReport) -> IngestReport:
    return IngestReport(
        total.events + report.events, total.drafts + report.drafts,
        total.busy or report.busy,
        total.quarantined + report.quarantined, dict(Counter(total.heard) + Counter(report.heard)),
    )  # fmt: skip

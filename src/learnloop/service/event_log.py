"""Append decisions and discoveries to the journal, durably, with one rule for errors.

A decision takes effect in the same call. Other events, as discoveries, are ingested.
"""

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from learnloop.errors import Busy, LearnloopError, Refused
from learnloop.learn.lessons import claims
from learnloop.models import Decision
from learnloop.models.decision import DecisionPlace
from learnloop.service import place, workspace
from learnloop.service.workspace import Workspace
from learnloop.store import seal
from learnloop.wire import event

if TYPE_CHECKING:
    from learnloop.wire.event import Record

WAIT_S = 15.0
"""How long to wait for another process's transaction, which takes in three segments at most."""


def decide(ws: Workspace, action: str, lesson_ids: Sequence[str], args: Mapping[str, Any]) -> Decision:
    """Append a decision, which takes effect at once; returns the decision that was appended.

    Raises Refused where nothing can be written, and as `settle`.
    """
    record = decision_record(ws.by, action, lesson_ids, args)
    append(ws, [record])
    settle(ws)
    return as_decision(record)


def decision_record(
    by: str, action: str, lesson_ids: Sequence[str], args: Mapping[str, Any], *, event_id: str = "",
    ms: int | None = None, where: DecisionPlace | None = None,
) -> "Record":  # fmt: skip
    """The event of a decision made here, with a new id and the present time unless others are given."""
    where = place.here() if where is None else where
    door = "plugin" if where.agent and by != claims.STANDING else by
    payload = {
        "action": action, "lesson_ids": list(lesson_ids), "args": dict(args), "by": by,
        "door": door, "place": where.as_json(),
    }  # fmt: skip
    return event.record(
        "decision", host="learnloop", session_id=by, cwd="", project="", payload=payload, ts_ms=ms,
        event_id=event_id,
    )  # fmt: skip


def as_decision(record: "Record") -> Decision:
    """The decision in an event."""
    return Decision(id=record["id"], ts=record["ts"], **record["payload"])


def append(ws: Workspace, records: "Sequence[Record]") -> None:
    """Append events durably, in one piece, decisions sealed; Refused where the disk does not take them."""
    if records and not seal.append(ws.root, list(records)):
        raise Refused(f"nothing could be written under {ws.root}", "check free space and permissions")


def settle(ws: Workspace) -> None:
    """Let appended decisions take effect: in the documents, and in the index of the hooks.

    Those that a busy store does not take are kept, and whatever runs next makes up for it. Raises Refused
    where that fails otherwise.
    """
    from learnloop.ingest import decided
    from learnloop.store.repair import Repaired

    with _kept(), contextlib.suppress(Busy):
        try:
            decided.take(ws.root, WAIT_S)
        except Repaired:
            workspace.ingest(ws, wait_s=WAIT_S)
        workspace.check_journal(ws)


def ingest(ws: Workspace, wait_s: float) -> None:
    """Ingest what was appended; whoever holds the lock of a busy store takes it along.

    Raises Refused where ingest fails: the events are kept, but the index of the hooks is older.
    """
    with _kept(), contextlib.suppress(Busy):
        workspace.ingest(ws, wait_s=wait_s)


@contextlib.contextmanager
def _kept() -> Iterator[None]:
    """A failure after events were appended."""
    try:
        yield
    except (LearnloopError, OSError) as error:
        raise Refused("it is kept, but agents do not get it yet", f"run learn doctor ({error})") from error

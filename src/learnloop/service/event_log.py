"""Append decisions and discoveries to the journal and ingest them, with one rule for errors.

An event is durable once it is appended, and readers lay decisions over the store before ingest has seen them.
"""

from collections.abc import Mapping, Sequence
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

_WAIT_S = {"cli": 5.0, "console": 0.5}
"""How long to wait for another process's ingest, by who decides."""


def decide(ws: Workspace, action: str, lesson_ids: Sequence[str], args: Mapping[str, Any]) -> Decision:
    """Append a decision and ingest it; returns the decision that was appended.

    Raises Refused where nothing can be written, and where ingest fails (the decision is kept then).
    """
    record = decision_record(ws.by, action, lesson_ids, args)
    append(ws, [record])
    ingest(ws)
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


def ingest(ws: Workspace, wait_s: float | None = None) -> None:
    """Ingest what was appended; whoever holds the lock of a busy store takes it along.

    Raises Refused where ingest fails: the events are kept, but the index of the hooks is older.
    """
    try:
        workspace.ingest(ws, wait_s=_WAIT_S.get(ws.by, 1.0) if wait_s is None else wait_s)
    except Busy:
        return
    except (LearnloopError, OSError) as error:
        raise Refused("it is kept, but agents do not get it yet", f"run learn doctor ({error})") from error

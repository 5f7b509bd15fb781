"""Documents of lessons and decisions that were edited by hand: found by their seals, held as claimed."""

import hashlib
import json
from typing import Any

from learnloop.errors import Busy
from learnloop.ingest.lesson_decisions import AHEAD, LessonDecisions
from learnloop.learn.lessons import claims
from learnloop.models import Decision
from learnloop.store import seal
from learnloop.store.repair import Repaired
from learnloop.store.store import Store
from learnloop.store.tinydb_file import public_fields
from learnloop.wire import clock

Doc = dict[str, Any]
_WAIT_S = 2.0
_MOST_REPAIRS = 5


def are_held(root: str) -> bool:
    """Hold what was edited by hand since the last transaction; False where another process has the store.

    A store that was never sealed is sealed as it is.
    """
    if not seal.is_touched(root):
        return True
    for _ in range(_MOST_REPAIRS):
        try:
            with Store(root).transaction(wait_s=_WAIT_S) as tx:
                hold(tx)
        except Repaired:
            continue
        except Busy:
            return False
        return True
    return False


def hold(tx: Any) -> None:
    """The same within a transaction."""
    if not seal.is_touched(tx.root):
        return
    lessons, decisions = tx.table("lessons"), tx.table("decisions")
    if not tx.written["written"]:
        lessons.seal_all()
        decisions.seal_all()
        return
    edited = [_held(key, lessons.peek(key)) for key in lessons.all() if not lessons.is_sealed(key)]
    forged = [key for key in decisions.all() if not decisions.is_sealed(key)]
    for key in forged:
        doc = decisions.get(key)
        decisions.put(key, {**doc, "claimed": doc.get("claimed") or claims.BY_HAND})
    for decision in edited:
        decisions.put(decision.id, decision.as_json())
    touched = [*edited, *(Decision.model_validate(public_fields(decisions.get(key))) for key in forged)]
    if touched:
        table = LessonDecisions(lessons, decisions)
        table.decide(AHEAD, touched)


def _held(lesson_id: str, doc: Doc) -> Decision:
    """The claim on a lesson whose document was edited."""
    ts = clock.iso(clock.now_ms())
    name = hashlib.sha256(json.dumps([lesson_id, doc], sort_keys=True).encode()).hexdigest()[:32]
    return Decision(
        id=name, ts=ts, action="edit", lesson_ids=(lesson_id,), by=claims.HAND, claimed=claims.BY_HAND
    )

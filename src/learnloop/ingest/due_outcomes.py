"""The outcome of telling a lesson that says what goes with a change: due, settled, or left open.

Done after the change, or before it in the same turn, it is `heeded`. Left open where the agent says it is
done, it is `ignored`, until it is done later in the session: then it is `heeded` after all. It stays
`ignored` once the person had to complain. Calls of all agents of a session settle; those of agents that were
told it make something due.
"""

from typing import Any

from learnloop.ingest.effects import CallMade, ClaimMade, LessonRecalled
from learnloop.ingest.tellings import BROKEN_IN, TELLINGS, Outcome, noted, with_outcome
from learnloop.learn.lessons import acts

Doc = dict[str, Any]
DUES = "_dues"
"""By session that was told: {open: what was changed, ahead: the turn that settled it before, late: the
outcome before it was left open}."""


def with_recall(doc: Doc, recall: LessonRecalled) -> Doc:
    """The lesson after it was shown; a reminder says that it is due."""
    if not recall.is_reminder or _of(doc, recall.session_id).get("open"):
        return doc
    return _with(doc, recall.session_id, open="what it is due after")


def with_call(doc: Doc, event: CallMade, *, is_told: bool) -> Doc:
    """The lesson after a call of a session in which it was told, perhaps to another agent."""
    session_id, side = event.session_id, acts.due_side(doc, event.call)
    if not side or session_id not in (doc.get(TELLINGS) or {}):
        return doc
    if is_told and acts.is_broken(doc, event.call):
        doc = _with(doc, session_id, late="")
    state = _of(doc, session_id)
    if side != "opens":
        ahead = event.turn_id if side == "file" else state.get("ahead", "")
        settled = _settled(doc, session_id) if state.get("open") else doc
        return _with(settled, session_id, open="", ahead=ahead)
    if not is_told or state.get("open"):
        return doc
    if state.get("ahead") == event.turn_id:
        return with_outcome(doc, session_id, "heeded")
    return _with(doc, session_id, open=event.call.file or event.call.command)


def with_claim(doc: Doc, claim: ClaimMade) -> Doc:
    """The lesson after an agent that was told it said that it is done."""
    session_id = claim.session_id
    state, before = _of(doc, session_id), (doc.get(TELLINGS) or {}).get(session_id)
    if not state.get("open") or before in (None, "ignored"):
        return doc
    notes = noted(doc, "ignored", claim.ts, session_id, state["open"])
    left = {**doc, "notes": notes, BROKEN_IN: claim.turn_id}
    return _with(with_outcome(left, session_id, "ignored"), session_id, late=before)


def with_complaint(doc: Doc, session_id: str) -> Doc:
    """The lesson after the person complained about it: what was left open stays ignored."""
    return _with(doc, session_id, late="") if _of(doc, session_id).get("late") else doc


def _settled(doc: Doc, session_id: str) -> Doc:
    """The lesson after what was due is done; one that was left open is heeded after all."""
    late: Outcome | None = _of(doc, session_id).get("late")
    if not late:
        return with_outcome(doc, session_id, "heeded")
    notes = [
        note
        for note in doc.get("notes") or ()
        if (note["kind"], note["session_id"]) != ("ignored", session_id)
    ]
    outcome: Outcome = "heeded" if late == "open" else late
    after = with_outcome({**doc, "notes": notes}, session_id, outcome, instead_of="ignored")
    return _with(after, session_id, late="")


def _of(doc: Doc, session_id: str) -> Doc:
    state: Doc = (doc.get(DUES) or {}).get(session_id) or {}
    return state


def _with(doc: Doc, session_id: str, **changes: str) -> Doc:
    """The lesson with a session's changed state; of sessions that are no longer counted it keeps none."""
    state = {name: value for name, value in {**_of(doc, session_id), **changes}.items() if value}
    if state == _of(doc, session_id):
        return doc
    told = doc.get(TELLINGS) or {}
    states = {**(doc.get(DUES) or {}), session_id: state}
    return {**doc, DUES: {name: value for name, value in states.items() if value and name in told}}

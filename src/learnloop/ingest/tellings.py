"""The outcome of telling a lesson: one for each session that was told it, kept in the stored lesson.

`ignored`: a call broke its check afterwards, or an agent said that it is done with something due.
`corrected`: the person complained about the same thing. `heeded`: what is asked for instead happened, what
was due was done, or a call that breaks it was stopped and left. `open`: nothing showed either. Of several the
first in this order counts; what was left open and is done later in the session is heeded after all, unless
the person had to complain. Calls of all agents settle; those of agents that were told it make something due.
Events come in their order, so any cut of the stream gives the same outcomes.
"""

from typing import Any, Literal

from learnloop.ingest.effects import CallMade, ClaimMade, CommandRan, LessonRecalled, PersonComplained
from learnloop.learn.lessons import acts, repeats
from learnloop.models import usage_counts
from learnloop.wire import check_memory

Doc = dict[str, Any]
Outcome = Literal["open", "heeded", "corrected", "ignored"]
TELLINGS = "_tellings"
"""The outcome by session, of the last sessions that were told."""
BROKEN_IN = "_broken_in"
"""The last turn of a told session in which its check was broken."""
COMPLAINTS = "_complained"
"""The times of the last complaints by their events, each counted once."""
DUES = "_dues"
"""By session that was told: {open: what was changed, ahead: the turn that settled it before, late: the
outcome before it was left open, stopped: a call that breaks it was}."""
_RANKS: dict[Outcome, int] = {"open": 0, "heeded": 1, "corrected": 2, "ignored": 3}
_MOMENTS = {"heeded": "held", "ignored": "broken"}
"""What is counted each time that an outcome is seen."""
_SESSIONS, _LAST, _NOTES, _WORDS = 20, 50, 5, 300


def with_recall(doc: Doc, recall: LessonRecalled) -> Doc:
    """The lesson after it was told, perhaps with a call that was denied."""
    ts, session_id, stopped = recall.ts, recall.session_id, recall.stopped
    usage = counted(doc, "recalled")
    usage["last_recalled"] = max(usage.get("last_recalled") or "", ts)
    recalled = {**doc, "usage": usage}
    tellings = dict(doc.get(TELLINGS) or {})
    if session_id and session_id not in tellings:
        tellings[session_id] = "open"
        recalled[TELLINGS] = dict(list(tellings.items())[-_SESSIONS:])
        recalled["usage"] = counted(recalled, "told_sessions")
    if stopped:
        recalled["usage"] = counted(recalled, "stopped")
    if stopped and (recall.is_unwanted or acts.breach(doc, stopped)):
        return _with_due(with_outcome(recalled, session_id, "heeded"), session_id, stopped="yes")
    if not recall.is_reminder or _due(recalled, session_id).get("open"):
        return recalled
    return _with_due(recalled, session_id, open="what it is due after")


def with_call(doc: Doc, event: CallMade, *, is_told: bool) -> Doc:
    """The lesson after a call of a session in which it was told, perhaps to another agent."""
    judged = _with_act(doc, event) if is_told else doc
    session_id, side = event.session_id, acts.due_side(judged, event.call)
    if not side or session_id not in (judged.get(TELLINGS) or {}):
        return judged
    if is_told and acts.breach(judged, event.call):
        judged = _with_due(judged, session_id, late="")
    state = _due(judged, session_id)
    if side != "opens":
        ahead = event.turn_id if side == "file" else state.get("ahead", "")
        settled = _settled(judged, session_id) if state.get("open") else judged
        return _with_due(settled, session_id, open="", ahead=ahead)
    if not is_told or state.get("open"):
        return judged
    if state.get("ahead") == event.turn_id:
        return with_outcome(judged, session_id, "heeded")
    return _with_due(judged, session_id, open=event.call.file or event.call.command)


def _with_act(doc: Doc, event: CallMade) -> Doc:
    """The lesson after a call that breaks it, or that does what it asks for instead."""
    call, session_id = event.call, event.session_id
    hit = acts.breach(doc, call)
    if not hit:
        return with_outcome(doc, session_id, "heeded") if acts.is_kept(doc, call) else doc
    if check_memory.is_ordered(hit, event.prompt):
        return {**doc, "usage": counted(doc, "ordered")}
    broken = {**doc, BROKEN_IN: event.turn_id}
    if _due(doc, session_id).get("stopped"):  # it was not left
        broken["usage"] = {**counted(doc, "held", -1), "retried": (doc["usage"].get("retried") or 0) + 1}
        broken = _with_due(broken, session_id, stopped="")
    if (doc.get(TELLINGS) or {}).get(session_id) != "ignored":
        broken["notes"] = noted(doc, "ignored", event.ts, session_id, call.command or call.file)
    return with_outcome(broken, session_id, "ignored")


def with_claim(doc: Doc, claim: ClaimMade) -> Doc:
    """The lesson after an agent that was told it said that it is done."""
    session_id = claim.session_id
    state, before = _due(doc, session_id), (doc.get(TELLINGS) or {}).get(session_id)
    if not state.get("open") or before in (None, "ignored"):
        return doc
    notes = noted(doc, "ignored", claim.ts, session_id, state["open"])
    left = {**doc, "notes": notes, BROKEN_IN: claim.turn_id}
    return _with_due(with_outcome(left, session_id, "ignored"), session_id, late=before)


def with_breach(doc: Doc, run: Doc, place: str) -> Doc:
    """The lesson after a turn that broke it as the model says that judged it, counted once a turn."""
    session_id, turn_id = str(run["session_id"]), run["turn_id"]
    if doc.get(BROKEN_IN) == turn_id:
        return doc
    notes = noted(doc, "ignored", str(run["started"]), session_id, place)
    broken = {**doc, BROKEN_IN: turn_id, "notes": notes}
    if session_id in (doc.get(TELLINGS) or {}):
        return with_outcome(broken, session_id, "ignored")
    return {**broken, "usage": counted(doc, "broken")}


def with_command(doc: Doc, command: CommandRan) -> Doc:
    """The lesson after the person's own command ran at the end of a turn."""
    outcome: Outcome = "heeded" if command.passed else "ignored"
    if command.session_id in (doc.get(TELLINGS) or {}):
        return with_outcome(doc, command.session_id, outcome)
    return {**doc, "usage": counted(doc, _MOMENTS[outcome])}


def with_complaint(doc: Doc, event_id: str, ts: str, session_id: str, quote: str) -> Doc:
    """An active lesson after the person complained about what it says."""
    is_earlier = ts < (doc.get("reviewed_at") or "")
    if doc.get("status") != "active" or is_earlier or event_id in doc.get(COMPLAINTS, ()):
        return doc
    complaints = {**doc.get(COMPLAINTS, {}), event_id: ts}
    complained = {
        **doc,
        "usage": counted(doc, "recurred"),
        "notes": noted(doc, "came_back", ts, session_id, quote),
        COMPLAINTS: dict(list(complaints.items())[-_LAST:]),
    }
    judged = with_outcome(complained, session_id, "corrected")
    return _with_due(judged, session_id, late="") if _due(judged, session_id).get("late") else judged


def has_complaint(doc: Doc | None, complaint: PersonComplained) -> bool:
    """Whether a complaint was tied to a lesson."""
    return complaint.event_id in (doc or {}).get(COMPLAINTS, ())


def is_about(doc: Doc, complaint: PersonComplained, *, is_shown: bool) -> bool:
    """Whether a complaint is about what a lesson says; where it was not shown, only plain repeats are."""
    words = str(doc.get("statement", ""))
    is_repeat = repeats.repeats(complaint.words, words)
    if complaint.is_plain and (is_repeat or (is_shown and repeats.restates(complaint.words, words))):
        return True
    is_broken = bool(complaint.turn_id) and doc.get(BROKEN_IN) == complaint.turn_id
    is_broken = is_broken or any(acts.breach(doc, call) for call in complaint.calls)
    is_meant = repeats.may_be_about if complaint.is_plain else repeats.reminds
    return is_broken and is_meant(complaint.words, words)


def counted(doc: Doc, name: str, more: int = 1) -> Doc:
    """The lesson's counts with one more of a name."""
    usage = usage_counts.current(doc.get("usage") or {})
    return {**usage, name: usage.get(name, 0) + more}


def noted(doc: Doc, kind: str, ts: str, session_id: str, words: str) -> list[Doc]:
    """The lesson's notes with one more; only the last few stay."""
    note = {"kind": kind, "ts": ts, "session_id": session_id, "words": words[:_WORDS]}
    return [*(doc.get("notes") or ()), note][-_NOTES:]


def with_outcome(doc: Doc, session_id: str, outcome: Outcome, *, instead_of: str = "") -> Doc:
    """The lesson with a session's outcome, unless that has a stronger one already, or only one in place of
    which this one may come."""
    tellings = doc.get(TELLINGS) or {}
    before: Outcome | None = tellings.get(session_id)
    if before and (moment := _MOMENTS.get(outcome)):
        doc = {**doc, "usage": counted(doc, moment)}
    if before is None or (before != instead_of and _RANKS[outcome] <= _RANKS[before]):
        return doc
    usage = counted(doc, outcome)
    if before != "open":
        usage[before] -= 1
    return {**doc, "usage": usage, TELLINGS: {**tellings, session_id: outcome}}


def _settled(doc: Doc, session_id: str) -> Doc:
    """The lesson after what was due is done; one that was left open is heeded after all."""
    late: Outcome | None = _due(doc, session_id).get("late")
    if not late:
        return with_outcome(doc, session_id, "heeded")
    notes = [
        note
        for note in doc.get("notes") or ()
        if (note["kind"], note["session_id"]) != ("ignored", session_id)
    ]
    outcome: Outcome = "heeded" if late == "open" else late
    after = with_outcome({**doc, "notes": notes}, session_id, outcome, instead_of="ignored")
    return _with_due(after, session_id, late="")


def _due(doc: Doc, session_id: str) -> Doc:
    state: Doc = (doc.get(DUES) or {}).get(session_id) or {}
    return state


def _with_due(doc: Doc, session_id: str, **changes: str) -> Doc:
    """The lesson with a session's changed state; of sessions that are no longer counted it keeps none."""
    state = {name: value for name, value in {**_due(doc, session_id), **changes}.items() if value}
    if state == _due(doc, session_id):
        return doc
    told = doc.get(TELLINGS) or {}
    states = {**(doc.get(DUES) or {}), session_id: state}
    return {**doc, DUES: {name: value for name, value in states.items() if value and name in told}}

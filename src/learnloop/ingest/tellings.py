"""The outcome of telling a lesson: one for each session that was told it, kept in the stored lesson.

`ignored`: its unwanted act happened afterwards. `corrected`: the person complained about the same thing.
`heeded`: a wanted act happened, or an unwanted one was stopped and left. `open`: nothing showed either.
Of several the first in this order counts. Events come in their order, so any cut of the stream gives the
same outcomes.
"""

from typing import Any, Literal

from learnloop.ingest.effects import LessonRecalled, PersonComplained
from learnloop.learn.lessons import acts, repeats
from learnloop.models import usage_counts

Doc = dict[str, Any]
Outcome = Literal["open", "heeded", "corrected", "ignored"]
TELLINGS = "_tellings"
"""The outcome by session, of the last sessions that were told."""
BROKEN_IN = "_broken_in"
"""The last turn of a told session with an unwanted act."""
COMPLAINTS = "_complained"
"""The times of the last complaints by their events, each counted once."""
_RANKS: dict[Outcome, int] = {"open": 0, "heeded": 1, "corrected": 2, "ignored": 3}
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
    if stopped and (recall.is_unwanted or acts.is_broken(doc, stopped)):
        return with_outcome(recalled, session_id, "heeded")
    return recalled


def with_call(doc: Doc, ts: str, session_id: str, turn_id: str, call: acts.AgentCall) -> Doc:
    """The lesson after an agent that was told it made a call."""
    if acts.is_broken(doc, call):
        broken = {**doc, BROKEN_IN: turn_id}
        if (doc.get(TELLINGS) or {}).get(session_id) != "ignored":
            broken["notes"] = noted(doc, "ignored", ts, session_id, call.command or call.file)
        return with_outcome(broken, session_id, "ignored")
    return with_outcome(doc, session_id, "heeded") if acts.is_kept(doc, call) else doc


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
    return with_outcome(complained, session_id, "corrected")


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
    is_broken = is_broken or any(acts.is_broken(doc, call) for call in complaint.calls)
    is_meant = repeats.may_be_about if complaint.is_plain else repeats.reminds
    return is_broken and is_meant(complaint.words, words)


def counted(doc: Doc, name: str) -> Doc:
    """The lesson's counts with one more of a name."""
    usage = usage_counts.current(doc.get("usage") or {})
    return {**usage, name: usage.get(name, 0) + 1}


def noted(doc: Doc, kind: str, ts: str, session_id: str, words: str) -> list[Doc]:
    """The lesson's notes with one more; only the last few stay."""
    note = {"kind": kind, "ts": ts, "session_id": session_id, "words": words[:_WORDS]}
    return [*(doc.get("notes") or ()), note][-_NOTES:]


def with_outcome(doc: Doc, session_id: str, outcome: Outcome, *, instead_of: str = "") -> Doc:
    """The lesson with a session's outcome, unless that has a stronger one already, or only one in place of
    which this one may come."""
    tellings = doc.get(TELLINGS) or {}
    before: Outcome | None = tellings.get(session_id)
    if before is None or (before != instead_of and _RANKS[outcome] <= _RANKS[before]):
        return doc
    usage = counted(doc, outcome)
    if before != "open":
        usage[before] -= 1
    return {**doc, "usage": usage, TELLINGS: {**tellings, session_id: outcome}}

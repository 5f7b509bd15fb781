"""What may be learned from a person's words: drafts of the sentences that carry a lesson."""

from typing import Any, NamedTuple

from learnloop.ingest import recent_calls, turns
from learnloop.ingest.running import SessionView
from learnloop.ingest.statement_index import ORIGIN
from learnloop.learn.hear import candidates, prompts
from learnloop.learn.hear.prompts import Detection
from learnloop.learn.language import words as own_words
from learnloop.learn.lessons import drafts, fingerprint
from learnloop.learn.offers import injection_flags

Doc = dict[str, Any]
_FROM_OTHERS = 3
"""Drafts of a prompt that somebody else may have written."""


class Learned(NamedTuple):
    """Drafts, or a sighting of what becomes one once it is repeated."""

    drafts: list[Doc]
    sighting: Doc | None = None
    """{key, lesson}: the fingerprint, and the draft to make."""


def from_prompt(view: SessionView, event: Doc, words: str, detection: Detection, state: Doc) -> Learned:
    """Return the drafts of a prompt's sentences, from the likeliest on."""
    if prompts.is_of_harness(words):
        return Learned([])
    own = own_words.own_words(words)
    ranked = candidates.ranked(own, view["prompts"] + 1)
    before = _before(view, event, state)
    chosen = [_lesson(own, candidate, event, before) for candidate in candidates.chosen(own, ranked)]
    is_remark = detection.verdict is not None and detection.verdict.category in prompts.CORRECTING
    if chosen:
        return Learned(chosen)
    seen = ranked[0] if is_remark and ranked and ranked[0].chance >= candidates.LEAST_SIGHTING else None
    return Learned([], _sighting(_lesson(own, seen, event, before), seen.sentence) if seen else None)


def from_refusal(view: SessionView, event: Doc, words: str, state: Doc) -> list[Doc]:
    """Return the draft of a refusal's likeliest sentence: whoever refuses a call says why."""
    return _likeliest(view, event, words, state)


def from_unmarked(view: SessionView, event: Doc, state: Doc) -> list[Doc]:
    """Return the draft of what looks like a refusal with words, and may be what a tool printed."""
    words = event["payload"].get("words", "")
    drafts = _likeliest(view, event, words, state)
    return [_foreign(draft, "the client does not mark them as your refusal", words) for draft in drafts]


def from_others(view: SessionView, event: Doc, words: str, reason: str, state: Doc) -> list[Doc]:
    """Return the drafts of a prompt that the person may not have written; it judges nothing."""
    nothing = Detection(None, 0.0, 0.0, "", None)
    return of_others(from_prompt(view, event, words, nothing, state), event, reason).drafts


def of_others(learned: Learned, event: Doc, reason: str) -> Learned:
    """Return the same as words that may be somebody else's: nothing of it is a sighting."""
    whole = event["payload"].get("prompt", "")
    return Learned([_foreign(draft, reason, whole) for draft in learned.drafts[:_FROM_OTHERS]])


def _foreign(draft: Doc, reason: str, whole: str) -> Doc:
    """Return a draft whose words may be anybody's, with the reason and all of what they stood in."""
    evidence = [{**seen, "whole": whole} for seen in draft["evidence"]]
    reason = injection_flags.flagged(f"Perhaps not your words: {reason}.", whole)
    return {**draft, "trust": "external", "context": reason, "evidence": evidence}


def _likeliest(view: SessionView, event: Doc, words: str, state: Doc) -> list[Doc]:
    own = own_words.own_words(words)
    before = {**_before(view, event, state), "refusal": words}
    for name, target in (("files", "file"), ("commands", "command")):  # that the call was about to touch
        if event["payload"].get(target):
            before[name] = [*before.get(name, ()), event["payload"][target]]
    likeliest = candidates.ranked(own, view["prompts"] + 1)[:1]
    return [_lesson(own, candidate, event, before) for candidate in likeliest]


def _before(view: SessionView, event: Doc, state: Doc) -> Doc:
    """Return the turn before a remark, with the project's newest calls, which triggers are tried on."""
    return {**turns.before(view), "history": recent_calls.of(state, event.get("project", ""))}


def _lesson(own: own_words.OwnWords, candidate: candidates.ScoredSentence, event: Doc, before: Doc) -> Doc:
    draft = drafts.draft_from_candidate(
        own, candidate, event_id=event["id"], ts=event["ts"], session_id=event["session_id"],
        project=event.get("project", ""), before=before,
    )  # fmt: skip
    return {**turns.from_event(draft.as_json(), event), ORIGIN: event.get("project", "")}


def _sighting(lesson: Doc, sentence: str) -> Doc | None:
    if len(fingerprint.remark_words(sentence)) < 2:
        return None
    return {"key": fingerprint.remark_fingerprint(sentence, lesson[ORIGIN]), "lesson": lesson}

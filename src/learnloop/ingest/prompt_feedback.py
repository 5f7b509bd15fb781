"""A person's words become feedback on the turn before them, and what may be learned from it."""

from dataclasses import replace
from typing import Any, NamedTuple

from learnloop.ingest import recent_calls, turns
from learnloop.ingest.effects import FeedbackHeard
from learnloop.ingest.running import RunningTurn, SessionView
from learnloop.ingest.statement_index import ORIGIN
from learnloop.learn.hear import candidates, outcomes, prompts
from learnloop.learn.hear.prompts import Detection
from learnloop.learn.language import words as own_words
from learnloop.learn.lessons import drafts, meaning
from learnloop.learn.offers import injection_flags
from learnloop.learn.tasks import continuations

Doc = dict[str, Any]
APPROVAL = prompts.PromptVerdict("praise", 0.8, "begins with approval", "approval", "success")
"""What a prompt says that begins with approval, as `great, that works. commit it`."""
TAKEN_BACK = prompts.PromptVerdict("correction", 0.8, "approves, then says what is wrong", "but", "revision")


def detected(view: SessionView, words: str, *, steering: bool) -> prompts.Detection:
    """Return what the detector makes of a prompt after the last turn, or in the running one (`steering`)."""
    turn = view["turn"]
    context = prompts.Context(
        position=view["prompts"] or int(turn is not None),
        interrupted=turn is not None and _is_cut_off(turn),
        failed=turn is not None and turn["end"] == "failed",
        steering=steering,
        asked=turn is not None and not steering and turn["claim"].rstrip().endswith("?"),
        edited=turn is not None and bool(turn["files"]),
        previous=turns.task(turn)[:500] if turn else "",
    )
    return prompts.detect_feedback(words, context)


def from_prompt(
    view: SessionView, event: Doc, words: str, detection: prompts.Detection
) -> FeedbackHeard | None:
    """Return what a prompt says about the turn; None if it is no feedback."""
    turn = view["turn"]
    is_over = turn is not None and bool(turn.get("ended"))
    verdict = APPROVAL if is_over and _approves(words, detection.verdict) else detection.verdict
    if verdict is None:
        return None
    if verdict.category == "praise" and continuations.takes_back(words):
        verdict = TAKEN_BACK
    return _feedback(view, event, words, verdict, detection.feedback)


def _approves(words: str, verdict: prompts.PromptVerdict | None) -> bool:
    """Whether a prompt is approval for all that the detector makes of it; an order may follow."""
    is_revised = verdict is not None and verdict.event_type in ("revision", "cancellation")
    if verdict is not None and not is_revised:
        return verdict.category == "praise" and continuations.orders_more(words)
    if prompts.MANNERS.fullmatch(words):
        return False
    approves = continuations.only_approves if is_revised else continuations.approves
    return approves(words)


def _is_cut_off(turn: RunningTurn) -> bool:
    """Whether a turn was stopped. A client that gives prompts an id reports every other end."""
    is_left = turn["end"] == "unfinished" and turn["prompt_id"] and turn.get("ended")
    return turn["end"] == "interrupted" or bool(is_left)


def from_refusal(view: SessionView, event: Doc) -> FeedbackHeard | None:
    """Return what a refused call says about its turn; without words only the first one counts."""
    words = event["payload"].get("words", "")
    earlier = view["turn"]["refusals"][:-1] if view["turn"] else []
    if any(not words or other["words"] == words for other in earlier):
        return None
    verdict = prompts.judge_refusal(words)
    if not words.strip():  # only that it was stopped is known
        verdict = replace(verdict, confidence=outcomes.UNDONE_CONFIDENCE)
    return _feedback(view, event, words, verdict)


def _feedback(
    view: SessionView, event: Doc, words: str, verdict: prompts.PromptVerdict,
    probability: float = 1.0,
) -> FeedbackHeard:  # fmt: skip
    turn = view["turn"]
    doc = turns.outcome_document(turn, event, verdict, words)
    doc["probability"] = probability
    heard = FeedbackHeard(doc)
    if turn:
        turns.take(turn, heard)
    return heard


_FROM_OTHERS = 3
"""Drafts of a prompt that somebody else may have written."""


class Learned(NamedTuple):
    """Drafts, or a sighting of what becomes one once it is repeated."""

    drafts: list[Doc]
    sighting: Doc | None = None
    """{key, lesson}: the fingerprint, and the draft to make."""


def lessons_from_prompt(
    view: SessionView, event: Doc, words: str, detection: Detection, state: Doc
) -> Learned:
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


def lessons_from_refusal(view: SessionView, event: Doc, words: str, state: Doc) -> list[Doc]:
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
    return of_others(lessons_from_prompt(view, event, words, nothing, state), event, reason).drafts


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
    if len(meaning.remark_words(sentence)) < 2:
        return None
    return {"key": meaning.remark_fingerprint(sentence, lesson[ORIGIN]), "lesson": lesson}

"""Which drafts the queue folds away by themselves: weak ones and those that need words. Pure.

The border of weak follows the person's verdicts on present lessons, so undoing one undoes its effect here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from learnloop.learn.lessons import origins, scorer

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

GUESSED = ("prompt", "recurring", "message")
"""Origins of drafts that nobody meant as lessons: the weak ones among them are folded."""
LEAST_SURE = 65
"""Below this strength what a model read is folded: readers approved 67 of 73 from it on, 27 of 38 below."""
ENOUGH, ACCEPTED = 20, 0.2
"""So many verdicts on drafts below a step, of which so small a share was accepted, fold what is below it."""
ENOUGH_WEAK, KEPT = 10, 0.8
"""So many verdicts on weak drafts, and so large a share of them kept, unfold the better of the weak ones."""
_STEPS = (60, 65, 70, 75, 80, 85, 90)
_JUDGED = ("said:", "repeated", "synthesis", "block:")


class Draft(NamedTuple):
    """What folding a draft depends on."""

    origin: str
    needs_words: bool
    seen: int
    strength: int
    claimed: str


def why_folded(draft: Draft, least: int) -> str:
    """Why a draft is folded: `weak`, `words`; empty where it is not."""
    if draft.claimed:
        return ""
    if draft.origin == "synthesis":
        return "weak" if draft.strength < LEAST_SURE else ""
    if draft.origin not in GUESSED:
        return ""
    if draft.needs_words and draft.seen < 2:
        return "words"
    return "weak" if draft.strength < least else ""


def least_strength(docs: Iterable[Mapping[str, Any]]) -> int:
    """The strength, 0–100, below which drafts are folded for this person: at first those that are weak.

    It rises to the highest of a few steps below which at least 20 drafts have a verdict and fewer than one in
    five was accepted. It falls where at least 10 weak drafts have a verdict and four in five were accepted.
    """
    judged = list(filter(None, map(_verdict, docs)))
    limit = scorer.MAYBE
    for step in _STEPS:
        below = [accepted for strength, accepted in judged if strength < step]
        if len(below) >= ENOUGH and sum(below) < ACCEPTED * len(below):
            limit = max(limit, step)
    weak = [accepted for strength, accepted in judged if strength < scorer.MAYBE]
    if len(weak) >= ENOUGH_WEAK and sum(weak) >= KEPT * len(weak):
        limit = min(limit, scorer.WEAK)
    return limit


def _verdict(doc: Mapping[str, Any]) -> tuple[int, bool] | None:
    """The strength of a lesson that was drafted, and whether it was accepted; None before a verdict."""
    if not str(doc.get("source", "")).startswith(_JUDGED) or doc.get("archived_reason") == "expired":
        return None
    status = doc.get("status")
    accepted = status == "active" or (status == "archived" and bool(doc.get("reviewed_at")))
    return (_strength(doc), accepted) if accepted or status == "rejected" else None


def _strength(doc: Mapping[str, Any]) -> int:
    seen, trust = int(doc.get("seen_count", 1)), str(doc.get("trust", "user"))
    return scorer.strength(float(doc.get("confidence", 0.5)), seen, trust)


def unfolded(docs: Iterable[dict[str, Any]], least: int) -> list[dict[str, Any]]:
    """Those of the stored lessons that are drafts and not folded."""
    return [doc for doc in docs if doc.get("status") == "draft" and not why_folded(_stored(doc), least)]


def _stored(doc: Mapping[str, Any]) -> Draft:
    return Draft(
        origin=origins.origin_of(str(doc.get("source", ""))), needs_words=bool(doc.get("needs_words")),
        seen=int(doc.get("seen_count", 1)), strength=_strength(doc),
        claimed="claimed" if doc.get("claims") else "",
    )  # fmt: skip

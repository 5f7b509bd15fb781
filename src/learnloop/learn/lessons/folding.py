"""Which drafts the queue folds away: weak ones, those that need words, those of muted rules. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from learnloop.learn.lessons import draft_rules, origins, scorer

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from learnloop.models import Decision

GUESSED = ("prompt", "recurring", "message")
"""Origins of drafts that nobody meant as lessons: the weak ones among them are folded."""
LEAST_SURE = 60
"""Below this strength what a model read is folded: of 47 facts it was so sure of readers approved all."""


class Draft(NamedTuple):
    """What folding a draft depends on."""

    rule: str
    origin: str
    needs_words: bool
    seen: int
    strength: int
    claimed: str


def why_folded(draft: Draft, muted: frozenset[str], least: int) -> str:
    """Why a draft is folded: `weak`, `words`, `muted`; empty where it is not."""
    if draft.claimed:
        return ""
    if draft.rule in muted:
        return "muted"
    if draft.origin == "synthesis":
        return "weak" if draft.strength < LEAST_SURE else ""
    if draft.origin not in GUESSED:
        return ""
    if draft.needs_words and draft.seen < 2:
        return "words"
    return "weak" if draft.strength < least else ""


def least_strength(docs: Iterable[Mapping[str, Any]]) -> int:
    """The strength, 0–100, below which drafts are folded, as the verdicts on stored lessons say."""
    judged = (draft_rules.draft_outcome(doc) for doc in docs if doc.get("status") != "draft")
    return round(100 * draft_rules.threshold(judged))


def muted_rules(decisions: Iterable[Decision]) -> frozenset[str]:
    """The muted rules, as decisions left them."""
    from learnloop.learn.lessons.decisions import effective_decisions

    rules: set[str] = set()
    for decision in effective_decisions(decisions):
        rule = decision.args.get("rule")
        if isinstance(rule, str) and decision.action in ("mute", "unmute"):
            (rules.add if decision.action == "mute" else rules.discard)(rule)
    return frozenset(rules)


def unfolded(docs: Iterable[Mapping[str, Any]], muted: frozenset[str], least: int) -> int:
    """How many of the stored lessons are drafts that are not folded."""
    drafts = (_stored(doc) for doc in docs if doc.get("status") == "draft")
    return sum(not why_folded(draft, muted, least) for draft in drafts)


def _stored(doc: Mapping[str, Any]) -> Draft:
    get, seen = doc.get, int(doc.get("seen_count", 1))
    return Draft(
        rule=draft_rules.rule_of(doc), origin=origins.origin_of(str(get("source", ""))),
        needs_words=bool(get("needs_words")), seen=seen,
        strength=scorer.strength(float(get("confidence", 0.5)), seen, str(get("trust", "user"))),
        claimed="claimed" if get("claims") else "",
    )  # fmt: skip

"""How the rules that draft lessons do with one person: what of their drafts was accepted. Pure.

Everything is counted from the lessons as they stand, so a verdict that is taken back takes its effect back.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from learnloop.learn.lessons import reasons

ENOUGH = 20
"""So many verdicts say something about a rule."""
ACCEPTED = 0.2
"""A rule of whose drafts a smaller share was accepted is offered to be muted; the same share holds for how
sure a draft has to be."""
_BANDS = (0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9)
_RULES = ("standing:", "correction:", "rejection:", "explicit_preference:", "model:", "refusal", "block:")
Doc = Mapping[str, Any]


class RuleStats(NamedTuple):
    """One rule and the person's verdicts over its drafts."""

    rule: str
    accepted: int
    rejected: int
    waiting: int
    muted: bool = False
    reasons: tuple[tuple[str, int], ...] = ()
    """Why its drafts were rejected, by standing word, the most frequent first."""

    @property
    def judged(self) -> int:
        """How many of its drafts have a verdict."""
        return self.accepted + self.rejected

    @property
    def share(self) -> float | None:
        """The share accepted; None before the first verdict."""
        return self.accepted / self.judged if self.judged else None

    @property
    def is_poor(self) -> bool:
        """Whether it is offered to be muted."""
        return self.judged >= ENOUGH and (self.share or 0.0) < ACCEPTED


def rule_of(doc: Doc) -> str:
    """The rule that drafted a lesson; empty for one that was typed or brought along."""
    source = str(doc.get("source", ""))
    return source if source.startswith(_RULES) else ""


class DraftOutcome(NamedTuple):
    """What became of a draft that a rule made."""

    rule: str
    confidence: float
    place: int
    """0 accepted, 1 turned down, 2 waiting."""
    reason: str = ""
    """Why it was rejected, as a standing word; empty where that counts for nothing."""


def draft_outcome(doc: Doc) -> DraftOutcome | None:
    """What became of a lesson as its rule's draft; None where no rule made it."""
    rule = rule_of(doc)
    if not rule:
        return None
    reason = reasons.counted_reason(doc.get("rejection_reason")) if doc.get("status") == "rejected" else ""
    return DraftOutcome(rule, float(doc.get("confidence", 0.5)), _place(doc), reason)


def rule_stats(drafts: Iterable[DraftOutcome | None], muted: frozenset[str] = frozenset()) -> list[RuleStats]:
    """All rules that drafted something, or are muted; the most judged first."""
    counts: dict[str, list[int]] = {rule: [0, 0, 0] for rule in muted}
    why: dict[str, Counter[str]] = {}
    for one in filter(None, drafts):
        counts.setdefault(one.rule, [0, 0, 0])[one.place] += 1
        if one.reason:
            why.setdefault(one.rule, Counter())[one.reason] += 1
    found = [
        RuleStats(
            rule, accepted, rejected, waiting, rule in muted, tuple(why.get(rule, Counter()).most_common())
        )
        for rule, (accepted, rejected, waiting) in counts.items()
    ]
    return sorted(found, key=lambda one: (-one.judged, -one.waiting, one.rule))


def _place(doc: Doc) -> int:
    """What went unread out of the queue waits for ever."""
    status = doc.get("status")
    if status == "rejected":
        return 1
    accepted = status == "active" or (status == "archived" and bool(doc.get("reviewed_at")))
    return 0 if accepted and doc.get("archived_reason") != "expired" else 2


def threshold(drafts: Iterable[DraftOutcome | None]) -> float:
    """How sure a draft has to be to stand among the strongest, 0–1; 0 until verdicts say otherwise.

    The highest of a few steps below which, of at least 20 drafts with a verdict, fewer than one in five was
    accepted.
    """
    judged = [(one.confidence, one.place == 0) for one in filter(None, drafts) if one.place != 2]
    found = 0.0
    for step in _BANDS:
        below = [accepted for confidence, accepted in judged if confidence < step]
        if len(below) >= ENOUGH and sum(below) < ACCEPTED * len(below):
            found = step
    return found

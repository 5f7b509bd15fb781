"""Acceptance of drafts by the rule that made them, for one person. Pure.

Everything is counted from the present lessons, so undoing a verdict also undoes its effect here.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from learnloop.learn.lessons import reasons, scorer

ENOUGH = 20
"""Verdicts from which on a rule's share means something."""
ACCEPTED = 0.2
"""A rule with a smaller share of accepted drafts is proposed for muting. `threshold` uses the same share."""
_BANDS = (0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9)
_RULES = ("said:", "repeated", "synthesis", "block:")
Doc = Mapping[str, Any]


class RuleStats(NamedTuple):
    """One rule and the person's verdicts on its drafts."""

    rule: str
    accepted: int
    rejected: int
    waiting: int
    muted: bool = False
    reasons: tuple[tuple[str, int], ...] = ()
    """Counted reasons for rejecting its drafts, the most frequent first."""

    @property
    def judged(self) -> int:
        """The number of its drafts that have a verdict."""
        return self.accepted + self.rejected

    @property
    def share(self) -> float | None:
        """The share accepted; None before the first verdict."""
        return self.accepted / self.judged if self.judged else None

    @property
    def is_poor(self) -> bool:
        """Whether it is proposed for muting."""
        return self.judged >= ENOUGH and (self.share or 0.0) < ACCEPTED


def rule_of(doc: Doc) -> str:
    """The rule that drafted a lesson; empty for a typed or imported one."""
    source = str(doc.get("source", ""))
    return source if source.startswith(_RULES) else ""


class DraftOutcome(NamedTuple):
    """The outcome of a rule's draft."""

    rule: str
    strength: float
    """0–1."""
    place: int
    """0 accepted, 1 rejected, 2 undecided."""
    reason: str = ""
    """Why it was rejected, as one of `reasons.REJECTING`; empty if it was not."""


def draft_outcome(doc: Doc) -> DraftOutcome | None:
    """The outcome of a lesson as its rule's draft; None if no rule made it."""
    rule = rule_of(doc)
    if not rule:
        return None
    reason = reasons.counted_reason(doc.get("rejection_reason")) if doc.get("status") == "rejected" else ""
    status = doc.get("status")
    is_accepted = status == "active" or (status == "archived" and bool(doc.get("reviewed_at")))
    is_expired = doc.get("archived_reason") == "expired"  # unread: it counts as undecided
    place = 1 if status == "rejected" else 0 if is_accepted and not is_expired else 2
    sure, seen = float(doc.get("confidence", 0.5)), int(doc.get("seen_count", 1))
    strength = scorer.strength(sure, seen, str(doc.get("trust", "user")))
    return DraftOutcome(rule, strength / 100, place, reason)


def rule_stats(drafts: Iterable[DraftOutcome | None], muted: frozenset[str] = frozenset()) -> list[RuleStats]:
    """All rules that drafted something or are muted, those with most verdicts first."""
    counts: dict[str, list[int]] = {rule: [0, 0, 0] for rule in muted}
    why: dict[str, Counter[str]] = defaultdict(Counter)
    for outcome in filter(None, drafts):
        counts.setdefault(outcome.rule, [0, 0, 0])[outcome.place] += 1
        if outcome.reason:
            why[outcome.rule][outcome.reason] += 1
    stats = [
        RuleStats(rule, accepted, rejected, waiting, rule in muted, tuple(why[rule].most_common()))
        for rule, (accepted, rejected, waiting) in counts.items()
    ]
    return sorted(stats, key=lambda rule: (-rule.judged, -rule.waiting, rule.rule))


ENOUGH_WEAK, KEPT = 10, 0.8
"""So many verdicts on weak drafts, and so large a share of them kept, unfold the better of the weak ones."""


def threshold(drafts: Iterable[DraftOutcome | None]) -> float:
    """The strength, 0–1, below which drafts are folded for this person: at first those that are weak.

    It rises to the highest of a few steps below which at least 20 drafts have a verdict and fewer than one in
    five was accepted. It falls where at least 10 weak drafts have a verdict and four in five were accepted.
    """
    judged = [outcome for outcome in filter(None, drafts) if outcome.place != 2]
    usual = limit = scorer.MAYBE / 100
    for step in _BANDS:
        below = [outcome.place == 0 for outcome in judged if outcome.strength < step]
        if len(below) >= ENOUGH and sum(below) < ACCEPTED * len(below):
            limit = max(limit, step)
    weak = [outcome.place == 0 for outcome in judged if outcome.strength < usual]
    if len(weak) >= ENOUGH_WEAK and sum(weak) >= KEPT * len(weak):
        limit = min(limit, scorer.WEAK / 100)
    return limit

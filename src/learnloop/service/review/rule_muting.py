"""The rules that draft lessons: how they do with this person, and the verdicts over them.

Drafts of a muted rule, and those below the threshold, are folded; none is lost.
"""

from shlex import quote
from typing import TYPE_CHECKING, NamedTuple

from learnloop.errors import Refused
from learnloop.learn.lessons import draft_rules as learned
from learnloop.learn.lessons import scorer
from learnloop.learn.lessons.draft_rules import RuleStats
from learnloop.service import id_prefix
from learnloop.service.lessons import rule_drafts
from learnloop.service.lessons.rule_drafts import drafted, muted_rules
from learnloop.service.workspace import Workspace

if TYPE_CHECKING:
    from learnloop.models import Decision

__all__ = ["RuleStats", "Threshold", "mute", "rules", "threshold", "unmute"]


class Threshold(NamedTuple):
    """The strength, 0–100, below which drafts are folded away."""

    value: int
    is_set: bool
    """By the setting `draft_threshold`; else it follows from the verdicts."""

    @property
    def words(self) -> str:
        """What is folded, and why, in a sentence."""
        if not self.value:
            return "no draft is folded away: draft_threshold says so"
        usual = self.value == scorer.MAYBE
        why = "draft_threshold says so" if self.is_set else "as long as your verdicts say nothing else"
        if not self.is_set and not usual:
            why = "your verdicts say so"
        return f"drafts below {self.value} of 100 are folded away: {why}"


def rules(ws: Workspace) -> list[RuleStats]:
    """Every rule that drafted something, the most judged first."""
    return learned.rule_stats(drafted(ws.root), muted_rules(ws.root))


def threshold(ws: Workspace) -> Threshold:
    """The person's threshold."""
    if ws.settings.draft_threshold is not None:
        return Threshold(ws.settings.draft_threshold, is_set=True)
    return Threshold(rule_drafts.threshold(ws.root), is_set=False)


def mute(ws: Workspace, rule: str) -> "Decision":
    """Fold the drafts of a rule away, those to come as well; raises Refused where it is muted already."""
    return _decide(ws, "mute", rule)


def unmute(ws: Workspace, rule: str) -> "Decision":
    """Bring the drafts of a muted rule back; raises Refused where it is not muted."""
    return _decide(ws, "unmute", rule)


def _decide(ws: Workspace, action: str, typed: str) -> "Decision":
    from learnloop.service.review import verdicts

    is_muted = {stats.rule: stats.muted for stats in rules(ws)}
    hint = "learn lessons --rules lists them; a unique beginning is enough"
    rule = id_prefix.resolve(typed, is_muted, "rule", hint, shortest=1)
    if is_muted[rule] and action == "mute":
        raise Refused(
            f"the rule {rule!r} is muted already", f"learn lessons --unmute {quote(rule)} brings it back"
        )
    if not is_muted[rule] and action == "unmute":
        raise Refused(f"the rule {rule!r} is not muted", "learn lessons --rules lists those that are")
    return verdicts.decide(ws, action, [], {"rule": rule})

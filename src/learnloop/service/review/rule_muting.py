"""The rules that draft lessons: how they do with this person, and the verdicts over them.

    rules(ws)            every rule with what became of its drafts
    mute(ws, rule)       fold its drafts away; unmute(ws, rule) brings them back
    threshold(ws)        how sure a draft has to be, from the verdicts, or as it is set

Drafts of a muted rule, and those below the threshold, are folded under the weaker ones; none is lost.
"""

from typing import TYPE_CHECKING, NamedTuple

from learnloop.errors import Refused
from learnloop.learn.lessons import draft_rules as learned
from learnloop.learn.lessons.draft_rules import RuleStats
from learnloop.service import id_prefix
from learnloop.service.lessons.rule_drafts import drafted, muted_rules

if TYPE_CHECKING:
    from learnloop.models import Decision
    from learnloop.service.workspace import Workspace

__all__ = ["RuleStats", "Threshold", "mute", "rules", "threshold", "unmute"]


class Threshold(NamedTuple):
    """The confidence from which on a draft is among the strongest."""

    value: float
    is_set: bool
    """By the setting `draft_threshold`; else it follows from the verdicts."""


def rules(ws: "Workspace") -> list[RuleStats]:
    """Every rule that drafted something, the most judged first."""
    return learned.rule_stats(drafted(ws.root), muted_rules(ws.root))


def threshold(ws: "Workspace") -> Threshold:
    """The person's threshold."""
    if ws.settings.draft_threshold is not None:
        return Threshold(ws.settings.draft_threshold, is_set=True)
    return Threshold(learned.threshold(drafted(ws.root)), is_set=False)


def mute(ws: "Workspace", rule: str) -> "Decision":
    """Fold the drafts of a rule away, those to come as well; raises Refused where it is muted already."""
    stats = _named(ws, rule)
    if stats.muted:
        raise Refused(
            f"the rule {stats.rule!r} is muted already", f"learn unmute {stats.rule!r} brings it back"
        )
    return _decide(ws, "mute", stats.rule)


def unmute(ws: "Workspace", rule: str) -> "Decision":
    """Bring the drafts of a muted rule back; raises Refused where it is not muted."""
    stats = _named(ws, rule)
    if not stats.muted:
        raise Refused(f"the rule {stats.rule!r} is not muted", "learn rules lists those that are")
    return _decide(ws, "unmute", stats.rule)


def _named(ws: "Workspace", rule: str) -> RuleStats:
    rule_by_name = {stats.rule: stats for stats in rules(ws)}
    hint = "learn rules lists them; a unique beginning is enough"
    return rule_by_name[id_prefix.resolve(rule, rule_by_name, "rule", hint, shortest=1)]


def _decide(ws: "Workspace", action: str, rule: str) -> "Decision":
    from learnloop.service.review import verdicts

    return verdicts.decide(ws, action, [], {"rule": rule})

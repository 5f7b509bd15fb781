"""The rules that draft lessons: how they do with this person, and the verdicts over them.

    rules(ws)            every rule with what became of its drafts
    mute(ws, rule)       fold its drafts away; unmute(ws, rule) brings them back
    threshold(ws)        how sure a draft has to be, from the verdicts, or as it is set

Drafts of a muted rule, and those below the threshold, are folded under the weaker ones; none is lost.
"""

from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from learnloop.errors import NotFound, Refused
from learnloop.learn.lessons import draft_rules as learned
from learnloop.learn.lessons.draft_rules import RuleStanding
from learnloop.service.lessons import documents
from learnloop.wire import paths

if TYPE_CHECKING:
    from learnloop.models import Decision
    from learnloop.service.workspace import Workspace

_MUTES = b'"mute"'


__all__ = ["RuleStanding", "Threshold", "drafted", "mute", "muted", "rules", "threshold", "unmute"]


class Threshold(NamedTuple):
    """How sure a draft has to be to stand among the strongest."""

    value: float
    is_set: bool
    """By the setting `draft_threshold`; else it follows from the verdicts."""


def rules(ws: "Workspace") -> list[RuleStanding]:
    """Every rule that drafted something, the most judged first."""
    return learned.standings(drafted(ws.root), muted(ws.root))


def threshold(ws: "Workspace") -> Threshold:
    """The person's threshold."""
    if ws.settings.draft_threshold is not None:
        return Threshold(ws.settings.draft_threshold, is_set=True)
    return Threshold(learned.threshold(drafted(ws.root)), is_set=False)


def drafted(root: str) -> Collection[learned.Drafted | None]:
    """What became of every lesson as some rule's draft."""
    return [learned.drafted(doc) for doc in documents.lessons(root).values()]


def muted(root: str) -> frozenset[str]:
    """The muted rules; decisions are read only where one of them mutes something."""
    try:
        written = Path(paths.store(root), "decisions.json").read_bytes()
    except OSError:
        return frozenset()
    return _muted(root) if _MUTES in written else frozenset()


def _muted(root: str) -> frozenset[str]:
    from learnloop.learn.lessons.decisions import live

    found: set[str] = set()
    for decision in live(documents.decisions(root)):
        rule = decision.args.get("rule")
        if isinstance(rule, str) and decision.action in ("mute", "unmute"):
            (found.add if decision.action == "mute" else found.discard)(rule)
    return frozenset(found)


def mute(ws: "Workspace", rule: str) -> "Decision":
    """Fold the drafts of a rule away, those to come as well."""
    found = _named(ws, rule)
    if found.muted:
        raise Refused(
            f"the rule {found.rule!r} is muted already", f"learn unmute {found.rule!r} brings it back"
        )
    return _decide(ws, "mute", found.rule)


def unmute(ws: "Workspace", rule: str) -> "Decision":
    """Bring the drafts of a muted rule back."""
    found = _named(ws, rule)
    if not found.muted:
        raise Refused(f"the rule {found.rule!r} is not muted", "learn rules lists those that are")
    return _decide(ws, "unmute", found.rule)


def _named(ws: "Workspace", rule: str) -> RuleStanding:
    every = rules(ws)
    found = [one for one in every if one.rule == rule] or [one for one in every if one.rule.startswith(rule)]
    if len(found) != 1 or not rule:
        raise NotFound(f"no rule is called {rule!r}", "learn rules lists them; a unique beginning is enough")
    return found[0]


def _decide(ws: "Workspace", action: str, rule: str) -> "Decision":
    from learnloop.service.review import verdicts

    args: dict[str, Any] = {"rule": rule}
    return verdicts.decide(ws, action, [], args)

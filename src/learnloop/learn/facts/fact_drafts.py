"""Makes a draft lesson of a fact: words, scope and moments as the model gave them, with its chance.

Platt scaling (J. Platt, 1999) with a prior that believes the model: the log odds of being kept are a line in
the log odds that the model gave. The line is the most probable one under normal priors. Pure.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from learnloop.learn.facts.answers import SURE, SUREST
from learnloop.learn.hear import wording
from learnloop.learn.hear.candidates import ScoredSentence
from learnloop.learn.language.words import own_words
from learnloop.learn.lessons import drafts, impact, meaning, origins, trigger_limits
from learnloop.learn.lessons.trigger_choice import Calls
from learnloop.learn.offers import injection_flags
from learnloop.models.fact import Finding
from learnloop.models.lesson import Evidence, Lesson, Triggers

Doc = dict[str, Any]
_FIELDS = {"write": "file_patterns", "run": "command_patterns", "prompt": "context_keywords"}


def draft(finding: Finding, project: str, history: Calls) -> Lesson:
    """The draft of a finding, with the person's quote; its chance is what the model says."""
    evidence = tuple(Evidence.model_validate(seen) for seen in finding["evidence"])
    first = evidence[0]
    own = own_words(first.quote)
    own = own if own.every else own_words(finding["text"])
    sentence = own.restore(own.every[0].text)
    words = wording.Wording(wording.as_sentence(finding["text"]))
    lesson = drafts.draft_from_candidate(
        own, ScoredSentence(0, sentence, 1.0, "fact", words), event_id=first.event_id, ts=first.ts,
        session_id=first.session_id, project=project, before={**first.as_json(), "history": history},
        source=origins.SYNTHESIS,
    )  # fmt: skip
    reach = _reach(finding, project) or impact.Reach(lesson.scope, lesson.project, lesson.path)
    return lesson.with_(
        id=finding["draft_id"], evidence=evidence, seen_count=len(evidence), **reach._asdict(),
        confidence=finding.get("sure", SURE) / SUREST, contradicts=finding.get("contradicts", ""),
        triggers=triggers_of(finding.get("when", ())) or lesson.triggers,
        fingerprint=meaning.fingerprint_of(lesson.statement, reach.scope, reach.project),
        **_caution(finding),
    )  # fmt: skip


def _reach(finding: Finding, project: str) -> impact.Reach | None:
    """Where a finding holds; None where an earlier version did not ask for it."""
    if finding["folder"]:
        return impact.Reach("module", project, finding["folder"])
    if "is_global" not in finding:
        return None
    return impact.Reach("global", "", "") if finding["is_global"] else impact.Reach("project", project, "")


def triggers_of(when: Iterable[str]) -> Triggers | None:
    """The triggers that moments are: empty ones for every start, None where no moment is valid."""
    fields: dict[str, tuple[str, ...]] = {}
    is_said = False
    for moment in when:
        name, _, words = moment.partition(" ")
        is_said |= name in ("start", "end") and not words
        field = _FIELDS.get(name, "")
        if field and words.strip() and not trigger_limits.problem({field: [words]}):
            fields[field] = (*fields.get(field, ()), words.strip())
    return Triggers(**fields) if fields or is_said else None


def _caution(finding: Finding) -> Doc:
    """Words that speak to the agent are shown as somebody else's, with the reason."""
    words = "\n".join([finding["text"], *(seen["quote"] for seen in finding["evidence"])])
    context = injection_flags.flagged("", words)
    return {"context": context, "trust": "external"} if context else {}


ENOUGH = 20
"""Verdicts from which on a model is corrected by them."""
_LEAST, _MOST = 0.02, 0.98
"""No model is believed to be surer."""
_STEPS, _PRIOR = 100, (1.0, 0.25)
"""Steps towards it, and the precision of the slope and of the shift."""


class FactVerdict(NamedTuple):
    """What a person made of a fact."""

    sure: int
    """The model's, of 100."""
    is_kept: bool
    project: str


def verdict(lesson: Mapping[str, Any]) -> str:
    """What a person decided about a draft; one that expired unread has no verdict."""
    status = lesson.get("status", "")
    if status == "archived":
        is_judged = lesson.get("reviewed_at") and lesson.get("archived_reason") != "expired"
        return "accepted" if is_judged else "waiting"
    return {"active": "accepted", "rejected": "rejected", "draft": "waiting"}.get(str(status), "gone")


def chance(sure: int, verdicts: Sequence[FactVerdict], project: str) -> float:
    """That a person keeps a fact, 0–1: by the project's verdicts, else by all, else as the model says."""
    own = [verdict for verdict in verdicts if verdict.project == project]
    counted = own if len(own) >= ENOUGH else verdicts
    x = _log_odds(sure)
    slope, shift = _line(counted) if len(counted) >= ENOUGH else (1.0, 0.0)
    return 1 / (1 + math.exp(-(slope * x + shift)))


def _line(verdicts: Sequence[FactVerdict]) -> tuple[float, float]:
    """Slope and shift; the slope is never below 0, so that surer facts are never less likely.

    Each step divides by the greatest curvature there can be, so none overshoots (Böhning, Lindsay, 1988).
    """
    points = [(_log_odds(verdict.sure), float(verdict.is_kept)) for verdict in verdicts]
    aa = _PRIOR[0] + sum(x * x for x, _ in points) / 4
    ab = sum(x for x, _ in points) / 4
    bb = _PRIOR[1] + len(points) / 4
    slope, shift = 1.0, 0.0
    for _ in range(_STEPS):
        errors = [(x, kept - 1 / (1 + math.exp(-(slope * x + shift)))) for x, kept in points]
        to_slope = sum(x * error for x, error in errors) - _PRIOR[0] * (slope - 1)
        to_shift = sum(error for _, error in errors) - _PRIOR[1] * shift
        size = aa * bb - ab * ab
        slope += (bb * to_slope - ab * to_shift) / size
        shift += (aa * to_shift - ab * to_slope) / size
    return max(slope, 0.0), shift


def _log_odds(sure: int) -> float:
    share = min(max(sure / 100, _LEAST), _MOST)
    return math.log(share / (1 - share))

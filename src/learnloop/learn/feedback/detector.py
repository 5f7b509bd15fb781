"""Combines rules and trained model: the category of a prompt, how sure it is, and why.

A prompt that matches a rule is feedback, and the rule names the decisive sentence. Any other prompt is
feedback if the model's probability reaches its threshold.
"""

import re
from typing import NamedTuple

from learnloop.learn.feedback import prompt_rules, trained_model
from learnloop.learn.feedback.features import Prompt
from learnloop.learn.feedback.prompt_rules import Context, PromptVerdict
from learnloop.learn.language.linear_model import Weights
from learnloop.models.feedback import FeedbackCategory

_NUDGES = {"failed": 0.3, "interrupted": 0.0, "steering": 0.3, "edited": 0.2, "reverted": 1.5, "asked": -0.6}
"""Added to the logarithm of the odds for what happened in the turn. Set by hand: no labelled data has it.
An interruption adds nothing, because it is one of the model's features."""
_LEAST_CERTAIN = 0.45
"""A category less likely than this becomes `correction`, by far the commonest, unless it is praise."""


_TAKEN_UP = re.compile(r"^.{0,60}\bafter all\W*$", re.I)
"""`make it after all` takes an interrupted task up again, which judges nothing."""


class Detection(NamedTuple):
    """The result for one prompt."""

    category: FeedbackCategory | None
    """None if the prompt is no feedback."""
    confidence: float
    """How sure the category is, 0–1."""
    feedback: float
    """Probability that it is feedback of any kind, 0–1."""
    reason: str
    verdict: PromptVerdict | None
    """Input of the next steps of ingest; None if the prompt is no feedback."""


def detect_feedback(text: str, context: Context) -> Detection:
    """Detect feedback in a prompt, given its context."""
    rule = prompt_rules.judge(text, context)
    if context.machine or not text.strip():
        return Detection(None, 1.0, 0.0, "no words of a person", None)
    prompt = Prompt(text, context.previous, context.position + 1, context.interrupted)
    nudge = sum(value for name, value in _NUDGES.items() if getattr(context, name))
    opinion = trained_model.opinion(prompt, _rule_opinion(rule), nudge)
    threshold = trained_model.weights().threshold
    if rule is not None:
        feedback = max(opinion.feedback, threshold, rule.confidence if rule.standing else 0.0)
        return Detection(rule.category, rule.confidence, round(feedback, 4), rule.reason, rule)
    reason = ", ".join(opinion.reasons) or "nothing speaks for feedback"
    is_judging = context.position and not _TAKEN_UP.search(text)
    category = category_by_model(opinion, trained_model.weights()) if is_judging else None
    if category is None:
        return Detection(None, round(1 - opinion.feedback, 4), round(opinion.feedback, 4), reason, None)
    verdict = _model_verdict(text, opinion, category, reason)
    return Detection(verdict.category, verdict.confidence, round(opinion.feedback, 4), reason, verdict)


def training_features(prompt: Prompt) -> tuple[dict[str, float], list[str]]:
    """What the model is trained on: signs with the rules' verdict, and words."""
    context = Context(position=prompt.position - 1, previous=prompt.previous, interrupted=prompt.interrupted)
    return trained_model.model_features(prompt, _rule_opinion(prompt_rules.judge(prompt.text, context)))


def _rule_opinion(rule: PromptVerdict | None) -> tuple[str, float] | None:
    return None if rule is None else (rule.category, rule.confidence)


def category_by_model(opinion: trained_model.Opinion, weights: Weights) -> FeedbackCategory | None:
    """The category by the model alone; None below the threshold."""
    if opinion.feedback < weights.threshold:
        return None
    is_sure = opinion.category in ("correction", "praise") or opinion.certainty >= _LEAST_CERTAIN
    return opinion.category if is_sure else "correction"


def _model_verdict(
    text: str, opinion: trained_model.Opinion, category: FeedbackCategory, reason: str
) -> PromptVerdict:
    """The model's verdict. It alone never drafts a lesson."""
    confidence = round(opinion.feedback * max(opinion.certainty, _LEAST_CERTAIN), 4)
    event_type, sentence = prompt_rules.EVENT_TYPES[category], text if len(text) <= 300 else ""
    return PromptVerdict(category, confidence, reason, f"model:{category}", event_type, sentence)

"""Rules and the trained model together: what one prompt is, how surely, and why.

The rules name what they know by its form, with the sentence that says it; the model weighs everything else.
A prompt that a rule names is feedback; one that no rule names is, from the model's threshold on.
"""

from dataclasses import replace
from typing import NamedTuple

from learnloop.learn.feedback import detect, model
from learnloop.learn.feedback.detect import Context, PromptVerdict
from learnloop.learn.feedback.features import Prompt
from learnloop.models.feedback import FeedbackCategory

_NUDGES = {"failed": 0.3, "interrupted": 0.0, "steering": 0.3, "edited": 0.2, "reverted": 1.5, "asked": -0.6}
"""What the agent's side of a turn adds to the logarithm of the odds. Set by hand, for no labelled data has
it; an interruption is among the model's own features."""
_LEAST_CERTAIN = 0.45
"""A kind less likely than this is called a correction where the words are no praise: by far the commonest."""


class Detection(NamedTuple):
    """What a prompt is."""

    category: FeedbackCategory | None
    """None for a prompt that is no feedback."""
    confidence: float
    """How sure the category is, 0–1."""
    feedback: float
    """Probability that it is feedback of any kind, 0–1."""
    reason: str
    verdict: PromptVerdict | None
    """What ingest goes on with; None for a prompt that is no feedback."""


def detect_feedback(text: str, context: Context) -> Detection:
    """What a prompt is in its context."""
    rule = detect.judge(text, context)
    if context.machine or not text.strip():
        return Detection(None, 1.0, 0.0, "no words of a person", None)
    found = model.opinion(_prompt(text, context), _said(rule), _nudge(context))
    threshold = model.weights().threshold
    if rule is not None:
        feedback = max(found.feedback, threshold, rule.confidence if rule.standing else 0.0)
        return Detection(rule.category, rule.confidence, round(feedback, 4), rule.reason, rule)
    reason = ", ".join(found.reasons) or "nothing speaks for feedback"
    category = category_by_model(found, model.weights()) if context.position else None
    if category is None:
        return Detection(None, round(1 - found.feedback, 4), round(found.feedback, 4), reason, None)
    verdict = _weighed(text, found, category, reason)
    return Detection(verdict.category, verdict.confidence, round(found.feedback, 4), reason, verdict)


def training_features(prompt: Prompt) -> tuple[dict[str, float], list[str]]:
    """What the model is trained on: signs, with what the rules say, and words."""
    context = Context(position=prompt.position - 1, previous=prompt.previous, interrupted=prompt.interrupted)
    return model.model_features(prompt, _said(detect.judge(prompt.text, context)))


def _prompt(text: str, context: Context) -> Prompt:
    return Prompt(text, context.previous, context.position + 1, context.interrupted)


def _said(rule: PromptVerdict | None) -> tuple[str, float] | None:
    return None if rule is None else (rule.category, rule.confidence)


def _nudge(context: Context) -> float:
    return sum(value for name, value in _NUDGES.items() if getattr(context, name))


def category_by_model(found: model.Opinion, given: model.Weights) -> FeedbackCategory | None:
    """What the model alone calls a prompt; None below the threshold."""
    if found.feedback < given.threshold:
        return None
    is_sure = found.category in ("correction", "praise") or found.certainty >= _LEAST_CERTAIN
    return found.category if is_sure else "correction"


def _weighed(text: str, found: model.Opinion, category: FeedbackCategory, reason: str) -> PromptVerdict:
    """The model's verdict; one sighting of it is never enough for a lesson."""
    confidence = round(found.feedback * max(found.certainty, _LEAST_CERTAIN), 4)
    made = PromptVerdict(category, confidence, reason, f"model:{category}", detect.EVENT_TYPES[category])
    return replace(made, sentence=text if len(text) <= 300 else "")

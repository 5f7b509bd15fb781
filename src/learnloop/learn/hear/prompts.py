"""What a prompt says of the turn before it: its category, how sure that is, and why."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, cast

from learnloop.learn.hear import features, wording
from learnloop.learn.hear.features import Prompt
from learnloop.learn.language import linear_model, words
from learnloop.models.turn import EventType, FeedbackCategory

EVENT_TYPES: dict[FeedbackCategory, EventType] = {
    "correction": "revision", "rejection": "cancellation", "clarification": "revision",
    "enhancement": "success", "praise": "success", "explicit_preference": "explicit_preference",
}  # fmt: skip
CORRECTING = ("correction", "rejection", "explicit_preference")
"""Categories of remarks that say how it should be instead."""
WEIGHTS = Path(__file__).with_name("turn_weights.json")
_NUDGES = {"failed": 0.3, "edited": 0.2, "reverted": 1.5, "asked": -0.6}
"""Added to the logarithm of the odds for what happened in the turn. Set by hand: no labelled data has it.
An interruption is one of the model's features, and whoever types while the agent works interrupts it too."""
_LEAST_CERTAIN = 0.45
"""A category less likely than this becomes `correction`, by far the commonest, unless it is praise."""
_MOST_REASONS = 3
_MUTE = ("<", "length", "long", "early", "late", "capitals")
"""Prefixes of features that mean nothing to a person, so that they are never given as reasons."""
MANNERS = re.compile(
    r"\W*(?:(?:ok|okay|oh)\W+)?(?:thanks?(?:\syou|\sa\slot)?|thx|danke(?:\ssch[öo]n)?|merci(?:\sbeaucoup)?|gracias)"
    r"(?:\W+(?:great|nice|cool))?\W*",
    re.I,
)
"""Thanks alone may be mere manners."""
_MANNERLY = 0.65
_TAKEN_UP = re.compile(r"^.{0,60}\bafter all\W*$", re.I)
"""`make it after all` takes an interrupted task up again, which judges nothing."""
_REFUSED = 0.95
_MARKS = frozenset(("_paste", "_code"))
"""What stands in a masked text for lines of programs and for code."""
_HARNESS = re.compile(
    r"\s*(?:/[\w:-]+(?:\s|$)|<(?:local-command|command-|system-reminder|task-notification|bash-))"
)


@dataclass(frozen=True)
class Context:
    """What happened before the prompt."""

    position: int = 1
    """Number of prompts that people typed in this session before; 0: nothing has been delivered yet."""
    machine: bool = False
    """A program wrote the prompt."""
    interrupted: bool = False
    """The turn before was interrupted."""
    failed: bool = False
    """The turn before ended in a failure, or its last tool call failed."""
    steering: bool = False
    """Typed while the agent was working."""
    asked: bool = False
    """The agent's last words were a question, so that a no may answer it."""
    previous: str = ""
    """The prompt before this one."""
    edited: bool = False
    """The turn before changed files."""
    reverted: bool = False
    """The person has reverted changes since then."""


@dataclass(frozen=True)
class PromptVerdict:
    """What is made of a prompt, or of the words of a refusal."""

    category: FeedbackCategory
    confidence: float
    reason: str
    rule: str
    event_type: EventType


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
    if context.machine or not text.strip() or is_of_harness(text):
        return Detection(None, 1.0, 0.0, "no words of a person", None)
    if _MARKS.issuperset(features.masked_text(text).split()):  # it judges nothing, nor is it a new task
        return Detection(None, 0.5, 0.5, "nothing but pasted lines", None)
    cuts_in = context.interrupted or context.steering
    prompt = Prompt(text, context.previous, max(context.position, 1) + 1, cuts_in)
    model = linear_model.read(WEIGHTS)
    values, grams = features.of_prompt(prompt)
    parts = linear_model.parts(model, values, grams)
    nudge = sum(value for name, value in _NUDGES.items() if getattr(context, name))
    feedback = round(linear_model.chance(model, parts, nudge), 4)
    reason = _reason(parts)
    category, certainty = linear_model.category(model, values)
    is_sure = category in ("correction", "praise") or certainty >= _LEAST_CERTAIN
    named = cast("FeedbackCategory", category if is_sure else "correction")
    is_judging = bool(context.position) or named == "explicit_preference"
    if feedback < model.threshold or not is_judging or _TAKEN_UP.search(text):
        return Detection(None, round(1 - feedback, 4), feedback, reason, None)
    confidence = round(feedback * (1.0 if named == "praise" else max(certainty, _LEAST_CERTAIN)), 4)
    if MANNERS.fullmatch(text):
        confidence = min(confidence, _MANNERLY)
    verdict = PromptVerdict(named, confidence, reason, f"model:{named}", EVENT_TYPES[named])
    return Detection(named, confidence, feedback, reason, verdict)


def _reason(parts: Mapping[str, float]) -> str:
    """The signs and words that speak most for feedback, strongest first."""
    positive = (name for name in parts if parts[name] > 0 and not name.startswith(_MUTE))
    strongest = sorted(positive, key=lambda name: (-parts[name], name))[:_MOST_REASONS]
    return ", ".join(map(_readable, strongest)) or "nothing speaks for feedback"


def _readable(name: str) -> str:
    if name.startswith(("w ", "o ")):
        return f"“{name[2:]}”"
    return f"opens: {name[1:]}" if name.startswith("^") else name.removeprefix("1 ")


def is_of_harness(prompt: str) -> bool:
    """Whether a prompt is a slash command, or was put in by the client."""
    return prompt.lstrip().startswith(("/", "<")) and _HARNESS.match(prompt) is not None


def judge_refusal(reply: str) -> PromptVerdict:
    """The verdict on a refused tool call: a correction if the words say what to do instead."""
    own = words.own_words(reply)
    is_said = any(wording.word(own, at).statement for at in range(len(own.every)))
    if is_said:
        reason = "refused a tool call and said what to do instead"
        return PromptVerdict("correction", _REFUSED, reason, "refusal", EVENT_TYPES["correction"])
    return PromptVerdict("rejection", _REFUSED, "refused a tool call", "refusal", EVENT_TYPES["rejection"])

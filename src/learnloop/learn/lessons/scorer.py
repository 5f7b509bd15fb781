"""The score of a draft, and its strength, which orders the queue. Pure; does not load pydantic.

Strength = 100 · (1 − (1 − chance) · 0.8^(seen − 1)) · trust. The chance is that a reviewer keeps the draft;
each repeat takes a fifth of the doubt. Trust is 1 for a person's words, 0.85 for an agent's, 0.6 for pasted
or imported ones. An agent's own confidence counts as 0.5 at most.
"""

from typing import TYPE_CHECKING

from learnloop.learn.lessons import usefulness

if TYPE_CHECKING:
    from learnloop.models.lesson import Lesson

TRUST_FACTOR = {"user": 1.0, "agent": 0.85, "external": 0.6}
CLAIMED_MOST = 0.5
"""The most that an agent's own confidence counts, so that it alone never puts a draft first."""


DOUBT_LEFT = 0.8
"""The share of the doubt that is left after a repeat."""
LIKELY, MAYBE, WEAK = 80, 68, 55
"""The least strength of a likely draft, of one that may be kept, and of any that verdicts can unfold.

They follow from the calibration table in docs/detection.md.
"""


def capped_confidence(confidence: float, trust: str) -> float:
    """The confidence, capped if an agent gave it."""
    return min(confidence, CLAIMED_MOST) if trust == "agent" else confidence


def strength(confidence: float, seen: int, trust: str) -> int:
    """The strength of a lesson, 0–100; `confidence` is the chance that a reviewer keeps it."""
    doubt = (1 - capped_confidence(confidence, trust)) * DOUBT_LEFT ** (max(seen, 1) - 1)
    return round(100 * (1 - doubt) * TRUST_FACTOR.get(trust, TRUST_FACTOR["external"]))


def chance(strength: int) -> str:
    """A strength in a word: likely, maybe or weak."""
    return "likely" if strength >= LIKELY else "maybe" if strength >= MAYBE else "weak"


def queue_order(
    strength: int, trust: str, *, folded: bool, needs_words: bool
) -> tuple[bool, bool, int, bool]:
    """The sort key of drafts: the strongest first, at equal strength those with a statement.

    External drafts come after all others, and drafts that are folded come last.
    """
    return folded, trust == "external", -strength, needs_words


WEIGHTS: dict[str, float] = {
    "security": 1.0, "error_fix": 0.9, "anti_pattern": 0.85, "best_practice": 0.8, "performance": 0.75,
    "code_quality": 0.7, "testing": 0.7, "architecture": 0.65, "process": 0.6, "tooling": 0.5,
    "version control": 0.6, "dependencies": 0.65, "data": 0.75, "style": 0.7, "documentation": 0.6,
    "structure": 0.65, "deployment": 0.8, "communication": 0.6, "general": 0.6,
    "technical_insight": 0.65, "workaround": 0.9, "pattern": 0.8, "gotcha": 0.85, "dependency": 0.65,
    "configuration": 0.65,
}  # fmt: skip
"""Weights of categories: the extraction specification's, and ours by the nearest of those."""
OTHER_WEIGHT = 0.6
_ACTIONS = ("should", "must", "always", "never", "avoid", "use", "prefer")
_PLACES = ("tool_names", "file_patterns", "command_patterns")


def _parts(lesson: "Lesson") -> dict[str, float]:
    """The parts of the score, as the extraction specification counts them."""
    words, agents = len(lesson.keywords), len(lesson.triggers.agent_names)
    places = sum(bool(getattr(lesson.triggers, name)) for name in _PLACES)
    places += bool(lesson.project) + bool(lesson.path)
    description = lesson.description.lower()
    relevance = 0.1 * (words >= 3) + 0.1 * (words >= 5) + 0.05 * places + 0.1 * (agents > 0)
    quality = 0.1 * (10 <= len(lesson.title) <= 80) + 0.15 * bool(lesson.example)
    quality += 0.1 * (len(description) >= 50) + 0.1 * (len(description) >= 100)
    quality += 0.1 * bool(lesson.counter_example) + 0.1 * (lesson.source == "draft:review")
    quality += 0.1 * (lesson.trust == "user" or lesson.source == "draft:feedback")
    says_what_to_do = any(word in description for word in _ACTIONS)
    applicability = 0.2 * (1 <= places <= 3) + 0.15 * (agents >= 2) + 0.15 * says_what_to_do
    relevance += 0.05 * (agents > 2)
    parts = {"relevance": relevance, "quality": quality, "applicability": applicability}
    return {name: min(0.5 + value, 1.0) for name, value in parts.items()}


def with_score(lesson: "Lesson") -> "Lesson":
    """The lesson with its score: overall = (0.3 relevance + 0.4 quality + 0.3 applicability) · weight.

    The effect of use is not included; see `promise_of`.
    """
    parts = _parts(lesson)
    overall = 0.3 * parts["relevance"] + 0.4 * parts["quality"] + 0.3 * parts["applicability"]
    overall *= WEIGHTS.get(lesson.category, OTHER_WEIGHT)
    return lesson.with_(
        score={name: round(value, 2) for name, value in {**parts, "overall": overall}.items()}
    )


def multiplier(verdicts: usefulness.Verdicts) -> float:
    """The effect of use on a score: 0.5 + 0.5 · (helpful + heeded)/judged; 1 before one was judged."""
    return 0.5 + 0.5 * verdicts.good / verdicts.judged if verdicts.judged else 1.0


def promise_of(lesson: "Lesson") -> float:
    """A lesson's score with the effect of its use, 0–1."""
    return lesson.score.overall * multiplier(usefulness.verdicts(lesson.usage.model_dump()))

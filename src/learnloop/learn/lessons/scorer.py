"""How promising a draft is, and the one number that orders the queue. Pure; pydantic is not loaded here.

Strength = 100 · (0.55 · confidence + 0.25 · promise + 0.20 · repeats) · trust, where repeats = 1 − 1/seen,
promise is the score's `overall` times what use made of it, and trust is 1 for a person's words, 0.85 for an
agent's and 0.6 for pasted or imported ones. What an agent says of its own certainty counts as 0.5 at most.
Every draft has a score, whatever it comes from.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from learnloop.models.lesson import Lesson

TRUST_FACTOR = {"user": 1.0, "agent": 0.85, "external": 0.6}
CLAIMED_MOST = 0.5
"""What an agent's own confidence counts at most, so that no draft heads the queue by it alone."""


def capped_confidence(confidence: float, trust: str) -> float:
    """How much of a confidence counts."""
    return min(confidence, CLAIMED_MOST) if trust == "agent" else confidence


def strength(confidence: float, promise: float, seen: int, trust: str) -> int:
    """How much speaks for a lesson, 0–100."""
    sure = capped_confidence(confidence, trust)
    parts = 0.55 * sure + 0.25 * (promise or sure) + 0.20 * (1 - 1 / max(seen, 1))
    return round(100 * min(parts, 1.0) * TRUST_FACTOR.get(trust, TRUST_FACTOR["external"]))


def queue_order(strength: int, trust: str, *, held: bool, needs_words: bool) -> tuple[bool, bool, int, bool]:
    """What drafts are sorted by: the strongest first, at equal strength those that have words.

    Words from outside come after all that person and agents said, and what is held back after everything.
    """
    return held, trust == "external", -strength, needs_words


WEIGHTS: dict[str, float] = {
    "security": 1.0, "error_fix": 0.9, "anti_pattern": 0.85, "best_practice": 0.8, "performance": 0.75,
    "code_quality": 0.7, "testing": 0.7, "architecture": 0.65, "process": 0.6, "tooling": 0.5,
    "version control": 0.6, "dependencies": 0.65, "data": 0.75, "style": 0.7, "documentation": 0.6,
    "structure": 0.65, "deployment": 0.8, "communication": 0.6, "general": 0.6,
    "technical_insight": 0.65, "workaround": 0.9, "pattern": 0.8, "gotcha": 0.85, "dependency": 0.65,
    "configuration": 0.65,
}  # fmt: skip
"""How much a category counts: those of the extraction specification, then ours by the nearest of them."""
OTHER_WEIGHT = 0.6
_ACTIONS = ("should", "must", "always", "never", "avoid", "use", "prefer")
_PLACES = ("tool_names", "file_patterns", "command_patterns")


def score_parts(lesson: "Lesson") -> dict[str, list[tuple[str, float]]]:
    """Each part of the score with what it is made of, as the extraction specification counts it."""
    words = len(lesson.keywords)
    places = sum(bool(getattr(lesson.triggers, name)) for name in _PLACES)
    places += bool(lesson.project) + bool(lesson.path)
    agents = len(lesson.triggers.agent_names)
    said = lesson.description.lower()
    feedback = lesson.trust == "user" or lesson.source == "draft:feedback"
    relevance = [
        ("3 keywords or more", 0.1 * (words >= 3)), ("5 keywords or more", 0.1 * (words >= 5)),
        (f"{places} places", 0.05 * places), ("names agents", 0.1 * (agents > 0)),
        ("names 3 agents or more", 0.05 * (agents > 2)),
    ]  # fmt: skip
    quality = [
        ("title of 10–80 characters", 0.1 * (10 <= len(lesson.title) <= 80)),
        ("description of 50 characters or more", 0.1 * (len(said) >= 50)),
        ("description of 100 characters or more", 0.1 * (len(said) >= 100)),
        ("example", 0.15 * bool(lesson.example)), ("counter-example", 0.1 * bool(lesson.counter_example)),
        ("a person's words", 0.1 * feedback), ("a review", 0.1 * (lesson.source == "draft:review")),
    ]  # fmt: skip
    applicability = [
        ("1 to 3 places", 0.2 * (1 <= places <= 3)), ("2 agents or more", 0.15 * (agents >= 2)),
        ("says what to do", 0.15 * any(word in said for word in _ACTIONS)),
    ]  # fmt: skip
    made = {"relevance": relevance, "quality": quality, "applicability": applicability}
    return {name: [("base", 0.5), *(one for one in found if one[1])] for name, found in made.items()}


def with_score(lesson: "Lesson") -> "Lesson":
    """The lesson with its score: overall = (0.3 relevance + 0.4 quality + 0.3 applicability) · weight.

    What use makes of it is left out: that is counted where the number is shown, see `promise`.
    """
    found = {name: min(sum(value for _, value in one), 1.0) for name, one in score_parts(lesson).items()}
    overall = 0.3 * found["relevance"] + 0.4 * found["quality"] + 0.3 * found["applicability"]
    overall *= WEIGHTS.get(lesson.category, OTHER_WEIGHT)
    rounded = {name: round(value, 2) for name, value in {**found, "overall": overall}.items()}
    return lesson.with_(score=rounded)


def promise(overall: float, helpful: int, recalled: int) -> float:
    """What a score promises after so much use."""
    return overall * multiplier(helpful, recalled)


def multiplier(helpful: int, recalled: int) -> float:
    """What use makes of a score: 0.5 + 0.5 · helpful/recalled, so half where it never helped; 1 before."""
    return 0.5 + 0.5 * min(helpful / recalled, 1.0) if recalled > 0 else 1.0


def explain_score(lesson: "Lesson") -> list[str]:
    """A line for each part of the score, and one for how they are put together."""
    lines = [
        f"{name} {min(sum(value for _, value in found), 1.0):.2f} = "
        + " + ".join(f"{value:g} {why}" for why, value in found)
        for name, found in score_parts(lesson).items()
    ]
    weight = WEIGHTS.get(lesson.category, OTHER_WEIGHT)
    used = multiplier(lesson.usage.helpful, lesson.usage.recalled)
    total = with_score(lesson).score.overall * used
    return [*lines, f"promise {total:.2f} = (0.3 relevance + 0.4 quality + 0.3 applicability)"
            f" × {lesson.category} {weight:g} × use {used:g}"]  # fmt: skip

"""The score of a draft, its strength, which orders the queue, and what is folded away. Pure; no pydantic.

Strength = 100 · (1 − (1 − chance) · 0.8^(seen − 1)) · trust. The chance is that a reviewer keeps the draft;
each repeat takes a fifth of the doubt. Trust is 1 for a person's words, 0.85 for an agent's, 0.6 for pasted
or imported ones. An agent's own confidence counts as 0.5 at most.

The usefulness of a lesson, by its recalls, from which proposals follow:

    usefulness = (helpful + heeded + 1) ÷ (judged + 2),
    judged = helpful + heeded + ignored + corrected + 4·harmful

The 1 and the 2 are a prior: one half before anything was judged.
"""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from learnloop.learn.lessons import origins
from learnloop.wire import clock

if TYPE_CHECKING:
    from learnloop.models.lesson import Lesson


DAY_MS = 86_400_000
LOW, ENOUGH = 0.3, 5
"""A lesson below this usefulness, with so many judged recalls, is proposed for archiving."""
FAILED = 3
"""A lesson that was ignored or said again in so many sessions, and in more than heeded it, does not work.

Two may be chance; at three failures without success the 95 % interval of the share that heeds it begins at 0
and ends below 60 %.
"""
OFTEN = 10
"""A lesson that was told in so many sessions without any outcome is told where it does not matter."""
UNUSED_DAYS = 90
EXPIRES_DAYS, WARNED_DAYS = 30, 23
"""A draft that nobody opens is archived after `EXPIRES_DAYS`; from `WARNED_DAYS` on this is announced."""
KEPT_DAYS = 30
"""A proposal that was declined is not repeated for so long."""

ACTED = "_acted"
"""When the last verdict on a stored lesson was given."""

Doc = Mapping[str, Any]
Reason = Literal["ignored", "harmful", "came_back", "too_broad", "unused", "removed"]


class Verdicts(NamedTuple):
    """What tellings of a lesson led to, and what the person said of its recalls."""

    heeded: int = 0
    ignored: int = 0
    corrected: int = 0
    helpful: int = 0
    harmful: int = 0

    @property
    def good(self) -> int:
        """Tellings that worked."""
        return self.helpful + self.heeded

    @property
    def failed(self) -> int:
        """Tellings that did not work."""
        return self.ignored + self.corrected

    @property
    def judged(self) -> int:
        """The number of verdicts; a harmful one counts four times."""
        return self.good + self.failed + 4 * self.harmful

    @property
    def share(self) -> str:
        """Tellings that worked of those that were judged: `1/4`; empty before one was."""
        return f"{self.good}/{self.good + self.failed + self.harmful}" if self.judged else ""

    @property
    def usefulness(self) -> float:
        """The usefulness, 0–1."""
        return (self.good + 1) / (self.judged + 2)


def verdicts(usage: Doc) -> Verdicts:
    """The verdicts in the counts of a stored lesson."""
    from learnloop.models import usage_counts  # the console draws its first frame without the models

    counts = usage_counts.current(usage)
    return Verdicts(*(int(counts.get(name, 0)) for name in Verdicts._fields))


def proposal(lesson: Doc, now_ms: int) -> Reason | None:
    """Why a person should look at an active lesson, or None.

    `ignored`: it was told, and the agent did otherwise, again and again. `harmful`: its recalls went badly.
    `came_back`: the person said it again. `too_broad`: it was told often, and nothing ever came of it.
    `unused`: it was not recalled for 90 days.
    """
    if lesson.get("status") != "active" or lesson.get("paused"):
        return None
    usage = lesson.get("usage") or {}
    counts = verdicts(usage)
    kept_ms = clock.parse_ms(lesson.get("kept_at"))
    if now_ms - kept_ms < KEPT_DAYS * DAY_MS:
        return None
    settled_ms = max(clock.parse_ms(lesson.get(name)) for name in ("reviewed_at", "kept_at", ACTED))
    new = {note["kind"] for note in lesson.get("notes") or () if clock.parse_ms(note["ts"]) > settled_ms}
    if counts.failed >= FAILED and counts.failed > counts.good and new & {"ignored", "came_back"}:
        return "ignored"
    if counts.judged >= ENOUGH and counts.usefulness < LOW:
        return "harmful"
    if "came_back" in new:
        return "came_back"
    is_silent = not counts.judged and not usage.get("recurred")
    if is_silent and usage.get("told_sessions", 0) >= OFTEN and _has_moment(lesson):
        return "too_broad"
    used = max(clock.parse_ms(usage.get("last_recalled")), clock.parse_ms(lesson.get("reviewed_at")), kept_ms)
    used = used or clock.parse_ms(lesson.get("created"))
    return "unused" if used and now_ms - used >= UNUSED_DAYS * DAY_MS else None


def _has_moment(lesson: Doc) -> bool:
    """Whether triggers decide when a lesson is told: what is told at every start cannot be narrowed."""
    triggers = lesson.get("triggers") or {}
    names = ("file_patterns", "command_patterns", "action_keywords")
    return lesson.get("priority") != "CRITICAL" and any(triggers.get(name) for name in names)


def days_until_expiry(lesson: Doc, drafted_ms: int, now_ms: int) -> int | None:
    """Days until a draft is archived because nobody opened it; None if it is no draft."""
    if lesson.get("status") != "draft" or not drafted_ms:
        return None
    since = max(drafted_ms, clock.parse_ms(lesson.get("kept_at")))
    return EXPIRES_DAYS - (now_ms - since) // DAY_MS


TRUST_FACTOR = {"user": 1.0, "agent": 0.85, "external": 0.6}
CLAIMED_MOST = 0.5
"""The most that an agent's own confidence counts, so that it alone never puts a draft first."""


DOUBT_LEFT = 0.8
"""The share of the doubt that is left after a repeat."""
LIKELY, MAYBE, WEAK = 80, 68, 55
"""The least strength of a likely draft, of one that may be kept, and of any that verdicts can unfold.

They follow from the calibration table in docs/detection.md.
"""


def strength(confidence: float, seen: int, trust: str) -> int:
    """The strength of a lesson, 0–100; `confidence` is the chance that it is kept, capped if an agent's."""
    likely = min(confidence, CLAIMED_MOST) if trust == "agent" else confidence
    doubt = (1 - likely) * DOUBT_LEFT ** (max(seen, 1) - 1)
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


def multiplier(verdicts: Verdicts) -> float:
    """The effect of use on a score: 0.5 + 0.5 · (helpful + heeded)/judged; 1 before one was judged."""
    return 0.5 + 0.5 * verdicts.good / verdicts.judged if verdicts.judged else 1.0


def promise_of(lesson: "Lesson") -> float:
    """A lesson's score with the effect of its use, 0–1."""
    return lesson.score.overall * multiplier(verdicts(lesson.usage.model_dump()))


GUESSED = ("prompt", "recurring", "message")
"""Origins of drafts that nobody meant as lessons: the weak ones among them are folded."""
LEAST_SURE = 65
"""Below this strength what a model read is folded: readers approved 67 of 73 from it on, 27 of 38 below."""
ENOUGH_BELOW, ACCEPTED = 20, 0.2
"""So many verdicts on drafts below a step, of which so small a share was accepted, fold what is below it."""
ENOUGH_WEAK, KEPT = 10, 0.8
"""So many verdicts on weak drafts, and so large a share of them kept, unfold the better of the weak ones."""
_STEPS = (60, 65, 70, 75, 80, 85, 90)
_JUDGED = ("said:", "repeated", "synthesis", "block:")


class Draft(NamedTuple):
    """What folding a draft depends on."""

    origin: str
    needs_words: bool
    seen: int
    strength: int
    claimed: str


def why_folded(draft: Draft, least: int) -> str:
    """Why a draft is folded: `weak`, `words`; empty where it is not."""
    if draft.claimed:
        return ""
    if draft.origin == "synthesis":
        return "weak" if draft.strength < LEAST_SURE else ""
    if draft.origin not in GUESSED:
        return ""
    if draft.needs_words and draft.seen < 2:
        return "words"
    return "weak" if draft.strength < least else ""


def least_strength(docs: Iterable[Mapping[str, Any]]) -> int:
    """The strength, 0–100, below which drafts are folded for this person: at first those that are weak.

    It rises to the highest of a few steps below which at least 20 drafts have a verdict and fewer than one in
    five was accepted. It falls where at least 10 weak drafts have a verdict and four in five were accepted.
    """
    judged = list(filter(None, map(_verdict, docs)))
    limit = MAYBE
    for step in _STEPS:
        below = [accepted for strength, accepted in judged if strength < step]
        if len(below) >= ENOUGH_BELOW and sum(below) < ACCEPTED * len(below):
            limit = max(limit, step)
    weak = [accepted for strength, accepted in judged if strength < MAYBE]
    if len(weak) >= ENOUGH_WEAK and sum(weak) >= KEPT * len(weak):
        limit = min(limit, WEAK)
    return limit


def _verdict(doc: Mapping[str, Any]) -> tuple[int, bool] | None:
    """The strength of a lesson that was drafted, and whether it was accepted; None before a verdict."""
    if not str(doc.get("source", "")).startswith(_JUDGED) or doc.get("archived_reason") == "expired":
        return None
    status = doc.get("status")
    accepted = status == "active" or (status == "archived" and bool(doc.get("reviewed_at")))
    return (_strength(doc), accepted) if accepted or status == "rejected" else None


def _strength(doc: Mapping[str, Any]) -> int:
    seen, trust = int(doc.get("seen_count", 1)), str(doc.get("trust", "user"))
    return strength(float(doc.get("confidence", 0.5)), seen, trust)


def unfolded(docs: Iterable[dict[str, Any]], least: int) -> list[dict[str, Any]]:
    """Those of the stored lessons that are drafts and not folded."""
    return [doc for doc in docs if doc.get("status") == "draft" and not why_folded(_stored(doc), least)]


def _stored(doc: Mapping[str, Any]) -> Draft:
    return Draft(
        origin=origins.origin_of(str(doc.get("source", ""))), needs_words=bool(doc.get("needs_words")),
        seen=int(doc.get("seen_count", 1)), strength=_strength(doc),
        claimed="claimed" if doc.get("claims") else "",
    )  # fmt: skip

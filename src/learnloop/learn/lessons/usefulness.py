"""The usefulness of a lesson by its recalls, and the proposals that follow from it. Pure.

    usefulness = (helpful + heeded + 1) ÷ (judged + 2),
    judged = helpful + heeded + ignored + corrected + 4·harmful

The 1 and the 2 are a prior: one half before anything was judged.
"""

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

from learnloop.wire import clock

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

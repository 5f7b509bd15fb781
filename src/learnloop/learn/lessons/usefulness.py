"""The usefulness of a lesson by its recalls, and the proposals that follow from it. Pure.

    usefulness = (helpful + followed + 1) ÷ (judged + 2),  judged = helpful + followed + recurred + 4·harmful

The 1 and the 2 are a prior: one half before anything was judged.
"""

from collections.abc import Mapping
from typing import Any, Literal

from learnloop.wire import clock

DAY_MS = 86_400_000
LOW, ENOUGH = 0.3, 5
"""A lesson below this usefulness, with so many judged recalls, is proposed for archiving."""
UNUSED_DAYS = 90
EXPIRES_DAYS, WARNED_DAYS = 30, 23
"""A draft that nobody opens is archived after `EXPIRES_DAYS`; from `WARNED_DAYS` on this is announced."""
KEPT_DAYS = 30
"""A proposal that was declined is not repeated for so long."""

ACTED = "_acted"
"""When the last verdict on a stored lesson was given."""

Doc = Mapping[str, Any]
Reason = Literal["harmful", "does_not_work", "unused"]


def usefulness(followed: int, helpful: int, recurred: int, harmful: int) -> float:
    """The usefulness, 0–1."""
    return (helpful + followed + 1) / (judged_count(followed, helpful, recurred, harmful) + 2)


def judged_count(followed: int, helpful: int, recurred: int, harmful: int) -> int:
    """The number of judged recalls; a harmful one counts four times."""
    return helpful + followed + recurred + 4 * harmful


def proposal(lesson: Doc, now_ms: int) -> Reason | None:
    """Why an active lesson is proposed for archiving, or None.

    `harmful`: its recalls went badly. `does_not_work`: it was recalled, and the same correction was given
    again. `unused`: it was not recalled for 90 days.
    """
    if lesson.get("status") != "active" or lesson.get("paused"):
        return None
    usage = lesson.get("usage") or {}
    counts = tuple(int(usage.get(name, 0)) for name in ("followed", "helpful", "recurred", "harmful"))
    kept_ms = clock.parse_ms(lesson.get("kept_at"))
    if now_ms - kept_ms < KEPT_DAYS * DAY_MS:
        return None
    if judged_count(*counts) >= ENOUGH and usefulness(*counts) < LOW:
        return "harmful"
    notes = [note for note in lesson.get("notes") or () if note.get("kind") == "came_back"]
    came_back_ms = max((clock.parse_ms(note.get("ts")) for note in notes), default=0)
    settled_ms = max(clock.parse_ms(lesson.get(name)) for name in ("reviewed_at", "kept_at", ACTED))
    if usage.get("recurred_told") and came_back_ms > settled_ms:
        return "does_not_work"
    used = max(clock.parse_ms(usage.get("last_recalled")), clock.parse_ms(lesson.get("reviewed_at")), kept_ms)
    used = used or clock.parse_ms(lesson.get("created"))
    return "unused" if used and now_ms - used >= UNUSED_DAYS * DAY_MS else None


def days_until_expiry(lesson: Doc, drafted_ms: int, now_ms: int) -> int | None:
    """Days until a draft is archived because nobody opened it; None if it is no draft."""
    if lesson.get("status") != "draft" or not drafted_ms:
        return None
    since = max(drafted_ms, clock.parse_ms(lesson.get("kept_at")))
    return EXPIRES_DAYS - (now_ms - since) // DAY_MS

"""How often the person corrected what a lesson says, in the 30 days before its approval and since. Pure."""

from collections.abc import Collection, Iterable, Mapping
from typing import Any, NamedTuple

from learnloop.learn.lessons import acts, meaning, repeats, similarity
from learnloop.learn.lessons.scorer import DAY_MS
from learnloop.wire import clock

Doc = Mapping[str, Any]
DAYS = 30
"""The days that are compared on each side of an approval."""


class BeforeAfter(NamedTuple):
    """The corrections on both sides of an approval, and the days of each side that are recorded."""

    before: int
    days_before: int
    since: int
    days_since: int
    about: str = ""
    """A call that breaks the lesson; empty where none is known."""

    @property
    def words(self) -> str:
        """Both sides in one line; empty where there was no correction."""
        if not self.before + self.since:
            return ""
        parts = ["nothing is recorded before"]
        if self.days_before:
            recorded = " that are recorded" if 1 < self.days_before < DAYS else ""
            corrections = "correction" if self.before == 1 else "corrections"
            about = f" about {self.about}" if self.about else ""
            parts = [
                f"{self.before or 'no'} {corrections}{about} in {_days(self.days_before)} before{recorded}"
            ]
        if self.days_since:
            return f"{parts[0]}, {self.since or 'none'} in {_days(self.days_since)} since"
        return f"{parts[0]}, nothing is recorded since"

    @property
    def has_fallen(self) -> bool:
        """Whether corrections come less often since than before."""
        return self.since * self.days_before < self.before * self.days_since


def _days(count: int) -> str:
    return f"the {count} days" if count > 1 else "the day"


def compare(
    lesson: Doc, complaints: Mapping[str, str], corrections: Iterable[Doc], worked: Collection[str],
    now_ms: int,
) -> BeforeAfter | None:  # fmt: skip
    """The corrections of a lesson (a stored document) by time; None where it is not in use.

    `complaints` are the times of those tied to it, by event. `corrections` are the newest of the places where
    it holds, `worked` the days with work there.
    """
    approved = clock.parse_ms(lesson.get("reviewed_at"))
    if lesson.get("status") != "active" or not approved:
        return None
    own = lesson.get("evidence") or () if lesson.get("trust", "user") == "user" else ()
    ts_by_event = {seen["event_id"]: seen["ts"] for seen in own} | dict(complaints)
    ts_by_event |= {entry["id"]: entry["ts"] for entry in corrections if _is_about(lesson, entry)}
    ages = [clock.parse_ms(ts) - approved for ts in ts_by_event.values()]
    days = [clock.parse_ms(day) // DAY_MS - approved // DAY_MS for day in worked]
    return BeforeAfter(
        about=acts.named(lesson),
        before=sum(-DAYS * DAY_MS <= age < 0 for age in ages),
        days_before=min(DAYS, max(1, -min(days))) if min(days, default=1) <= 0 else 0,
        since=sum(0 <= age <= DAYS * DAY_MS for age in ages),
        days_since=min(DAYS, max(1, (now_ms - approved) // DAY_MS)) if max(days, default=-1) >= 0 else 0,
    )


def _is_about(lesson: Doc, entry: Doc) -> bool:
    """Whether a correction became part of a lesson, says the same, or speaks of what it names.

    What became part of another lesson has to say the same.
    """
    if entry["lesson"] == lesson["id"]:
        return True
    words, statement = entry["message"], str(lesson.get("statement", ""))
    nearness = similarity.score(meaning.parse(entry["text"]), meaning.read(statement))
    if nearness >= similarity.SAME or repeats.repeats(words, statement):
        return True
    return not entry["lesson"] and repeats.reminds(words, statement)

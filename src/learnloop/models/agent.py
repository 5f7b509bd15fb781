"""How an agent's work went over: counts, shares with their uncertainty, themes and areas."""

from typing import Literal

from pydantic import Field

from learnloop.models.base import Document

Change = Literal["better", "worse", "no clear change", "too few to say"]

FEWEST_TURNS = 10
"""Turns from which on a share or a weak area is shown: at 10 the 95 % interval is still up to ±26 points."""


class Interval(Document):
    """Between what a share lies with 95 % confidence (Wilson score interval)."""

    low: float = Field(ge=0, le=1)
    high: float = Field(ge=0, le=1)


class FailurePattern(Document):
    """A theme that corrections of one agent have in common."""

    pattern: str
    """What it is, readable."""
    instruction: str = ""
    """What to do or not to do, in the person's words; empty where only complaints are known."""
    count: int
    """So many remarks say it."""
    examples: tuple[str, ...] = ()
    """The newest of them, as they were said."""
    turn_ids: tuple[str, ...] = ()
    """The turns behind it, newest first."""


class AreaCount(Document):
    """How work in one area went."""

    area: str
    success_count: int = 0
    failure_count: int = 0
    """Revisions and cancellations."""
    turns: int = 0
    """All turns in it, also those of which nobody said anything; 0 where they were not counted."""


class AgentWeek(Document):
    """One week of an agent, by the day its turns began (UTC)."""

    week: str
    """Its Monday, YYYY-MM-DD."""
    invocations: int = 0
    turns: int = 0
    """Turns whose claim went to it, judged or not."""
    success_count: int = 0
    revision_count: int = 0
    cancellation_count: int = 0


class Period(Document):
    """An agent's turns on one side of a lesson's promotion."""

    turns: int = 0
    """Turns whose claim went to the agent."""
    success_count: int = 0
    failure_count: int = 0
    success_rate: float | None = None
    """Of the judged ones; null where none was."""
    success_interval: Interval | None = None
    failures_per_turn: float | None = None
    failure_interval: Interval | None = None


class LessonEffect(Document):
    """An agent before and since a lesson was promoted; both may have other causes."""

    lesson_id: str
    statement: str
    promoted: str
    told: int = 0
    """Turns of the agent in which the lesson was recalled."""
    before: Period = Period()
    since: Period = Period()
    change: Change = "too few to say"
    """Of failures per turn: clear only where the two intervals do not overlap."""


class AgentPerformance(Document):
    """How one agent's work went over; with a project or host, its work there only."""

    agent_name: str
    project: str = ""
    host: str = ""
    total_invocations: int = 0
    """Starts of a subagent; for `main` the prompts that a person gave it."""
    turns: int = 0
    """Turns whose claim went to it, judged or not."""
    corrected_rate: float | None = None
    """revision_count ÷ turns; null without any turn."""
    corrected_interval: Interval | None = None
    success_count: int = 0
    praised_count: int = 0
    """Successes that a person put into words; the others are concluded from silence."""
    revision_count: int = 0
    cancellation_count: int = 0
    success_rate: float | None = None
    """success ÷ (success + revision + cancellation); null where nothing was judged."""
    interval: Interval | None = None
    enough: bool = False
    """Whether enough turns were judged to say something."""
    failure_patterns: tuple[FailurePattern, ...] = ()
    strong_areas: tuple[str, ...] = ()
    weak_areas: tuple[str, ...] = ()
    areas: tuple[AreaCount, ...] = ()
    """What the two were chosen from."""
    series: tuple[AgentWeek, ...] = ()
    """Week by week, oldest first, from the first to the last week with work; quiet ones are zeros."""
    lessons: tuple[LessonEffect, ...] = ()
    last_updated: str = ""
    """When the newest turn counted began."""

    @property
    def judged(self) -> int:
        """Turns with an outcome."""
        return self.success_count + self.revision_count + self.cancellation_count

    @property
    def has_share(self) -> bool:
        """Whether it had enough turns to show the corrected share as a number."""
        return self.turns >= FEWEST_TURNS

    @property
    def corrected_words(self) -> str:
        """The share of corrected turns in words: a percentage, unless the turns are too few for one."""
        if self.corrected_rate is None:
            return "–"
        return f"{self.corrected_rate:.0%}" if self.has_share else "too few"

    @property
    def unsaid(self) -> int:
        """Turns about which nobody said anything, good or bad."""
        return max(0, self.turns - self.praised_count - self.revision_count - self.cancellation_count)

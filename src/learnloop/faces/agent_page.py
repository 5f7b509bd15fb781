"""Agents: all that a page about one says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from learnloop.faces import charts
from learnloop.faces.parts import Field, Heading, Pieces, Signed, Table, Title, Words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from learnloop.faces.parts import Part, When
    from learnloop.models.agent import AgentPerformance, AgentWeek, Period

FIGURES = {
    "revision": ("✎", "warn", "corrected"), "cancellation": ("✗", "bad", "left undone"),
    "success": ("✓", "good", "praised"), "unknown": ("·", "muted", "nothing said"),
}  # fmt: skip
"""The figures whose turns can be read: a glyph, a look and a word."""
_CHANGES = {
    "better": ("▼ fewer corrections", "good"), "worse": ("▲ more corrections", "bad"),
    "no clear change": ("= no clear change", "muted"), "too few to say": ("… too few to say", "muted"),
}  # fmt: skip
_WEEKS = 8
_LEVELS = "▁▂▃▄▅▆▇"
"""Without the full block, so that rows stay apart."""


def agent(
    agent: AgentPerformance, when: When, place: str = "", hint: str = "", *, ascii_only: bool = False
) -> Iterator[Part]:
    """How the work of one agent went: `place` is where, `hint` stands beside the figures."""
    yield Title(agent.agent_name, limit=3)
    seen = f"last at work {when(agent.last_updated)}" if agent.last_updated else ""
    yield Words(" · ".join(filter(None, (place, seen))), "muted")
    yield from _themes(agent)
    yield from _corrected(agent, hint)
    yield from charts.corrected(agent, ascii_only=ascii_only)
    yield from _areas(agent)
    yield from _weeks(agent)
    yield from _lessons(agent, when)


def counts(agent: AgentPerformance) -> dict[str, int]:
    """The turns behind each figure."""
    numbers = agent.revision_count, agent.cancellation_count, agent.praised_count, agent.unsaid
    return dict(zip(FIGURES, numbers, strict=True))


def _themes(agent: AgentPerformance) -> Iterator[Part]:
    yield Heading("Corrected most")
    if not agent.failure_patterns:
        yield Words("You have not corrected it on the same thing twice.", "muted")
    for theme in agent.failure_patterns:
        yield Signed(f" {theme.count:>2}× ", "warn", theme.pattern, "strong", 4)
        for example in theme.examples:
            if example not in theme.pattern:
                yield Pieces((("    ❝ ", "quote"), (example, "quote")))


def _corrected(agent: AgentPerformance, hint: str) -> Iterator[Part]:
    yield Heading("Corrected")
    interval = agent.corrected_interval
    if agent.corrected_rate is None or interval is None:
        yield Words("It has not finished a turn yet.", "muted")
    else:
        yield Words(agent.corrected_words, "strong" if agent.has_share else "muted")
        sure = f"with 95 % confidence {interval.low:.0%} to {interval.high:.0%}"
        yield Words(f"corrected in {agent.revision_count:,} of {agent.turns:,} turns; {sure}")
    yield Words()
    for figure, count in counts(agent).items():
        glyph, look, name = FIGURES[figure]
        number = (f"{count:>6,} ", "strong" if count else "muted")
        yield Pieces(((f"{glyph} ", look), number, (name, "text" if count else "muted")))
    yield Pieces((("  ", "text"), (f"{agent.total_invocations:>6,} ", "strong"), ("runs    ", "text"),
                  (hint, "label")))  # fmt: skip


def _areas(agent: AgentPerformance) -> Iterator[Part]:
    if agent.strong_areas or agent.weak_areas:
        yield Heading("Strong and weak at")
    areas = {area.area: area for area in agent.areas}
    for glyph, look, names in (("+", "good", agent.strong_areas), ("−", "bad", agent.weak_areas)):
        for name in names:
            counted = f"corrected or undone in {areas[name].failure_count} of {areas[name].turns} turns"
            yield Pieces(((f"{glyph} ", look), (f"{name:<20} ", "text"), (counted, "muted")))


def _weeks(agent: AgentPerformance) -> Iterator[Part]:
    if agent.series:
        yield Heading("Weeks")
        rows = [
            (week.week, *(f"{count:,}" for count in (
                week.invocations, week.turns, week.revision_count, week.cancellation_count
            )))
            for week in reversed(agent.series[-_WEEKS:])
        ]  # fmt: skip
        yield Table(("from", "runs", "turns", "corr", "undone"), rows)


def _lessons(agent: AgentPerformance, when: When) -> Iterator[Part]:
    if not agent.lessons:
        return
    yield Heading("Before and since a lesson")
    yield Words("corrections per turn of this agent, with 95 % intervals", "label")
    for effect in agent.lessons:
        words, look = _CHANGES[effect.change]
        yield Words()
        yield Words(effect.statement, limit=3)
        promotion = f"kept {when(effect.promoted)}, recalled in {effect.told} turns"
        yield Words(promotion, "muted", indent=3)
        yield Field("  before", side(effect.before))
        yield Field("  since", side(effect.since))
        yield Words(words, look, indent=3)


def side(period: Period) -> str:
    """One side of a promotion in words."""
    if period.failures_per_turn is None or period.failure_interval is None:
        return "no turns"
    low, high = period.failure_interval.low, period.failure_interval.high
    return f"{period.failures_per_turn:.0%} of {period.turns} turns ({low:.0%} to {high:.0%})"


def spark(series: Sequence[AgentWeek], cells: int) -> str:
    """Invocations of the last weeks as bars of seven heights; a dot is a week without."""
    counts = [week.invocations for week in series[-cells:]]
    most = max(counts, default=0)
    return "".join(
        _LEVELS[max(0, -(-len(_LEVELS) * count // most) - 1)] if count else "·" for count in counts
    )

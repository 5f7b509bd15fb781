"""What the agents' pane shows, as frozen values, and the pure functions that change it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from learnloop_tui.view.list_view import Pointing, followed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from learnloop.models.agent import AgentPerformance
    from learnloop.service.lessons.filters import Query
    from learnloop.service.profile.agent_figures import JudgedTurn

FIGURES = ("revision", "success", "cancellation", "unknown")
"""The figures whose turns can be opened, in the order of the key."""
FIGURE_NAMES = {
    "success": "good",
    "revision": "revised",
    "cancellation": "cancelled",
    "unknown": "not judged",
}


class AgentItem(NamedTuple):
    """One agent, or its work in one project with one host."""

    id: str
    found: AgentPerformance

    @property
    def unjudged(self) -> int:
        """Invocations that nobody said anything about."""
        return max(0, self.found.total_invocations - self.found.judged)


class Behind(NamedTuple):
    """The turns behind one figure of one agent."""

    item_id: str
    figure: str
    turns: tuple[JudgedTurn, ...]


class Agents(NamedTuple):
    """What was read in one go."""

    items: tuple[AgentItem, ...]
    split: bool
    behind: Behind | None = None


def item(found: AgentPerformance) -> AgentItem:
    """An agent's figures as a row."""
    return AgentItem("\0".join((found.agent_name, found.project, found.host)), found)


_KEYS: dict[str, Callable[[AgentPerformance], tuple[float | str, ...]]] = {
    "agent": lambda one: (one.agent_name.lower(), one.project, one.host),
    "runs": lambda one: (one.total_invocations,),
    "good": lambda one: (one.success_count,),
    "revised": lambda one: (one.revision_count,),
    "cancelled": lambda one: (one.cancellation_count,),
    "success": lambda one: (one.success_rate if one.success_rate is not None else -1.0, one.judged),
    "between": lambda one: (one.interval.low if one.interval else -1.0,),
    "weeks": lambda one: (one.last_updated,),
}
COLUMNS = tuple(_KEYS)
"""The columns in their order; the last sorts by when the agent was at work last."""


def sort_key(column: str, row: AgentItem) -> tuple[float | str, ...]:
    """What a column sorts by."""
    return _KEYS[column](row.found)


@dataclass(frozen=True)
class AgentsView(Pointing[AgentItem]):
    """The table: its rows, how they are sorted and filtered, and where the cursor stands."""

    rows: tuple[AgentItem, ...] = ()
    column: str = "runs"
    down: bool = True
    """The most first."""
    query: str = ""
    split: bool = False
    loaded: bool = False

    @cached_property
    def parsed(self) -> Query:
        """What the query asks, and what of it was not understood."""
        from learnloop.service.lessons import filters
        from learnloop_tui.view import filter_fields

        return filters.parse(self.query, 0, filter_fields.AGENTS, _haystack)

    @cached_property
    def items(self) -> tuple[AgentItem, ...]:
        """What the table shows, in order; equals stand by name."""
        fitting = list(filter(self.parsed.matches, self.rows))
        by_name = sorted(fitting, key=lambda row: sort_key("agent", row))
        return tuple(sorted(by_name, key=lambda row: sort_key(self.column, row), reverse=self.down))


def _haystack(row: AgentItem) -> str:
    one = row.found
    areas = (area.area for area in one.areas)
    themes = (theme.pattern for theme in one.failure_patterns)
    return " ".join((one.agent_name, one.project, one.host, *areas, *themes)).lower()


def with_agents(view: AgentsView, found: Iterable[AgentItem], *, split: bool) -> AgentsView:
    """New rows; the cursor stays on the agent it was on."""
    return followed(view, replace(view, rows=tuple(found), split=split, loaded=True))


def sorted_by(view: AgentsView, column: str) -> AgentsView:
    """Sorted by a column, the most first (names: from a on); the other way round if it was already."""
    down = not view.down if column == view.column else column != "agent"
    return followed(view, replace(view, column=column, down=down))


def next_column(view: AgentsView) -> AgentsView:
    """Sorted by the column after."""
    return sorted_by(view, COLUMNS[(COLUMNS.index(view.column) + 1) % len(COLUMNS)])


def flipped(view: AgentsView) -> AgentsView:
    """Sorted the other way round."""
    return sorted_by(view, view.column)


def filtered(view: AgentsView, query: str) -> AgentsView:
    """Only agents that fit the query."""
    return followed(view, replace(view, query=query))

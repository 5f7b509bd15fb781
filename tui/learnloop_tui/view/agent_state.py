"""What the agents' pane shows, as frozen values, and the pure functions that change it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from learnloop.service.project_names import names
from learnloop_tui.view.list_view import ListView, keep_cursor

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from learnloop.models.agent import AgentPerformance
    from learnloop.service.profile.judged_turns import JudgedTurn


class AgentItem(NamedTuple):
    """One agent, or its work in one project with one host."""

    id: str
    figures: AgentPerformance
    place: str = ""
    """Where the table is split: the project's name among those of the other rows, and the host."""


class FigureTurns(NamedTuple):
    """The turns behind one figure of one agent."""

    item_id: str
    figure: str
    turns: tuple[JudgedTurn, ...]


class AgentsSnapshot(NamedTuple):
    """What was read in one go."""

    items: tuple[AgentItem, ...]
    split: bool
    behind: FigureTurns | None = None


def items(agents: Sequence[AgentPerformance]) -> tuple[AgentItem, ...]:
    """The figures of agents as rows."""
    folders = names({figures.project for figures in agents})
    return tuple(
        AgentItem(
            "\0".join((figures.agent_name, figures.project, figures.host)),
            figures,
            " · ".join(filter(None, (folders.get(figures.project, ""), figures.host))),
        )
        for figures in agents
    )


_KEYS: dict[str, Callable[[AgentPerformance], tuple[float | str, ...]]] = {
    "agent": lambda agent: (agent.agent_name.lower(), agent.project, agent.host),
    "runs": lambda agent: (agent.total_invocations,), "turns": lambda agent: (agent.turns,),
    "corrected": lambda agent: (agent.revision_count,), "undone": lambda agent: (agent.cancellation_count,),
    "share": lambda agent: (agent.corrected_rate if agent.corrected_rate is not None else -1.0, agent.turns),
    "between": lambda agent: (agent.corrected_interval.low if agent.corrected_interval else -1.0,),
    "weeks": lambda agent: (agent.last_updated,),
}  # fmt: skip
COLUMNS = tuple(_KEYS)
"""The columns in their order; the last sorts by when the agent was at work last."""


def sort_key(column: str, row: AgentItem) -> tuple[float | str, ...]:
    """What a column sorts by."""
    return _KEYS[column](row.figures)


@dataclass(frozen=True, kw_only=True)
class AgentsView(ListView[AgentItem]):
    """The table: its rows, and how they are sorted."""

    PLACE: ClassVar[str] = "agents"

    column: str = "runs"
    down: bool = True
    split: bool = False

    @staticmethod
    def haystack(row: AgentItem) -> str:
        agent = row.figures
        areas = (area.area for area in agent.areas)
        themes = (theme.pattern for theme in agent.failure_patterns)
        return " ".join((agent.agent_name, agent.project, agent.host, *areas, *themes)).lower()

    @cached_property
    def items(self) -> tuple[AgentItem, ...]:
        """The shown rows, in order; equal ones by name."""
        by_name = sorted(self.fitting(self.rows), key=lambda row: sort_key("agent", row))
        return tuple(sorted(by_name, key=lambda row: sort_key(self.column, row), reverse=self.down))


def sorted_by(view: AgentsView, column: str) -> AgentsView:
    """Sorted by a column, the most first (names: from a on); the other way round if it was already."""
    down = not view.down if column == view.column else column != "agent"
    return keep_cursor(view, replace(view, column=column, down=down))


def next_column(view: AgentsView) -> AgentsView:
    """Sorted by the column after."""
    return sorted_by(view, COLUMNS[(COLUMNS.index(view.column) + 1) % len(COLUMNS)])


def flipped(view: AgentsView) -> AgentsView:
    """Sorted the other way round."""
    return sorted_by(view, view.column)

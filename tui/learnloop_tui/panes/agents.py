"""Agents: how the work of each went over, and the prompts behind every figure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual import on
from textual.message import Message

from learnloop_tui.bridge import profile_queries
from learnloop_tui.panes.bindings import bindings
from learnloop_tui.panes.paged import PagedPane
from learnloop_tui.view import agent_lines, agent_state, pages
from learnloop_tui.view.agent_state import FIGURES, Agents, AgentsView, Behind
from learnloop_tui.widgets.line_widgets import Bar

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual import events

    from learnloop_tui.bridge import Bridge
    from learnloop_tui.view.text import Line

_AT_FIGURE = {"good": "success", "revised": "revision", "cancelled": "cancellation"}
"""Which figure a click on a number opens."""


class Heads(Bar):
    """The heads of the columns; a click sorts by one."""

    @dataclass
    class Clicked(Message):
        """A column was clicked."""

        column: str

    async def on_click(self, event: events.Click) -> None:
        """Sort by the column under the pointer."""
        column = agent_lines.column_at(event.x, self.size.width - 1)
        if column:
            self.post_message(self.Clicked(column))


class AgentsPane(PagedPane):
    """A sortable table beside the page of the agent under its cursor."""

    shown: AgentsView
    PLACE = "agents"
    OPENS = "behind"
    BINDINGS = [*bindings("agents"), *bindings("list")]  # noqa: RUF012  # as Textual declares it

    def __init__(self, bridge: Bridge, now_ms: Callable[[], int]) -> None:
        self.shown = AgentsView()
        self.figure = ""
        """The figure whose turns are open; empty: the agent's page."""
        self.hooked = True
        self._split = False
        self._behind: Behind | None = None
        super().__init__(bridge, now_ms, agent_lines.row, Heads(classes="columns"))

    def to_copy(self, *, name: bool = False) -> str:
        """What the page says of the agent, or its name."""
        current = self.shown.current
        if current is None:
            return ""
        return current.found.agent_name if name else self._page.plain

    async def read(self) -> Agents:
        """The figures of every agent, and the turns behind the open one."""
        split, figure, current = self._split, self.figure, self.shown.current
        found = tuple(map(agent_state.item, await self._bridge.long(profile_queries.agents, split=split)))
        behind = None
        if figure and current is not None:
            one = current.found
            turns = await self._bridge.long(
                profile_queries.behind, one.agent_name, figure, one.project, one.host
            )
            behind = Behind(current.id, figure, turns)
        return Agents(found, split, behind)

    def fill(self, found: Agents) -> None:
        """Show what was read."""
        if found.split == self._split:
            self.shown = agent_state.with_agents(self.shown, found.items, split=found.split)
            self._behind = found.behind or self._behind
            self._draw()

    def set_hooks_installed(self, installed: bool) -> None:
        """Say so where the table is empty."""
        if installed != self.hooked:
            self.hooked = installed
            self._draw()

    # What is shown

    def pointed(self) -> None:
        """The prompts behind the figure of another agent are read."""
        if self.figure:
            self.reload()

    def header(self, width: int) -> Line:
        """The heads of the columns."""
        return agent_lines.header(self.shown, width)

    def nothing(self) -> list[Line]:
        """No agent was at work yet, or none fits."""
        return agent_lines.nothing(self.shown.query, self.hooked)

    def title(self) -> tuple[str, str]:
        """How many there are."""
        view = self.shown
        count = f" {len(view.items):,}" if view.loaded else ""
        return f"Agents{count}{' by project and host' if view.split else ''}", self.said_of_query()

    def page_title(self) -> str:
        """What stands on the page."""
        return "Prompts behind" if self.figure else "Agent"

    def page(self, width: int) -> list[Line]:
        """The agent's figures, or the prompts behind one of them."""
        current = self.shown.current
        if current is None:
            return []
        if not self.figure:
            return agent_lines.page(current, width, self._now_ms())
        found = self._behind
        if found is None or (found.item_id, found.figure) != (current.id, self.figure):
            return pages.loading()
        return agent_lines.behind(current, found, width, self._now_ms())

    # Sorting, splitting, filtering

    def why_not_sort(self) -> str:
        """An empty table has no order."""
        return "" if self.shown.rows else "There are no agents to sort yet."

    why_not_flip = why_not_sort

    def why_not_split(self) -> str:
        """An empty table has nothing to split."""
        return "" if self.shown.rows else "There are no agents to split yet."

    def do_sort(self) -> None:
        """By the next column."""
        self._set(agent_state.next_column(self.shown))

    def do_flip(self) -> None:
        """The other way round."""
        self._set(agent_state.flipped(self.shown))

    @on(Heads.Clicked)
    def _head_clicked(self, event: Heads.Clicked) -> None:
        event.stop()
        self._set(agent_state.sorted_by(self.shown, event.column))

    def do_split(self) -> None:
        """A row for each project and host, or one for each agent."""
        self._split, self.figure, self._behind = not self._split, "", None
        self.reload()

    def filter_by(self, query: str) -> None:
        """Show only agents that fit the query."""
        self._set(agent_state.filtered(self.shown, query))

    # The prompts behind

    def why_not_behind(self) -> str:
        """Without an agent there is nothing behind it."""
        return "" if self.shown.current else "There is nothing to open here."

    def do_behind(self) -> None:
        """The turns of the first figure that has any; once they are open, read on in them."""
        if not self.figure:
            self.open_figure(self._first())
        self._page.focus()

    def _first(self) -> str:
        one = self.shown.current
        if one is None:
            return FIGURES[0]
        counts = (one.found.revision_count, one.found.success_count, one.found.cancellation_count, 1)
        return next(figure for figure, count in zip(FIGURES, counts, strict=True) if count)

    def open_figure(self, figure: str) -> None:
        """Show the turns behind a figure of the agent under the cursor."""
        self.figure = figure
        self._draw(top=True)
        self.reload()

    def why_not_figure(self) -> str:
        """Only figures can be turned."""
        return self.why_not_behind()

    why_not_figure_back = why_not_figure

    def do_figure(self) -> None:
        """The next figure."""
        self._turn(1)

    def do_figure_back(self) -> None:
        """The figure before."""
        self._turn(-1)

    def _turn(self, step: int) -> None:
        at = FIGURES.index(self.figure) + step if self.figure else FIGURES.index(self._first())
        self.open_figure(FIGURES[at % len(FIGURES)])

    def do_escape(self) -> None:
        """Leave the prompts, then the filter."""
        if self._page.has_focus or self.figure:
            self.figure, self._behind = "", None
            self._rows.focus()
            self._draw(top=True)
        else:
            self.close_filter(keep=False)

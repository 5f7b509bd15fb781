"""Agents: how the work of each went over, and the prompts behind every figure."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from textual import on

from learnloop.faces import agent_page
from learnloop_tui.panes.actions import Action, needs
from learnloop_tui.panes.bindings import bindings
from learnloop_tui.panes.list_pane import ListPane
from learnloop_tui.view import agent_lines, agent_state, list_view, pages
from learnloop_tui.view.agent_state import AgentsSnapshot, AgentsView, FigureTurns
from learnloop_tui.widgets.column_heads import ColumnHeads

if TYPE_CHECKING:
    from collections.abc import Callable

    from learnloop.service.profile.judged_turns import Figure
    from learnloop_tui.bridge import Bridge
    from learnloop_tui.view.text import Line

_FIGURES = tuple(agent_page.FIGURES)


class AgentsPane(ListPane[AgentsView]):
    """A sortable table beside the page of the agent under its cursor."""

    PLACE = "agents"
    BINDINGS = bindings("agents", "list")

    def __init__(self, bridge: Bridge, now_ms: Callable[[], int]) -> None:
        self.figure = ""
        """The figure whose turns are open; empty: the agent's page."""
        self._split = False
        self._behind: FigureTurns | None = None
        columns = ColumnHeads(agent_lines.column_at)
        super().__init__(bridge, now_ms, AgentsView(), agent_lines.row, columns=columns)

    def handlers(self) -> dict[str, Action]:
        sortable = needs(lambda: self.view.rows, "There are no agents to sort yet.")
        readable = needs(lambda: self.view.current, "There is nothing to open here.")
        return {
            **super().handlers(),
            "sort": Action(lambda: self.set_view(agent_state.next_column(self.view)), sortable),
            "flip": Action(lambda: self.set_view(agent_state.flipped(self.view)), sortable),
            "group": Action(
                self._toggle_split, needs(lambda: self.view.rows, "There are no agents to split yet.")
            ),
            "open": Action(self._read_behind, readable),
            "view": Action(lambda: self.turn(1), readable),
            "view_back": Action(lambda: self.turn(-1), readable),
        }

    def to_copy(self, *, name: bool = False) -> str:
        current = self.view.current
        if current is None:
            return ""
        return current.figures.agent_name if name else self.page_view.plain

    async def read(self) -> AgentsSnapshot:
        from learnloop.service.profile import agent_figures, judged_turns

        split, figure, current = self._split, self.figure, self.view.current
        items = agent_state.items(await self._bridge.long(agent_figures.performance, split=split))
        behind = None
        if figure and current is not None:
            agent = current.figures
            turns = await self._bridge.long(
                judged_turns.turns_behind, agent.agent_name, cast("Figure", figure),
                project=agent.project or None, host=agent.host or None,
            )  # fmt: skip
            behind = FigureTurns(current.id, figure, tuple(turns))
        return AgentsSnapshot(items, split, behind)

    def fill(self, data: AgentsSnapshot) -> None:
        """Show what was read, unless the table was split meanwhile."""
        if data.split == self._split:
            self.view = list_view.with_rows(self.view, data.items, split=data.split)
            self._behind = data.behind or self._behind
            self._draw()

    # What is shown

    def row_changed(self, *, is_other: bool) -> None:
        if is_other and self.figure:
            self.reload()
        super().row_changed(is_other=is_other)

    def header(self, width: int) -> Line:
        return agent_lines.header(self.view, width)

    def nothing(self) -> list[Line]:
        return agent_lines.nothing(self.view.query, self.hooked is not False)

    def title(self) -> tuple[str, str]:
        count = f" {len(self.view.items):,}" if self.view.loaded else ""
        return f"Agents{count}{' by project and host' if self.view.split else ''}", self.filter_note()

    def page_title(self) -> str:
        return "Prompts behind" if self.figure else "Agent"

    def page(self, width: int) -> list[Line]:
        current, behind = self.view.current, self._behind
        if current is None:
            return []
        if not self.figure:
            return agent_lines.page(current, width, self._now_ms())
        if behind is None or (behind.item_id, behind.figure) != (current.id, self.figure):
            return pages.loading()
        return agent_lines.behind(current, behind, width, self._now_ms())

    # Sorting and splitting

    @on(ColumnHeads.Clicked)
    def _head_clicked(self, event: ColumnHeads.Clicked) -> None:
        event.stop()
        self.set_view(agent_state.sorted_by(self.view, event.column))

    def _toggle_split(self) -> None:
        self._split, self.figure, self._behind = not self._split, "", None
        self.reload()

    # The prompts behind

    def _read_behind(self) -> None:
        """Open the turns of the first figure that has any; once they are open, read on in them."""
        if not self.figure:
            self.open_figure(self._first_figure())
        self.page_view.focus()

    def _first_figure(self) -> str:
        if self.view.current is None:
            return _FIGURES[0]
        counts = agent_page.counts(self.view.current.figures)
        return next((figure for figure in _FIGURES if counts[figure]), _FIGURES[-1])

    def open_figure(self, figure: str) -> None:
        self.figure = figure
        self._draw(top=True)
        self.reload()

    def turn(self, step: int) -> None:
        index = _FIGURES.index(self.figure) + step if self.figure else _FIGURES.index(self._first_figure())
        self.open_figure(_FIGURES[index % len(_FIGURES)])

    def leave_page(self) -> bool:
        if not (self.page_view.has_focus or self.figure):
            return False
        self.figure, self._behind = "", None
        self.row_list.focus()
        self._draw(top=True)
        return True

"""A list of lessons and the details of one: reading, moving, marking, sorting, grouping."""

from __future__ import annotations

import time
from abc import abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from textual import on, work
from textual.message import Message

from learnloop_tui.bridge import lesson_insights
from learnloop_tui.panes.actions import Action, needs
from learnloop_tui.panes.list_pane import ListPane
from learnloop_tui.panes.pane import PaneChanged
from learnloop_tui.view import detail, lesson_lines, lesson_state, list_view, pages, text
from learnloop_tui.view.lesson_state import Fold, Head, LessonsView
from learnloop_tui.view.page_parts import block
from learnloop_tui.view.state import LessonInsights
from learnloop_tui.widgets.column_heads import ColumnHeads
from learnloop_tui.widgets.row_list import Tall

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from textual.app import ComposeResult

    from learnloop_tui.bridge import Bridge
    from learnloop_tui.view.lesson_lines import Columns
    from learnloop_tui.view.lesson_state import Item
    from learnloop_tui.view.state import Detail, Row
    from learnloop_tui.view.text import Line


HURRY_S = 0.08
"""A cursor that moves again within this time is only passing: details are read once it rests."""
_AGE_S = 20.0
"""How often the details are drawn anew, for the ages in them."""


@dataclass
class DetailRequested(Message):
    """The details of a lesson are to be read and shown in the pane."""

    pane: LessonListPane
    row_id: str


class LessonListPane(ListPane[LessonsView]):
    """A list beside the details of the lesson under its cursor."""

    TITLE: ClassVar[str] = ""
    PAGE = "Lesson"

    def __init__(self, bridge: Bridge, now_ms: Callable[[], int], view: LessonsView) -> None:
        self._detail: tuple[Row, Detail] | None = None
        self._insights: tuple[str, LessonInsights] = ("", LessonInsights())
        self._explained = False
        self._moved_at = 0.0
        self._waiting = False
        columns = ColumnHeads(lambda x, width: lesson_lines.column_at(x, width, self._columns(width)))
        tall = Tall(
            lambda item, width: lesson_lines.height(item, width, self._columns(width)), self._draw_item
        )
        super().__init__(bridge, now_ms, view, tall, columns=columns)

    def handlers(self) -> dict[str, Action]:
        return {
            **super().handlers(),
            **self.mark_handlers(),
            "sort": Action(self._sort, needs(lambda: self.view.total, "There is nothing to sort.")),
            "flip": Action(
                lambda: self._sort_by(self.view.order, flipped=not self.view.flipped),
                needs(lambda: self.view.order, "Nothing is sorted: o sorts by the next column."),
            ),
            "group": Action(self._group, needs(lambda: self.view.total, "There is nothing to group.")),
            "open": Action(self._open, needs(lambda: self.view.items, "There is nothing to explain here.")),
        }

    @abstractmethod
    def draw_row(
        self, item: Item, width: int, marked: bool, fresh: bool, columns: Columns, most: int
    ) -> list[Line]:
        """A row in at most so many lines."""

    def _draw_item(self, item: Item, width: int, marked: bool, fresh: bool, most: int) -> list[Line]:
        return self.draw_row(item, width, marked, fresh, self._columns(width), most)

    def _columns(self, width: int) -> Columns:
        """The columns of the list; in groups by project their heads name it."""
        many = self.view.many_projects and self.view.group != "project"
        return lesson_lines.columns_for(self.PLACE, width, many_projects=many)

    def compose(self) -> ComposeResult:
        """The frame of the list; the rest comes after the first frame on the screen."""
        with self.list_frame:
            yield self._empty

    async def furnish(self) -> None:
        if not self.row_list.is_attached:
            await self.list_frame.mount(self.heads, self.row_list, before=self._empty)
            await self.mount(self.page_frame)

    def on_mount(self) -> None:
        super().on_mount()
        self.set_interval(_AGE_S, lambda: self._draw_page(top=False))

    def reload(self) -> None:
        """The app reads the lessons of all panes and hands them over."""

    def to_copy(self, *, name: bool = False) -> str:
        return "\n".join(row.id if name else text.line(row.statement) for row in self.view.targets)

    # Sorting and grouping

    @on(ColumnHeads.Clicked)
    def _head_clicked(self, event: ColumnHeads.Clicked) -> None:
        """Sort by the column, at the second click the other way round, at the third not at all."""
        event.stop()
        again = event.column == self.view.order
        self._sort_by("" if again and self.view.flipped else event.column, flipped=again)

    def _sort_by(self, order: str, *, flipped: bool = False) -> None:
        self.set_view(lesson_state.ordered(self.view, order, flipped=flipped))

    def _sort(self) -> None:
        """By the next column; after the last as it was at first."""
        columns = lesson_lines.columns_for(self.PLACE, 200, many_projects=self.view.many_projects)
        names = ["", "lesson", *(name for name, _ in columns.placed), "new"]
        self._sort_by(names[(names.index(self.view.order) + 1) % len(names)])

    def _group(self) -> None:
        """By project, category, agent, origin, prompt, and not any more."""
        names = ["", *lesson_state.GROUPS]
        group = names[(names.index(self.view.group) + 1) % len(names)]
        self.set_view(lesson_state.grouped(self.view, group))

    # What is shown

    def show_rows(self, rows: Sequence[Row]) -> None:
        self.set_view(lesson_state.with_rows(self.view, rows), changed=True)

    def header(self, width: int) -> Line:
        order = self.view.order
        down = not order or lesson_state.ORDERS[order][1] != self.view.flipped
        return lesson_lines.header(width, self._columns(width), order, down)

    def nothing(self) -> list[Line]:
        return pages.no_match(self.view.query) if self.view.query else self.none_yet()

    @abstractmethod
    def none_yet(self) -> list[Line]:
        """What the list shows without any lesson."""

    def title(self) -> tuple[str, str]:
        view = self.view
        notes = (
            self.filter_note(),
            f"by {view.order}" if view.order else "",
            f"groups by {view.group}" if view.group else "",
            f"◆ {len(view.marks):,} marked" if view.marks else "",
        )
        return self.heading(), " · ".join(filter(None, notes))

    def heading(self) -> str:
        return f"{self.TITLE} {self.view.total:,}" if self.view.loaded else self.TITLE

    # The details

    def row_changed(self, *, is_other: bool) -> None:
        """Read the details, once the cursor rests; until then those of the row before stay."""
        if is_other:
            self._explained = False
        if self.view.current is None:
            self._detail = None
            self._draw_page(top=True)
            return
        hurried, self._moved_at = time.monotonic() - self._moved_at < HURRY_S, time.monotonic()
        if not hurried:
            self._request_detail()
        elif not self._waiting:
            self._waiting = True
            self.set_timer(HURRY_S, self._settle)

    def _settle(self) -> None:
        left = HURRY_S - (time.monotonic() - self._moved_at)
        if left > HURRY_S / 10:
            self.set_timer(left, self._settle)
            return
        self._waiting = False
        self._request_detail()

    def take_focus(self) -> None:
        """What the lesson says may have changed while another pane was open."""
        super().take_focus()
        self._request_detail()

    def _request_detail(self) -> None:
        if self.view.current is not None and self.display:
            self.post_message(DetailRequested(self, self.view.current.id))

    def page(self, width: int) -> list[Line]:
        if self.view.current is None:
            return _about_heading(self.view.item, width)
        if self._detail is None:
            return []
        row, lesson = self._detail
        insights = self._insights[1] if self._insights[0] == row.id else None
        return detail.layout(row, lesson, width, self._now_ms(), explained=self._explained, insights=insights)

    def show_detail(self, row_id: str, lesson: Detail) -> None:
        """Show the details of a lesson, unless the cursor is elsewhere by now."""
        row = self.view.current
        if row is None or row.id != row_id:
            return
        is_same = self._detail is not None and self._detail[0].id == row_id
        self._detail = (row, lesson)
        self._draw_page(top=not is_same)
        self._read_insights(row_id)

    @work(group="insights", exclusive=True, exit_on_error=False)
    async def _read_insights(self, row_id: str) -> None:
        """Read what takes longer than the lesson: where it is said already, what it would have done."""
        insights = await self._bridge.latest(lesson_insights.insights, row_id)
        row = self.view.current
        if insights is not None and row is not None and row.id == row_id:
            self._insights = (row_id, insights)
            self._draw_page(top=False)
            self.post_message(PaneChanged())

    def insights(self, row_id: str) -> LessonInsights:
        """What was worked out about a lesson, as far as it is there."""
        return self._insights[1] if self._insights[0] == row_id else LessonInsights()

    # Moving

    def opens(self, *, again: bool) -> bool:
        """The heading of a group opens and shuts at the first click."""
        return again or isinstance(self.view.item, Head)

    def point_at(self, row_ids: Sequence[str]) -> None:
        shown = [self.view.positions[row_id] for row_id in row_ids if row_id in self.view.positions]
        if shown:
            self.set_view(list_view.moved(self.view, min(shown)))

    def reveal(self, item_id: str) -> bool:
        """Open the details of a lesson whatever hid it; whether there is such a one."""
        view = lesson_state.revealed(self.view, item_id)
        if item_id not in view.positions:
            return False
        if view.query != self.view.query:
            self.close_filter(keep=False)
        self.set_view(view)
        self._explained = False
        self._open()
        return True

    def go_on(self, row_id: str) -> None:
        if self.view.current is not None and self.view.current.id == row_id:
            self.set_view(list_view.advanced(self.view))

    def leave_page(self) -> bool:
        """Leave the details, or what explains their numbers; whether either was open."""
        if not (self.page_view.has_focus or self._explained):
            return False
        self._explained = False
        self._draw_page(top=True)
        self.row_list.focus()
        return True

    def _open(self) -> None:
        """Explain the numbers and read on in the details; open or close a group."""
        if isinstance(self.view.item, Fold):
            self.set_view(lesson_state.unfolded(self.view))
        elif isinstance(self.view.item, Head):
            self.set_view(lesson_state.toggled(self.view, self.view.item.name))
        else:
            self._explained = not self._explained or not self.page_view.has_focus
            self._draw_page(top=True)
            self.page_view.focus()


def _about_heading(item: Item | None, width: int) -> list[Line]:
    if isinstance(item, Fold):
        todo = "f or enter folds them again." if item.open else "f or enter shows them."
        return [(), *block(f"{item.words}.", width, "text"), *block(todo, width, "muted")]
    if isinstance(item, Head):
        held = f" {item.held:,} in this group."
        return [(), ((held, "text"),), ((" enter folds or unfolds it.", "muted"),)]
    return []

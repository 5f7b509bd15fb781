"""A pane with a list of lessons and the details of one: reading, moving, marking, filtering."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from textual import work
from textual.containers import Vertical
from textual.message import Message

from learnloop_tui.bridge import lesson_insights
from learnloop_tui.panes.base import PaneChanged
from learnloop_tui.panes.cursor_pane import MovingPane
from learnloop_tui.view import detail, lines, pages, state, text
from learnloop_tui.view.state import Beside, Fold, Head, Row, View
from learnloop_tui.widgets.line_widgets import Bar, Page, entitle
from learnloop_tui.widgets.rows import RowList

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from textual import events
    from textual.app import ComposeResult

    from learnloop_tui.bridge import Bridge
    from learnloop_tui.view.state import Detail, Item
    from learnloop_tui.view.text import Line


HURRY_S = 0.08
"""A cursor that moves again within this time is only passing: details are read once it rests."""
_AGE_S = 20.0
"""How often the details are drawn anew, for what they say about time."""


class ListPane(MovingPane):
    """A list beside the details of the lesson under its cursor."""

    TITLE: ClassVar[str] = ""
    COUNTED: ClassVar[str] = ""
    OPENS = "open"

    @dataclass
    class Wanted(Message):
        """The details of a lesson are to be shown."""

        pane: ListPane
        row_id: str

    def __init__(self, bridge: Bridge, now_ms: Callable[[], int]) -> None:
        super().__init__(bridge, now_ms)
        self.view = View()
        self._detail: tuple[Row, Detail] | None = None
        self._beside: tuple[str, Beside] = ("", Beside())
        self._explained = False
        self._rows = RowList(self.draw_row)
        self._columns = Bar(classes="columns")
        self._empty = Page(classes="empty")
        self._page = Page()
        self._moved_at = 0.0
        self._began_at = ""
        self._waiting = False
        self._box = Vertical(self._empty, classes="list")

    def draw_row(self, item: Item, width: int, marked: bool, fresh: bool) -> Line:
        """The line of an item."""
        raise NotImplementedError

    def compose(self) -> ComposeResult:
        """The frame of the list; the rest comes after the first frame on the screen."""
        yield self._box

    async def furnish(self) -> None:
        """List and details."""
        if self._rows.is_attached:
            return
        frame = Vertical(self._page, classes="detail")
        frame.border_title = text.content("Lesson")
        await self._box.mount(self._columns, self._rows, before=self._empty)
        await self.mount(frame)

    def on_mount(self) -> None:
        """Nothing is loaded yet."""
        self._empty.can_focus = False
        self._columns.show(self._heads)
        self._show_state()
        self.set_interval(_AGE_S, self._draw_detail)

    def _heads(self, width: int) -> tuple[Line, dict[str, str]]:
        order = self.view.order
        down = not order or state.ORDERS[order][1] != self.view.flipped
        return lines.header(width - 1, self.COUNTED, order, down), {}

    def on_click(self, event: events.Click) -> None:
        """A click on the head of a column sorts by it, again the other way round, once more not at all."""
        if event.widget is not self._columns:
            return
        width = self._columns.size.width
        for name, _, start, wide in lines.columns(width - 1, self.COUNTED):
            if start <= event.x < start + wide:
                again = name == self.view.order
                self._sort_by("" if again and self.view.flipped else name, flipped=again)

    def _sort_by(self, order: str, *, flipped: bool = False) -> None:
        self.set_view(state.ordered(self.view, order, flipped=flipped))
        self._columns.show(self._heads)

    def why_not_sort(self) -> str:
        """An empty list has no order."""
        return "" if self.view.total else "There is nothing to sort."

    def do_sort(self) -> None:
        """By the next column; after the last as it was at first."""
        names = ["", *(name for name, *_ in lines.columns(200, self.COUNTED)), "new"]
        self._sort_by(names[(names.index(self.view.order) + 1) % len(names)])

    def why_not_flip(self) -> str:
        """Only what is sorted can be turned round."""
        return "" if self.view.order else "Nothing is sorted: o sorts by the next column."

    def do_flip(self) -> None:
        """The other way round."""
        self._sort_by(self.view.order, flipped=not self.view.flipped)

    def why_not_group(self) -> str:
        """An empty list has no groups."""
        return "" if self.view.total else "There is nothing to group."

    def do_group(self) -> None:
        """By project, category, agent, origin, and not any more."""
        names = ["", *state.GROUPS]
        group = names[(names.index(self.view.group) + 1) % len(names)]
        self.set_view(state.grouped(self.view, group))
        self._show_state()

    def take_focus(self) -> None:
        """The list has the keys; the pane itself where it is empty."""
        (self if self.view.loaded and not self.view.items else self._rows).focus()

    def to_copy(self, *, name: bool = False) -> str:
        """The statements of the marked rows, else of the one under the cursor; or their ids."""
        return "\n".join(row.id if name else text.line(row.statement) for row in self.view.targets)

    # What is shown

    def show_rows(self, rows: Sequence[Row]) -> None:
        """Show those rows, the cursor where it was."""
        self.set_view(state.with_rows(self.view, rows), changed=True)

    def set_view(self, view: View, *, changed: bool = False) -> None:
        """Show that view; `changed` says that the lesson under the cursor may have changed as well."""
        before, self.view = self.view, view
        self._rows.show(view)
        if changed or before.items is not view.items or _titled(before) != _titled(view):
            self._show_state()
        if changed or before.item is not view.item:
            self._show_current(moved=_id(before) != _id(view))
        self.post_message(PaneChanged())

    def _show_state(self) -> None:
        empty = not self.view.items
        self._rows.display, self._empty.display = not empty, empty
        self._columns.display = not empty
        self.keep_keys(self._rows, self._page, is_empty=empty)
        if empty:
            self._empty.show(self._empty_lines)
        entitle(self._box, self.heading(), self._subtitle())

    def _empty_lines(self, width: int) -> list[Line]:
        if not self.view.loaded:
            return pages.loading()
        said = pages.no_match(self.view.query) if self.view.query else self.nothing()
        return pages.wrapped(said, width)

    def nothing(self) -> list[Line]:
        """What stands where the list is empty."""
        raise NotImplementedError

    def heading(self) -> str:
        """The title of the list with its count."""
        return f"{self.TITLE} {self.view.total:,}" if self.view.loaded else self.TITLE

    @property
    def asked(self) -> View:
        """The list."""
        return self.view

    @property
    def shown_count(self) -> int:
        """How many lessons fit, those in folded groups among them."""
        shown = sum(isinstance(item, Row) for item in self.view.items)
        return shown + sum(item.held for item in self.view.items if isinstance(item, Head) and not item.open)

    def _subtitle(self) -> str:
        parts = [self.said_of_query()] if self.view.query else []
        if self.view.order:
            parts.append(f"by {self.view.order}")
        if self.view.group:
            parts.append(f"groups by {self.view.group}")
        if self.view.marks:
            parts.append(f"◆ {len(self.view.marks):,} marked")
        return " · ".join(parts)

    # The details

    def _show_current(self, *, moved: bool) -> None:
        row = self.view.current
        if moved:
            self._explained = False
        if row is None:
            self._detail = None
            self._page.show(self._no_detail)
            return
        hurried, self._moved_at = time.monotonic() - self._moved_at < HURRY_S, time.monotonic()
        if not hurried:
            self._want_detail()
        elif not self._waiting:
            self._waiting = True
            self.set_timer(HURRY_S, self._settled)

    def _settled(self) -> None:
        """Read the details once the cursor rests."""
        left = HURRY_S - (time.monotonic() - self._moved_at)
        if left > HURRY_S / 10:
            self.set_timer(left, self._settled)
            return
        self._waiting = False
        self._want_detail()

    def _want_detail(self) -> None:
        if self.view.current is not None:
            self.post_message(self.Wanted(self, self.view.current.id))

    def _no_detail(self, _width: int) -> list[Line]:
        item = self.view.item
        if isinstance(item, Fold):
            told = ((f" {item.hidden:,} weaker drafts.", "text"),), ((" w or enter shows them.", "muted"),)
            return [(), *told]
        if isinstance(item, Head):
            return [
                (),
                ((f" {item.held:,} in this group.", "text"),),
                ((" enter folds or unfolds it.", "muted"),),
            ]
        return []

    def show_detail(self, row_id: str, found: Detail) -> None:
        """Show the details of a lesson, unless the cursor is elsewhere by now."""
        row = self.view.current
        if row is None or row.id != row_id:
            return
        same = self._detail is not None and self._detail[0].id == row_id
        self._detail = (row, found)
        self._draw_detail(keep_place=same)
        self._look_beside(row_id)

    @work(group="beside", exclusive=True, exit_on_error=False)
    async def _look_beside(self, row_id: str) -> None:
        """What takes longer than reading the lesson: where it is said already, what it would have done."""
        found = await self._bridge.latest(lesson_insights.insights, row_id)
        row = self.view.current
        if found is not None and row is not None and row.id == row_id:
            self._beside = (row_id, found)
            self._draw_detail()
            self.post_message(PaneChanged())

    def beside(self, row_id: str) -> Beside:
        """What was worked out about a lesson, as far as it is there."""
        return self._beside[1] if self._beside[0] == row_id else Beside()

    def _draw_detail(self, *, keep_place: bool = True) -> None:
        if self._detail is None:
            return
        row, found = self._detail
        now, explained = self._now_ms(), self._explained
        self._page.show(
            lambda width: detail.layout(
                row, found, width, now, explained=explained, sections=self.beside(row.id).sections
            ),
            keep_place=keep_place,
        )

    # Moving

    def go(self, index: int) -> None:
        """The cursor on that row."""
        self.set_view(state.moved(self.view, index))

    def opens(self, *, again: bool) -> bool:
        """The head of a group opens and shuts at the first click."""
        return again or isinstance(self.view.item, Head)

    def point_at(self, row_ids: Sequence[str]) -> None:
        """The cursor on the first of those lessons that the list shows."""
        shown = [self.view.positions[row_id] for row_id in row_ids if row_id in self.view.positions]
        if shown:
            self.set_view(state.moved(self.view, min(shown)))

    def reveal(self, row_id: str) -> bool:
        """The cursor on a lesson whatever hid it, its details open; whether there is such a one."""
        view = state.revealed(self.view, row_id)
        if row_id not in view.positions:
            return False
        if view.query != self.view.query:
            self.close_filter(keep=False)
        self.set_view(view)
        self._explained = False
        self.do_open()
        return True

    def go_on(self, row_id: str) -> None:
        """The next row, where the list still shows the one that was decided on."""
        if self.view.current is not None and self.view.current.id == row_id:
            self.set_view(state.advanced(self.view))

    # Marks, filter, details

    def why_not_mark(self) -> str:
        """Only lessons can be marked."""
        return "" if self.view.current else "There is nothing to mark here."

    def do_mark(self) -> None:
        """Mark, and go on to the next."""
        self.set_view(state.marked(self.view))

    def why_not_mark_all(self) -> str:
        """Only lessons can be marked."""
        return "" if self.view.items else "There is nothing to mark here."

    def do_mark_all(self) -> None:
        """Mark all that is shown."""
        self.set_view(state.all_marked(self.view))

    def why_not_filter(self) -> str:
        """An empty list has nothing to filter."""
        return "" if self.view.total else "There is nothing to filter."

    def filter_by(self, query: str) -> None:
        """Show only what fits the query; while it is typed, the cursor comes back to where it was."""
        view = state.filtered(self.view, query, self._now_ms())
        if self._began_at in view.positions:
            view = state.moved(view, view.positions[self._began_at])
        self.set_view(view)

    async def do_filter(self) -> None:
        """Open the filter line, and remember where the cursor stands."""
        self._began_at = self.view.current.id if self.view.current else ""
        await super().do_filter()

    def close_filter(self, *, keep: bool) -> None:
        """Put the filter line away."""
        super().close_filter(keep=keep)
        self._began_at = ""

    def do_escape(self) -> None:
        """Leave the details, then the marks, then the filter."""
        if self._page.has_focus or self._explained:
            self._explained = False
            self._draw_detail(keep_place=False)
            self._rows.focus()
        elif self.view.marks:
            self.set_view(state.unmarked(self.view))
        else:
            self.close_filter(keep=False)

    def why_not_open(self) -> str:
        """An empty list has nothing to explain."""
        return "" if self.view.items else "There is nothing to explain here."

    def do_open(self) -> None:
        """Explain the numbers and read on in the details."""
        if isinstance(self.view.item, Fold):
            self.set_view(state.unfolded(self.view))
            return
        if isinstance(self.view.item, Head):
            self.set_view(state.toggled(self.view, self.view.item.name))
            return
        self._explained = not self._explained or not self._page.has_focus
        self._draw_detail(keep_place=False)
        self._page.focus()


def _titled(view: View) -> tuple[object, ...]:
    """What the frame of the list tells."""
    return view.query, view.marks, view.states, view.order, view.flipped, view.group


def _id(view: View) -> str:
    return view.current.id if view.current else ""

"""A pane with a filtered list that the cursor moves in, beside a page about the row under it."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from textual import on
from textual.binding import Binding
from textual.containers import Vertical
from textual.message import Message
from textual.suggester import Suggester
from textual.widgets import Input

from learnloop_tui.panes.actions import Action, needs
from learnloop_tui.panes.pane import Pane, PaneChanged
from learnloop_tui.view import list_view, pages, text
from learnloop_tui.view.list_view import ListView
from learnloop_tui.widgets.line_widgets import Bar, Page, entitle
from learnloop_tui.widgets.row_list import RowList

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual import events
    from textual.app import ComposeResult

    from learnloop.service.lessons.filters import FilterField
    from learnloop_tui.bridge import Bridge
    from learnloop_tui.view.text import Line
    from learnloop_tui.widgets.line_widgets import Scroller
    from learnloop_tui.widgets.row_list import Draw, Tall


_LONGEST = 1_000
_OFFERED = 12
"""Completions that are shown; more do not fit."""


class _Completions(Suggester):
    """Shows how the last word goes on."""

    def __init__(self, bar: FilterBar) -> None:
        super().__init__(use_cache=False, case_sensitive=True)
        self._bar = bar

    async def get_suggestion(self, value: str) -> str | None:
        """The whole line with the completion, as Textual wants it."""
        return self._bar.completed(value) or None


class FilterBar(Input):
    """Posts `Input.Changed` while words are typed, and `Closed`: enter keeps them, escape drops them."""

    BINDINGS = [  # noqa: RUF012  # as Textual declares it
        Binding("escape", "close(False)", "drop", show=False),
        Binding("enter,down", "close(True)", "keep", show=False),
        Binding("tab", "complete", "complete", show=False),
        Binding("f1", "explain", "explain", show=False),
    ]

    @dataclass
    class Closed(Message):
        """The keys go back to the list."""

        keep: bool
        """Whether the words stay in force."""

    def __init__(self, place: str, view: Callable[[], ListView[Any]]) -> None:
        """`view` gives the list of that place as it is filtered now."""
        super().__init__(
            view().query,
            placeholder="words, or kind:pattern prio:>=high seen:>2 (tab completes, ? explains)",
            compact=True, select_on_focus=False, suggester=_Completions(self), max_length=_LONGEST,
        )  # fmt: skip
        self.hints = Bar(classes="columns")
        """The line under this one: a problem, how the last word may go on, or how many rows fit."""
        self._place = place
        self._view = view
        self._values: dict[str, list[str]] = {}
        self._values_of: object = None

    def on_focus(self) -> None:
        self.hints.display = True
        self.show_hint()

    def on_blur(self) -> None:
        """Leave only a problem to be read."""
        self.hints.display = bool(self._view().parsed.problems)

    def show_hint(self) -> None:
        line = self._hint()
        self.hints.show(lambda _: (line, {}))

    def _hint(self) -> Line:
        view, ends = self._view(), self._ends(self.value)
        if view.parsed.problems:
            return ((f" {view.parsed.problems[0]}", "warn"),)
        if ends:
            values = (end.partition(":")[2] or end for end in ends[1:_OFFERED])  # the field is said already
            others = "".join(f" · {value}" for value in values)
            return ((" tab", "key"), (f" {ends[0]}", "accent"), (others, "muted"))
        if not self.value:
            names = " ".join(f"{field.name}:" for field in view.fields)
            return ((" ?", "key"), (" explains", "muted"), (f" · {names}", "label"))
        return ((f" {view.shown_count:,} of {len(view.rows):,}", "muted"),)

    def _ends(self, value: str) -> list[str]:
        from learnloop.service.lessons import filters

        return filters.completions(value, self._values_in_rows, self._view().fields)

    def _values_in_rows(self, field: FilterField) -> list[str]:
        """The values that the rows have in a field; computed once for each set of rows."""
        from learnloop_tui.view import filter_fields

        rows = self._view().rows
        if rows is not self._values_of:
            self._values, self._values_of = {}, rows
        if field.name not in self._values:
            self._values[field.name] = filter_fields.values(field, rows)
        return self._values[field.name]

    def completed(self, value: str) -> str:
        """The line with its last word completed; empty where no completion is known."""
        from learnloop.service.lessons import filters

        ends = self._ends(value)
        return value[: len(value) - len(filters.last_word(value))] + ends[0] if ends else ""

    async def _on_key(self, event: events.Key) -> None:
        """`?` in an empty line asks for help; elsewhere it is a letter."""
        if event.character == "?" and not self.value:
            event.stop()
            event.prevent_default()
            self.action_explain()
        else:
            await super()._on_key(event)

    def _on_paste(self, event: events.Paste) -> None:
        """The first line of what is pasted, as far as it can be shown and there is room."""
        event.stop()
        event.prevent_default()
        lines = event.text[: 2 * _LONGEST].splitlines() or [""]
        shown = "".join(filter(str.isprintable, lines[0]))
        self.insert_text_at_cursor(shown[: max(0, _LONGEST - len(self.value))])

    def action_complete(self) -> None:
        completed = self.completed(self.value)
        if completed:
            self.value = completed
            self.cursor_position = len(completed)

    def action_explain(self) -> None:
        from learnloop_tui.dialogs.help import FilterHelp

        self.app.push_screen(FilterHelp(self._place))

    def action_close(self, keep: bool) -> None:
        self.post_message(self.Closed(keep))


_SCROLL = 3
"""By how many lines a key scrolls the page while the list has the keys."""

V = TypeVar("V", bound=ListView[Any])


class ListPane(Pane, Generic[V]):
    """Draws list, column titles and page from one view; a subclass says in lines what they contain."""

    PAGE: ClassVar[str] = ""
    hooked: bool | None = None
    """Whether some agent reports to Learnloop, which an empty list depends on; None until it was looked."""

    def __init__(
        self, bridge: Bridge, now_ms: Callable[[], int], view: V, draw: Draw | Tall, *,
        columns: Bar | None = None, entries: RowList | None = None,
    ) -> None:  # fmt: skip
        """`entries` is a second list below the page, which has the keys in its place."""
        self.view = view
        self.row_list = RowList(draw)
        self.heads = columns or Bar(classes="columns")
        self._empty = Page(classes="empty")
        self.page_view = Page(classes="head") if entries else Page()
        self._reader: Scroller = entries or self.page_view
        self.list_frame = Vertical(classes="list")
        self.page_frame = Vertical(
            *([self.page_view, entries] if entries else [self.page_view]), classes="detail"
        )
        self._before_filter = ""
        super().__init__(bridge, now_ms)

    def handlers(self) -> dict[str, Action]:
        return {
            **super().handlers(),
            "down": Action(lambda: self.move_by(1)),
            "up": Action(lambda: self.move_by(-1)),
            "page_down": Action(lambda: self.move_by(self.stride)),
            "page_up": Action(lambda: self.move_by(-self.stride)),
            "top": Action(lambda: self.move_by(-self.length)),
            "bottom": Action(lambda: self.move_by(self.length)),
            "read_down": Action(lambda: self.read_by(_SCROLL)),
            "read_up": Action(lambda: self.read_by(-_SCROLL)),
            "filter": Action(
                self._open_filter, needs(lambda: self.view.total, "There is nothing to filter.")
            ),
            "open": Action(self._read, needs(lambda: self.view.current, "There is nothing to read here.")),
            "escape": Action(self._escape),
        }

    def mark_handlers(self) -> dict[str, Action]:
        nothing = "There is nothing to mark here."
        return {
            "mark": Action(
                lambda: self.set_view(list_view.marked(self.view)), needs(lambda: self.view.current, nothing)
            ),
            "mark_all": Action(
                lambda: self.set_view(list_view.all_marked(self.view)),
                needs(lambda: self.view.items, nothing),
            ),
        }

    def compose(self) -> ComposeResult:
        with self.list_frame:
            yield self.heads
            yield self.row_list
            yield self._empty
        yield self.page_frame

    def on_mount(self) -> None:
        self._empty.can_focus = False
        self._draw()

    def take_focus(self) -> None:
        """The list has the keys, the pane itself where it is empty."""
        (self.row_list if self.view.items else self).focus()
        self.reload()

    def set_hooks_installed(self, installed: bool) -> None:
        if installed != self.hooked:
            self.hooked = installed
            self._draw_list()

    def reload(self) -> None:
        """Read and show it; reads of one pane come back in order."""

        async def read_and_fill() -> None:
            self.fill(await self.read())

        self.run_worker(read_and_fill(), group="reload", exit_on_error=False)

    async def read(self) -> Any:
        """What the pane shows; nothing for a pane that shows the snapshot alone."""

    def fill(self, data: Any) -> None:
        """Show what was read."""

    # What is shown

    @abstractmethod
    def header(self, width: int) -> Line: ...

    @abstractmethod
    def nothing(self) -> list[Line]:
        """What an empty list shows."""

    @abstractmethod
    def title(self) -> tuple[str, str]:
        """The words above and below the list, in its frame."""

    def page_title(self) -> str:
        """The words above the page, in its frame."""
        return self.PAGE

    @abstractmethod
    def page(self, width: int) -> list[Line]:
        """Everything about the row under the cursor."""

    @property
    def plain(self) -> str:
        return self.page_view.plain

    def set_view(self, view: V, *, changed: bool = False) -> None:
        """Show that view; `changed`: the row under the cursor may have other contents."""
        before, self.view = self.view, view
        self.row_list.show(view)
        if changed or not list_view.only_cursor_differs(before, view):
            self._draw_list()
        if changed or before.item is not view.item:
            self.row_changed(is_other=_id(before) != _id(view))
        self.post_message(PaneChanged())

    def row_changed(self, *, is_other: bool) -> None:
        """Draw the page anew: the row has other contents, or is another row."""
        self._draw_page(top=is_other)

    def _draw(self, *, top: bool = False) -> None:
        self.row_list.show(self.view)
        self._draw_list()
        self._draw_page(top=top)
        self.post_message(PaneChanged())

    def _draw_list(self) -> None:
        is_empty = not self.view.items
        if is_empty == self.row_list.display:
            self.await_paint()
        self.row_list.display = self.heads.display = not is_empty
        self._empty.display = is_empty
        self.keep_keys(self.row_list, self._reader, is_empty=is_empty)
        self.heads.show(lambda width: (self.header(width - 1), {}))
        if is_empty:
            self._empty.show(
                lambda width: pages.wrapped(self.nothing(), width) if self.view.loaded else pages.loading()
            )
        entitle(self.list_frame, *self.title())

    def _draw_page(self, *, top: bool) -> None:
        entitle(self.page_frame, self.page_title())
        self.page_view.show(self.page, keep_place=not top)

    # Moving

    @property
    def stride(self) -> int:
        return self.row_list.stride

    @property
    def length(self) -> int:
        """So many rows lead from anywhere to the end."""
        return max(len(self.view.items), self.page_view.count)

    def go(self, index: int) -> None:
        """Move the cursor to that row, or the nearest there is."""
        self.set_view(list_view.moved(self.view, index))

    def move_by(self, rows: int) -> None:
        """Move the cursor, or scroll the page that has the keys."""
        if self.page_view.has_focus:
            self.read_by(rows)
        else:
            self.go(self.view.cursor + rows)

    def read_by(self, lines: int) -> None:
        self.page_view.scroll_lines(lines)

    def opens(self, *, again: bool) -> bool:
        """Whether a click opens the row that it pointed at; `again`: the cursor was on it already."""
        return again

    @on(RowList.Pointed)
    async def _point(self, event: RowList.Pointed) -> None:
        event.stop()
        self.go(event.index)
        if self.opens(again=event.again):
            await self.actions["open"].perform()

    def _read(self) -> None:
        self._reader.focus()

    def _escape(self) -> None:
        """Leave the page, then the marks, then the filter."""
        if self.leave_page():
            return
        if self.view.marks:
            self.set_view(list_view.unmarked(self.view))
        else:
            self.close_filter(keep=False)

    def leave_page(self) -> bool:
        """Go back from the page to the list; whether there was anything to leave."""
        if not self._reader.has_focus:
            return False
        self.row_list.focus()
        return True

    # The filter

    def filter_note(self) -> str:
        """The query and how many rows fit, for the frame of the list."""
        query = self.view.query
        return f"/{text.cut(query, 24)} · {self.view.shown_count:,}" if query else ""

    async def _open_filter(self) -> None:
        self._before_filter = _id(self.view)
        bar = self._filter_bar
        if bar is None:
            bar = FilterBar(self.PLACE, lambda: self.view)
            await self.list_frame.mount(bar, bar.hints, before=0)
        self.screen.set_focus(bar)

    @property
    def _filter_bar(self) -> FilterBar | None:
        return next(iter(self.list_frame.query(FilterBar)), None)

    @on(Input.Changed)
    def _filter_changed(self, event: Input.Changed) -> None:
        event.stop()
        self.filter_by(event.value)
        if self._filter_bar is not None:
            self._filter_bar.show_hint()

    def filter_by(self, query: str) -> None:
        """Show only rows that fit; while the query is typed, the cursor comes back to where it was."""
        view = list_view.filtered(self.view, query, self._now_ms())
        self.set_view(list_view.pointed(view, self._before_filter))

    @on(FilterBar.Closed)
    def _filter_closed(self, event: FilterBar.Closed) -> None:
        event.stop()
        self.close_filter(keep=event.keep)

    def close_filter(self, *, keep: bool) -> None:
        """Put the filter line away; its words stay only where they are kept."""
        bar = self._filter_bar
        if not keep and self.view.query:
            self.filter_by("")
        if bar is not None and not (keep and self.view.query):
            bar.hints.remove()
            bar.remove()
        (self.row_list if self.view.items else self).focus()
        self._before_filter = ""


def _id(view: ListView[Any]) -> str:
    return view.current.id if view.current is not None else ""

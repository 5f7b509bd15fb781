"""The line in which a filter is typed, and the line of hints under it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from textual.binding import Binding
from textual.message import Message
from textual.suggester import Suggester
from textual.widgets import Input

from learnloop_tui.widgets.line_widgets import Bar

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual import events

    from learnloop.service.lessons.filters import FilterField
    from learnloop_tui.view.list_view import ListView
    from learnloop_tui.view.text import Line

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

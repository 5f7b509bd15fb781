"""The line in which a filter is typed."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from textual import on
from textual.binding import Binding
from textual.suggester import Suggester
from textual.widgets import Input

from learnloop_tui.widgets.line_widgets import Bar

if TYPE_CHECKING:
    from textual import events

    from learnloop.service.lessons.filters import FilterField
    from learnloop_tui.panes.filtering import FilteredPane
    from learnloop_tui.view.text import Line

_LONGEST = 1_000
"""Characters of a filter: what is read of one."""
_OFFERED = 12
"""Completions that are shown; more do not fit."""


class Hints(Bar):
    """The line under the filter: what is wrong, how the last word may go on, or how many rows fit."""

    def __init__(self) -> None:
        super().__init__(classes="columns")


class _Completions(Suggester):
    """Shows how the last word goes on."""

    def __init__(self, bar: FilterBar) -> None:
        super().__init__(use_cache=False, case_sensitive=True)
        self._bar = bar

    async def get_suggestion(self, value: str) -> str | None:
        """The whole line with the completion, as Textual wants it."""
        return self._bar.completed(value) or None


class FilterBar(Input):
    """Filters the list while words are typed; enter keeps them, escape drops them."""

    BINDINGS = [  # noqa: RUF012  # as Textual declares it
        Binding("escape", "drop", "drop", show=False),
        Binding("enter,down", "keep", "keep", show=False),
        Binding("tab", "complete", "complete", show=False),
        Binding("f1", "explain", "explain", show=False),
    ]

    def __init__(self, words: str) -> None:
        super().__init__(
            words, placeholder="words, or kind:pattern prio:>=high seen:>2 (tab completes, ? explains)",
            compact=True, select_on_focus=False, suggester=_Completions(self), max_length=_LONGEST,
        )  # fmt: skip
        self.hints = Hints()
        """The line under this one."""
        self._held: dict[str, list[str]] = {}
        self._held_of: object = None

    @property
    def _pane(self) -> FilteredPane:
        return cast("FilteredPane", next(node for node in self.ancestors if hasattr(node, "filter_by")))

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        self._pane.filter_by(event.value)
        self._hint()

    def on_focus(self) -> None:
        """The hints stand there while something is typed."""
        self.hints.display = True
        self._hint()

    def on_blur(self) -> None:
        """What is wrong stays to be read."""
        self.hints.display = bool(self._pane.asked.parsed.problems)

    def _hint(self) -> None:
        line = self._hint_line()
        self.hints.show(lambda _: (line, {}))

    def _hint_line(self) -> Line:
        view, ends = self._pane.asked, self._ends(self.value)
        if view.parsed.problems:
            return ((f" {view.parsed.problems[0]}", "warn"),)
        if ends:
            others = "".join(f" · {_value(end)}" for end in ends[1:_OFFERED])
            return ((" tab", "key"), (f" {ends[0]}", "accent"), (others, "muted"))
        if not self.value:
            names = " ".join(f"{field.name}:" for field in self._pane.fields())
            return ((" ?", "key"), (" explains", "muted"), (f" · {names}", "label"))
        return ((f" {self._pane.shown_count:,} of {len(view.rows):,}", "muted"),)

    def _ends(self, value: str) -> list[str]:
        """What the last word may become."""
        from learnloop.service.lessons import filters

        return filters.completions(value, self._values_held, self._pane.fields())

    def _values_held(self, field: FilterField) -> list[str]:
        """What the rows hold in a field; looked through once for each set of rows."""
        from learnloop_tui.view import filter_fields

        rows = self._pane.asked.rows
        if rows is not self._held_of:
            self._held, self._held_of = {}, rows
        if field.name not in self._held:
            self._held[field.name] = filter_fields.held(field, rows)
        return self._held[field.name]

    def completed(self, value: str) -> str:
        """The line with its last word completed; empty where nothing is known."""
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
        """Take the completion that is shown."""
        made = self.completed(self.value)
        if made:
            self.value = made
            self.cursor_position = len(made)

    def action_explain(self) -> None:
        """The fields of the language."""
        from learnloop_tui.dialogs.help import FilterHelp

        self.app.push_screen(FilterHelp(self._pane.PLACE))

    def action_keep(self) -> None:
        """Back to the list, filtered."""
        self._pane.close_filter(keep=True)

    def action_drop(self) -> None:
        """Back to the whole list."""
        self._pane.close_filter(keep=False)


def _value(end: str) -> str:
    """A completion without the field that it shares with the one before it."""
    return end.partition(":")[2] or end

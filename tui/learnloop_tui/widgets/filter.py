"""The line in which a filter is typed."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from textual import on
from textual.binding import Binding
from textual.suggester import Suggester
from textual.widgets import Input

if TYPE_CHECKING:
    from textual import events

    from learnloop_tui.widgets.lists import ListPane


_LONGEST = 1_000
"""Characters of a filter: what is read of one."""


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
            words, placeholder="words, or kind:pattern prio:>=high seen:>2 (tab completes, f1 explains)",
            compact=True, select_on_focus=False, suggester=_Completions(self), max_length=_LONGEST,
        )  # fmt: skip

    @property
    def _pane(self) -> ListPane:
        return cast("ListPane", next(node for node in self.ancestors if hasattr(node, "filter_by")))

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        self._pane.filter_by(event.value)

    def completed(self, value: str) -> str:
        """The line with its last word completed; empty where nothing is known."""
        from learnloop.service import filters

        held = getattr(self._pane, "values_held", None)
        found = filters.completions(value, held() if held is not None else {}) if held is not None else []
        return value[: len(value) - len(value.rsplit(" ", 1)[-1])] + found[0] if found else ""

    def _on_paste(self, event: events.Paste) -> None:
        """What is pasted, as far as there is room."""
        event.stop()
        event.prevent_default()
        lines = event.text[: 2 * _LONGEST].splitlines() or [""]
        self.insert_text_at_cursor(lines[0][: max(0, _LONGEST - len(self.value))])

    def action_complete(self) -> None:
        """Take the completion that is shown."""
        made = self.completed(self.value)
        if made:
            self.value = made
            self.cursor_position = len(made)

    def action_explain(self) -> None:
        """The fields of the language."""
        from learnloop_tui.screens.help import FilterHelp

        self.app.push_screen(FilterHelp(""))

    def action_keep(self) -> None:
        """Back to the list, filtered."""
        self._pane.close_filter(keep=True)

    def action_drop(self) -> None:
        """Back to the whole list."""
        self._pane.close_filter(keep=False)

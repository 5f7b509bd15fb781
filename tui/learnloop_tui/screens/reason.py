"""Asks why a lesson is rejected or archived: a digit answers at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import on
from textual.containers import Vertical
from textual.widgets import Input, OptionList
from textual.widgets.option_list import Option

from learnloop_tui import text
from learnloop_tui.screens.dialog import Dialog

if TYPE_CHECKING:
    from collections.abc import Mapping

    from textual import events
    from textual.app import ComposeResult
    from textual.content import Content

REJECTING = {
    "only meant that once": "only meant that once",
    "not true, or not any more": "not true, or not any more",
    "too vague to act on": "too vague to act on",
    "the agent does that anyway": "the agent does that anyway",
    "no lesson at all": "no lesson at all",
}
ARCHIVING = {
    "unused": "unused: it never matters",
    "superseded": "superseded: something else says it better",
    "expired": "expired: it was true once",
    "harmful": "harmful: it made things worse",
}
_OTHER = "other"


class ReasonScreen(Dialog[str]):
    """Gives the reason, empty where none was wanted."""

    def __init__(self, title: str, reasons: Mapping[str, str], *, free: bool = True) -> None:
        super().__init__()
        self._title = title
        self._reasons = reasons
        self._free = free

    def compose(self) -> ComposeResult:
        """The reasons, a line for another one, what the keys do."""
        options = [
            Option(self._option(str(at), words), id=reason)
            for at, (reason, words) in enumerate(self._reasons.items(), 1)
        ]
        if self._free:
            options.append(Option(self._option("0", "another reason …"), id=_OTHER))
        other = Input(placeholder="the reason in your words, or nothing", compact=True)
        other.display = False
        box = Vertical(OptionList(*options, compact=True), other, classes="box")
        box.border_title = text.content(f"{text.cut(self._title, 60)}")
        box.border_subtitle = text.content("a digit or enter · esc cancels")
        yield box

    def _option(self, key: str, words: str) -> Content:
        return text.join(text.content(f" {key} ", "bold $primary"), text.content(f" {words}"))

    def on_key(self, event: events.Key) -> None:
        """A digit answers at once."""
        listing = self.query_one(OptionList)
        if event.character and event.character.isdecimal() and listing.has_focus:
            at = (int(event.character) or listing.option_count) - 1
            if at < listing.option_count:
                event.stop()
                self._choose(listing.get_option_at_index(at).id or "")
        elif event.key in ("j", "k") and listing.has_focus:
            listing.action_cursor_down() if event.key == "j" else listing.action_cursor_up()

    @on(OptionList.OptionSelected)
    def _picked(self, event: OptionList.OptionSelected) -> None:
        self._choose(event.option.id or "")

    def _choose(self, reason: str) -> None:
        if reason != _OTHER:
            self.dismiss(reason)
            return
        other = self.query_one(Input)
        other.display = True
        other.focus()

    @on(Input.Submitted)
    def _typed(self, event: Input.Submitted) -> None:
        self.dismiss(text.line(event.value))

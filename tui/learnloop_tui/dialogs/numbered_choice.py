"""A page, and below it a few choices with digits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import on
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from learnloop_tui.dialogs.dialog import Dialog, box
from learnloop_tui.view import text
from learnloop_tui.widgets.line_widgets import Page

if TYPE_CHECKING:
    from collections.abc import Mapping

    from textual import events
    from textual.app import ComposeResult


class NumberedChoice(Dialog[str]):
    """Gives the name of what was chosen; nothing is decided by leaving it."""

    ESC_LEAVES = "everything"
    DEFAULT_CSS = """
    NumberedChoice > .box { width: 110; }
    NumberedChoice Page { height: 12; }
    """

    def __init__(self, title: str, why: str, choices: Mapping[str, str]) -> None:
        super().__init__()
        self._title, self._why, self._choices = title, why, choices
        self.shown = Page()
        self.shown.can_focus = False

    def compose(self) -> ComposeResult:
        options = [
            Option(text.join(text.content(f" {at} ", "bold $primary"), text.content(f" {words}")), id=name)
            for at, (name, words) in enumerate(self._choices.items(), 1)
        ]
        why, choices = Static(text.content(self._why), classes="hint"), OptionList(*options, compact=True)
        keys = f"a digit or enter · esc leaves {self.ESC_LEAVES} as it is"
        yield box(why, self.shown, choices, title=self._title, keys=keys)

    def on_mount(self) -> None:
        self.query_one(OptionList).focus()

    def on_key(self, event: events.Key) -> None:
        listing = self.query_one(OptionList)
        if event.character and event.character.isdecimal():
            at = int(event.character) - 1
            if 0 <= at < listing.option_count:
                event.stop()
                self.dismiss(listing.get_option_at_index(at).id)
        elif event.key in ("j", "k"):
            listing.action_cursor_down() if event.key == "j" else listing.action_cursor_up()

    @on(OptionList.OptionSelected)
    def _picked(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(event.option.id)

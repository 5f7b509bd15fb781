"""Decides what becomes of a block that was edited by hand, or of a file that is gone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import on
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from learnloop_tui.dialogs.dialog import Dialog, box
from learnloop_tui.view import patch_lines, text
from learnloop_tui.widgets.line_widgets import Page

if TYPE_CHECKING:
    from textual import events
    from textual.app import ComposeResult

    from learnloop.service.patches.file_jobs import PatchResult

EDITED = {
    "keep": "keep: the words stay as they are and are yours from now on",
    "remove": "remove: the block goes, with what was edited in it",
    "restore": "restore: the whole file of before comes back from the backup",
}
GONE = {
    "restore": "restore: the file comes back from the backup",
    "remove": "forget: the block counts as reverted",
}


class ConflictScreen(Dialog[str]):
    """Gives keep, remove or restore; nothing is decided by leaving it."""

    DEFAULT_CSS = """
    ConflictScreen > .box { width: 110; }
    ConflictScreen Page { height: 12; }
    """

    def __init__(self, result: PatchResult) -> None:
        super().__init__()
        self._result = result
        self._choices = EDITED if result.sides else GONE

    def compose(self) -> ComposeResult:
        page = Page()
        page.can_focus = False
        page.display = bool(self._result.sides)
        page.show(lambda width: list(patch_lines.three_sides(self._result.sides or {}, width)))
        options = [
            Option(text.join(text.content(f" {at} ", "bold $primary"), text.content(f" {words}")), id=name)
            for at, (name, words) in enumerate(self._choices.items(), 1)
        ]
        why, choices = (
            Static(text.content(self._result.error), classes="hint"),
            OptionList(*options, compact=True),
        )
        keys = "a digit or enter · esc leaves everything as it is"
        yield box(why, page, choices, title="You decide", keys=keys)

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

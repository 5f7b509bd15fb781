"""Changes what a patch's block says, and where it goes."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from textual.binding import Binding
from textual.widgets import Select, Static, TextArea

from learnloop.service.id_prefix import shown
from learnloop_tui.dialogs.dialog import box
from learnloop_tui.dialogs.outside import Outside
from learnloop_tui.view import text

if TYPE_CHECKING:
    from textual.app import ComposeResult

    from learnloop.models.patch import Patch

LONGEST = 4000
_PLACES = {"append": "at the end of the file", "prepend": "below the title"}


class BlockEdit(NamedTuple):
    """What the person wants the block to be."""

    words: str
    placement: str


class BlockScreen(Outside[BlockEdit]):
    """Gives the words and the place."""

    DEFAULT_CSS = """
    BlockScreen TextArea { height: 8; }
    BlockScreen Select { width: 34; }
    BlockScreen Select > SelectCurrent { border: none; padding: 0 1; height: 1; background: $background; }
    """
    BINDINGS = [  # noqa: RUF012  # as Textual declares it
        Binding("ctrl+s", "save", "save", priority=True),
        Binding("escape", "leave", "cancel", priority=True),
    ]

    def __init__(self, patch: Patch) -> None:
        super().__init__()
        self._patch = patch

    def compose(self) -> ComposeResult:
        yield box(
            Static(text.content("What the agent reads: guidance it can follow"), classes="label"),
            TextArea(text.clean(self._patch.block), id="words", soft_wrap=True, compact=True),
            Static(text.content("Where"), classes="label"),
            Select(
                [(words, place) for place, words in _PLACES.items()], value=self._patch.placement,
                allow_blank=False, id="place", compact=True,
            ),
            Static(text.content(""), classes="problem"),
            title=f"Edit patch {shown(self._patch.id)}",
            keys="ctrl+s saves · tab goes on · f4 in your editor · esc cancels",
        )  # fmt: skip

    def on_mount(self) -> None:
        area = self.query_one(TextArea)
        area.focus()
        area.move_cursor(area.document.end)

    def is_changed(self) -> bool:
        words, place = self.query_one(TextArea).text, self.query_one(Select).value
        return (words, place) != (text.clean(self._patch.block), self._patch.placement)

    def action_save(self) -> None:
        words = text.clean(self.query_one(TextArea).text).strip("\n")
        if not words.strip():
            self._tell("Write at least one sentence.")
        elif len(words) > LONGEST:
            self._tell(f"{LONGEST:,} characters are the most.")
        else:
            self.dismiss(BlockEdit(words, str(self.query_one(Select).value)))

"""What all panes share: a command is asked why it cannot run before it runs."""

from __future__ import annotations

from dataclasses import dataclass
from inspect import isawaitable
from typing import TYPE_CHECKING, Any, ClassVar

from textual.message import Message
from textual.widget import Widget

if TYPE_CHECKING:
    from collections.abc import Mapping

    from learnloop_tui.view.state import Verdict


@dataclass
class Decided(Message):
    """A person gave a verdict."""

    verdict: Verdict
    changes: Mapping[str, Mapping[str, Any]]
    """What changes on the rows at once, by lesson."""
    said: str
    """What the toast says."""
    goes_on: str = ""
    """The lesson from which the cursor goes on to the next, where the list still shows it."""


@dataclass
class Said(Message):
    """Something to tell in a toast."""

    words: str
    severity: str = "information"


@dataclass
class LookAgain(Message):
    """How things stand is to be read anew."""

    fix: bool = False
    """Mend what is safe to mend first."""


@dataclass
class Refill(Message):
    """A pane with data of its own is to be filled: what its `read(bridge)` gives goes to its `fill`."""

    pane: Any


class Changed(Message):
    """What a pane shows changed, so that counts and keys may have."""


class Pane(Widget, can_focus=True):
    """One of the console's panes; it takes the keys itself where its list is not to be seen."""

    PLACE: ClassVar[str] = ""
    """Its name in the table of commands."""

    def why_not(self, command_id: str) -> str:
        """Why a command makes no sense now, empty where it does."""
        check = getattr(self, f"why_not_{command_id}", None)
        return str(check()) if check else ""

    def offers(self, command_id: str) -> bool:
        """Whether the pane has that command at all."""
        return hasattr(self, f"do_{command_id}")

    async def run_command(self, command_id: str) -> None:
        """Do what the command says, to the end."""
        done = getattr(self, f"do_{command_id}")()
        if isawaitable(done):
            await done

    def say(self, words: str, severity: str = "information") -> None:
        """Tell something in a toast."""
        self.post_message(Said(words, severity))

    def to_copy(self, *, name: bool = False) -> str:
        """What can be copied here: the words, or how the thing is called; empty where there is nothing."""
        del name
        return ""

    def keep_keys(self, rows: Widget, page: Widget, *, is_empty: bool) -> None:
        """A list that goes away must not take the keys along; one that comes back gets them."""
        if not self.is_attached or not self.display:
            return
        holder = self.screen.focused
        if is_empty and (holder is rows or holder is page or holder is None):
            self.screen.set_focus(self)
        elif not is_empty and holder is self:
            self.call_after_refresh(self._give_keys, rows)

    def _give_keys(self, rows: Widget) -> None:
        if self.screen.focused is self and rows.display:
            self.screen.set_focus(rows)

    def refresh_empty(self) -> None:
        """What an empty pane says has changed."""

    def take_focus(self) -> None:
        """The pane was opened."""
        self.focus()

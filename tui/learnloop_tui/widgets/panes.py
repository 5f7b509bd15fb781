"""What all panes share: a command is asked why it cannot run before it runs."""

from __future__ import annotations

from dataclasses import dataclass
from inspect import isawaitable
from typing import TYPE_CHECKING, Any, ClassVar

from textual.message import Message
from textual.widget import Widget

if TYPE_CHECKING:
    from collections.abc import Mapping

    from learnloop_tui.state import Verdict


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


class Pane(Widget):
    """One of the console's panes."""

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

    def refresh_empty(self) -> None:
        """What an empty pane says has changed."""

    def take_focus(self) -> None:
        """The pane was opened."""
        self.focus()

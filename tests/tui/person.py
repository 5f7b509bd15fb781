"""A person at the console: tests that read like what somebody does and sees.

`at(console)` sits down at a console within the test (fakes.console), `at_terminal(root)` at one of its own
process in a pseudo-terminal. All waits are for what stands on the screen.
"""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from scripts.perf.terminal import Terminal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from tests.tui.fakes import Console

LEARN_TUI = str(Path(sys.executable).with_name("learn-tui"))
CURSOR = "│▌"
_KEYS = {"enter": "\r", "escape": "\x1b", "space": " ", "tab": "\t", "down": "\x1b[B", "up": "\x1b[A",
         "slash": "/", "ctrl+c": "\x03", "ctrl+z": "\x1a"}  # fmt: skip
_TOLD, _HEADS = 42, 4
_PANES = ("Inbox", "Lessons", "Sessions", "Agents", "Files", "Health")


class Seat(Protocol):
    """A screen to look at and keys to press."""

    def screen(self) -> str:
        """What stands there."""

    async def press(self, *keys: str) -> None:
        """Press keys, by character or by Textual's name."""

    async def until(self, fits: Callable[[str], object]) -> None:
        """Wait until the screen is so."""


class Inside:
    """A seat at a console within the test."""

    def __init__(self, console: Console) -> None:
        self._console = console

    def screen(self) -> str:
        """What is drawn."""
        strips = self._console.app.screen._compositor.render_strips()
        return "\n".join(strip.text.rstrip() for strip in strips)

    async def press(self, *keys: str) -> None:
        """Through the pilot."""
        await self._console.burst(*keys)

    async def until(self, fits: Callable[[str], object]) -> None:
        """Through the pilot too."""
        await self._console.until(lambda: fits(self.screen()))


class Outside:
    """A seat at a real terminal."""

    def __init__(self, terminal: Terminal) -> None:
        self.terminal = terminal

    def screen(self) -> str:
        """What was drawn."""
        return self.terminal.screen

    async def press(self, *keys: str) -> None:
        """As a keyboard does."""
        self.terminal.press("".join(_KEYS.get(key, key) for key in keys))

    async def until(self, fits: Callable[[str], object]) -> None:
        """Reads until then."""
        self.terminal.until_screen(fits)


def _is_at_top(screen: str) -> bool:
    """The cursor stands below the frame and the heads."""
    return any(CURSOR in line for line in screen.splitlines()[:_HEADS])


class Person:
    """Does and sees."""

    def __init__(self, seat: Seat) -> None:
        self.seat = seat

    async def sees(self, *words: str) -> None:
        """Waits until all of these stand on the screen."""
        await self.seat.until(lambda screen: all(word in screen for word in words))

    async def sees_no(self, words: str) -> None:
        """Waits until they do not stand there any more."""
        await self.seat.until(lambda screen: words not in screen)

    async def types(self, *keys: str) -> None:
        """Presses keys."""
        await self.seat.press(*keys)

    async def opens(self, pane: str) -> None:
        """Goes to a pane by its number."""
        await self.types(str(_PANES.index(pane) + 1))

    @property
    def under_cursor(self) -> str:
        """How the row under the cursor begins; what stands beside it changes without it."""
        rows = (line for line in self.seat.screen().splitlines() if CURSOR in line)
        return next(rows, "").partition(CURSOR)[2].strip()[:_TOLD]

    async def goes_to(self, words: str, most: int = 60) -> None:
        """Moves the cursor to the row that says this, from the top."""
        await self.types("g")
        await self.seat.until(_is_at_top)
        for _ in range(most):
            await self.seat.until(lambda _: self.under_cursor)
            if words in self.under_cursor:
                return
            before = self.under_cursor
            await self.types("j")
            await self._moved_from(before)
        raise AssertionError(f"no row says {words!r}:\n{self.seat.screen()}")

    async def row(self) -> str:
        await self.seat.until(lambda _: self.under_cursor)
        return self.under_cursor

    async def _moved_from(self, before: str) -> None:
        await self.seat.until(lambda _: self.under_cursor not in ("", before))

    async def promotes(self, words: str) -> None:
        """Promotes the draft that says this."""
        await self.goes_to(words)
        await self.promotes_this()
        await self.sees("Kept “")

    async def promotes_this(self) -> None:
        """Promotes the draft under the cursor, in the words that are offered where it needs some."""
        before = await self.row()
        await self.types("p")
        await self.seat.until(
            lambda screen: "Promote with these words" in screen or self.under_cursor not in ("", before)
        )
        if "Promote with these words" in self.seat.screen():
            await self.types("enter")
            await self.sees_no("Promote with these words")
            await self._moved_from(before)

    async def rejects(self, words: str, key: str = "w") -> None:
        """Rejects the draft that says this, with a reason's key."""
        await self.goes_to(words)
        await self.rejects_this(key)
        await self.sees("Dropped “")

    async def rejects_this(self, key: str = "w") -> None:
        """Rejects the draft under the cursor."""
        before = await self.row()
        await self.types("r")
        await self.sees("one key, or enter")
        await self.types(key)
        await self.sees_no("one key, or enter")
        await self._moved_from(before)

    async def undoes(self) -> None:
        """Takes the last verdict back."""
        await self.types("z")
        await self.sees("Taken back")

    async def filters(self, words: str) -> None:
        """Filters the list."""
        await self.types("slash", *words, "enter")


def at(console: Console) -> Person:
    """A person at a console within the test."""
    return Person(Inside(console))


def environment(root: str, **more: str) -> dict[str, str]:
    """What a console in a terminal is started with: a home beside the root, nothing in the background."""
    home = Path(root).parent / "user"
    home.mkdir(exist_ok=True)
    return {"HOME": str(home), "PATH": os.environ["PATH"], "LANG": "C.UTF-8", "LEARNLOOP_HOME": root,
            "LEARNLOOP_BACKGROUND": "0", **more,
            **{name: os.environ[name] for name in ("PYTHONPATH",) if name in os.environ}}  # fmt: skip


@contextmanager
def at_terminal(
    root: str,
    *,
    size: tuple[int, int] = (120, 30),
    looks: Mapping[str, str] | None = None,
    argv: tuple[str, ...] = (LEARN_TUI,),
) -> Iterator[Person]:
    """A person at a console of its own process, in a pseudo-terminal."""
    more = {} if looks is None else {"looks": looks}
    with Terminal(argv, environment(root), size=size, **more) as terminal:
        yield Person(Outside(terminal))

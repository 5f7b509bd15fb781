"""What the palette finds: every command, every lesson, every session."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Protocol, cast

from textual.command import DiscoveryHit, Hit, Provider
from textual.message import Message

from learnloop.keymap import commands
from learnloop_tui.view import fuzzy, lesson_lines, text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from textual.command import Hits
    from textual.content import Content

    from learnloop.keymap.commands import Command
    from learnloop.service.sessions.live_sessions import SessionName
    from learnloop.service.workspace import Workspace
    from learnloop_tui.bridge import Bridge
    from learnloop_tui.screens.main_screen import MainScreen
    from learnloop_tui.view.state import Row

MOST = 20
"""So many lessons, and so many sessions, are offered at once."""
_WIDTH = 100
_LESSONS, _SESSIONS, _ELSEWHERE = 0.9, 0.8, 0.6
"""What a fit counts against that of a command of the open pane."""
_READING_S = 0.1
"""So long a search waits for the names of sessions; one that did not find them is made again."""
_THEMES = "Choose among all themes."
_FOUND, _UNDER, _WARN = "bold underline", "$foreground 60%", "$text-warning"


def shown(words: str, query: str = "", under: str = "", look: str = _UNDER) -> Content:
    """An entry: its words, the letters of the query marked, and `under` on a second line."""
    first = text.content(text.cut(words, _WIDTH))
    for start, end in fuzzy.spans(query, first.plain):
        first = first.stylize(_FOUND, start, end)
    below = text.content(text.cut(under, _WIDTH), look)
    return text.join(first, text.content("\n"), below) if under else first


class Console(Protocol):
    """What the palette needs of the app."""

    bridge: Bridge
    clock: Callable[[], int]
    main: MainScreen

    def why_not(self, command_id: str) -> str: ...

    async def action_command(self, command_id: str) -> None: ...

    async def open_lesson(self, row_id: str) -> None: ...

    def open_session(self, session_id: str) -> object: ...


class NamesArrived(Message):
    """The names of sessions are read: there is more to be found than at the last search."""


class _ConsoleProvider(Provider):
    @property
    def console(self) -> Console:
        return cast("Console", self.app)

    def _later(self, action: Callable[..., object], argument: str) -> Callable[[], object]:
        """Do something once the palette is closed."""
        return lambda: self.app.call_later(action, argument)


class Commands(_ConsoleProvider):
    """The commands of the table: those of the open pane, with why they make no sense now, then the others."""

    async def search(self, query: str) -> Hits:
        """Commands that fit, by title, else by a word of what they do."""
        sought = fuzzy.asked(query)
        for command, elsewhere in self._all():
            good = fuzzy.score(sought, f"{command.title} ({command.key})".lower())
            if not good and all(word in command.help.lower() for word in sought.split()):
                good = 0.3
            if good:
                words, shows, run = self._entry(command, elsewhere, sought)
                yield Hit(good * (_ELSEWHERE if elsewhere else 1.0), shows, run, text=words)
        if good := fuzzy.score(sought, "themes"):
            shows = shown("themes", sought, _THEMES)
            yield Hit(good, shows, self.app.action_change_theme, text="themes")

    async def discover(self) -> Hits:
        for command, elsewhere in self._all():
            if not elsewhere:
                words, shows, run = self._entry(command, "", "")
                yield DiscoveryHit(shows, run, text=words)
        yield DiscoveryHit(shown("themes", under=_THEMES), self.app.action_change_theme, text="themes")

    def _all(self) -> Iterator[tuple[Command, str]]:
        """Each command, and the pane it belongs to where that is not the open one."""
        here = commands.palette(self.console.main.pane.PLACE)
        yield from ((command, "") for command in here)
        for command in commands.COMMANDS:
            if command.palette and command not in here:
                yield command, command.places[0]

    def _entry(
        self, command: Command, elsewhere: str, query: str
    ) -> tuple[str, Content, Callable[[], object]]:
        words = f"{command.title} ({command.key})"
        if elsewhere:
            under = f"{commands.PLACES[elsewhere]}: {command.help}"
            return words, shown(words, query, under), self._later(self.console.main.open, elsewhere)
        why = self.console.why_not(command.id)
        under, look = (f"not now: {why}", _WARN) if why else (command.help, _UNDER)
        run = self._later(self.console.action_command, command.id)
        return words, shown(words, query, under, look), run


class Lessons(_ConsoleProvider):
    """Lessons of any state, by what they say; choosing one opens it in its pane."""

    async def search(self, query: str) -> Hits:
        sought = fuzzy.asked(query)
        for good, row in fuzzy.lessons(query, self.console.main.rows, MOST):
            words = text.line(row.statement)
            opening = self._later(self.console.open_lesson, row.id)
            yield Hit(good * _LESSONS, shown(words, sought, _about(row)), opening, text=words)


def _about(row: Row) -> str:
    glyph, _ = lesson_lines.STATE_GLYPHS[row.state]
    counted = f" · seen {row.seen}×" if row.seen > 1 else ""
    return f"{glyph} {row.state} {row.kind} · {lesson_lines.where_of(row)}{counted} · {row.short}"


class Sessions(_ConsoleProvider):
    """Sessions by project, branch, client and what was asked last; choosing one opens its story."""

    async def startup(self) -> None:
        """Read their names meanwhile; commands and lessons do not wait for it."""
        now_ms = self.console.clock()
        self._reading = asyncio.ensure_future(self.console.bridge.work(names, now_ms))
        self._reading.add_done_callback(self._came_late)
        self._was_missed = False

    async def shutdown(self) -> None:
        self._reading.cancel()

    async def search(self, query: str) -> Hits:
        sought = fuzzy.asked(query)
        await asyncio.wait([self._reading], timeout=_READING_S)
        self._was_missed = not self._reading.done()
        if self._reading.done() and self._reading.exception() is None and sought:
            for good, named in fuzzy.best(sought, self._reading.result(), _searched, MOST):
                words = text.line(named.task) or f"session {named.id[:8]}"
                shows = shown(words, sought, _about_session(named))
                opening = self._later(self.console.open_session, named.id)
                yield Hit(good * _SESSIONS, shows, opening, text=words)

    def _came_late(self, reading: asyncio.Future[list[SessionName]]) -> None:
        """Report names that a search did not wait for."""
        if self._was_missed and not reading.cancelled():
            self.app.screen.post_message(NamesArrived())


def names(ws: Workspace, now_ms: int) -> list[SessionName]:
    """The sessions by name; runs in a thread of the bridge."""
    from learnloop.service.sessions.live_sessions import session_names

    return session_names(ws, now_ms)


def _searched(named: SessionName) -> str:
    return f"{named.task} {named.project} {named.branch} {named.host} {named.id}".lower()


def _about_session(named: SessionName) -> str:
    folder = named.project.rstrip("/").rpartition("/")[2]
    when = named.last_seen[:16].replace("T", " ")
    return " · ".join(part for part in ("session", folder, named.branch, named.host, when) if part)


ALL = (Commands, Lessons, Sessions)
"""Who is asked, in the order in which equals stand."""

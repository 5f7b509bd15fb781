"""The palette: one line in which commands, lessons and sessions are found."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from heapq import nlargest
from typing import TYPE_CHECKING, Protocol, TypeVar, cast

from textual import on
from textual.command import CommandPalette, DiscoveryHit, Hit, Provider
from textual.fuzzy import FuzzySearch
from textual.widgets import Input
from textual.worker import WorkerError

from learnloop.faces import lesson_page
from learnloop.keymap import commands
from learnloop_tui.view import text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from textual.command import Hits
    from textual.content import Content

    from learnloop.keymap.commands import Command
    from learnloop.service.sessions.live_sessions import SessionName
    from learnloop.service.workspace import Workspace
    from learnloop_tui.bridge import Bridge
    from learnloop_tui.screens.main_screen import MainScreen
    from learnloop_tui.view.state import Row

T = TypeVar("T")

_PATIENCE_S = 5.0
_LONGEST = 1_000
_SHOWN = r"[^\x00-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2066-\u2069]*"
"""No control characters, and none that turn the direction of writing."""
_BESIDE = 0.4
"""The fit of words that are in the rest of a lesson or a session, not in its title."""
MOST = 20
"""So many lessons, and so many sessions, are offered at once."""
_WIDTH = 100
_LESSONS, _SESSIONS, _ELSEWHERE = 0.9, 0.8, 0.6
"""What a fit counts against that of a command of the open pane."""
_THEMES = "Choose among all themes."
_FOUND, _UNDER, _WARN = "bold underline", "$foreground 60%", "$text-warning"
_SEARCH = FuzzySearch()


def asked(query: str) -> str:
    """What is looked for: lower case, runs of white space as one space."""
    return " ".join(query[:_LONGEST].lower().split())


def fit(sought: str, words: str) -> float:
    """How well words in lower case fit, 0 (not at all) to 1, by Textual's search for letters in order.

    Its time grows with the ways to choose those letters: short titles, or texts with all of `sought` in them.
    """
    score, _ = _SEARCH.match(sought, words) if sought else (0.0, ())
    return score / (score + len(sought)) if score else 0.0


def best(query: str, items: Iterable[tuple[T, str, str]]) -> list[tuple[float, T]]:
    """Things with all the words that are asked for, the best fit first, equals in their own order.

    `items` holds each thing with its title and with all that is searched, in lower case.
    """
    sought = asked(query)
    asked_words = sought.split()
    if not asked_words:
        return []
    having = (
        (fit(sought, title.lower()) if sought in title.lower() else _BESIDE, thing)
        for thing, title, searched in items
        if all(word in searched for word in asked_words)
    )
    return nlargest(MOST, having, key=lambda pair: pair[0])


def shown(words: str, query: str = "", under: str = "", look: str = _UNDER) -> Content:
    """An entry: its words, those of the query marked, and `under` on a second line."""
    first = text.content(text.cut(words, _WIDTH))
    for word in asked(query).split():
        if (at := first.plain.lower().find(word)) >= 0:
            first = first.stylize(_FOUND, at, at + len(word))
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
        sought = asked(query)
        for command, elsewhere in self._all():
            good = fit(sought, f"{command.title} ({command.key})".lower())
            if not good and all(word in command.help.lower() for word in sought.split()):
                good = 0.3
            if good:
                words, shows, run = self._entry(command, elsewhere, sought)
                yield Hit(good * (_ELSEWHERE if elsewhere else 1.0), shows, run, text=words)
        if good := fit(sought, "themes"):
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
        rows = self.console.main.rows
        for good, row in best(query, ((row, row.statement, row.haystack) for row in rows)):
            words = text.line(row.statement)
            opening = self._later(self.console.open_lesson, row.id)
            yield Hit(good * _LESSONS, shown(words, query, _about(row)), opening, text=words)


def _about(row: Row) -> str:
    glyph, _ = lesson_page.STATE_GLYPHS[row.state]
    counted = f" · seen {row.seen}×" if row.seen > 1 else ""
    return f"{glyph} {row.state} {row.kind} · {lesson_page.where(row)}{counted} · {row.short}"


class Sessions(_ConsoleProvider):
    """Sessions by project, branch, client and what was asked last; choosing one opens its story."""

    async def startup(self) -> None:
        """Read their names meanwhile; commands and lessons do not wait for it."""
        now_ms = self.console.clock()
        self._reading = asyncio.ensure_future(self.console.bridge.read(names, now_ms))

    async def shutdown(self) -> None:
        self._reading.cancel()

    async def search(self, query: str) -> Hits:
        await asyncio.wait([self._reading])  # a search that is given up leaves the reading be
        if self._reading.exception() is None:
            for good, named in best(query, map(_searched, self._reading.result())):
                words = text.line(named.task) or f"session {named.id[:8]}"
                shows = shown(words, query, _about_session(named))
                opening = self._later(self.console.open_session, named.id)
                yield Hit(good * _SESSIONS, shows, opening, text=words)


def names(ws: Workspace, now_ms: int) -> list[SessionName]:
    """The sessions by name; runs in a thread of the bridge."""
    from learnloop.service.sessions.live_sessions import session_names

    return session_names(ws, now_ms)


def _searched(named: SessionName) -> tuple[SessionName, str, str]:
    searched = f"{named.task} {named.project} {named.branch} {named.host} {named.id}".lower()
    return named, named.task, searched


def _about_session(named: SessionName) -> str:
    folder = named.project.rstrip("/").rpartition("/")[2]
    when = named.last_seen[:16].replace("T", " ")
    return " · ".join(part for part in ("session", folder, named.branch, named.host, when) if part)


class Palette(CommandPalette):
    """Finds what is typed; enter runs the command, or opens the lesson or the session."""

    DEFAULT_CSS = """
    Palette SearchIcon { display: none; }
    Palette #--input { padding-left: 1; }
    Palette CommandList > .option-list--option,
    Palette CommandList > .option-list--option-highlighted { text-style: none; }
    """

    def __init__(self) -> None:
        super().__init__(
            providers=(Commands, Lessons, Sessions),
            placeholder="A command, a lesson, a session …",
            id="--command-palette",
        )

    def on_mount(self) -> None:
        """Nothing that steers a terminal, and no more than a person types."""
        field = self.query_one(Input)
        field.max_length, field.restrict = _LONGEST, _SHOWN

    @on(Input.Submitted)
    async def _find_first(self) -> None:
        """Enter means what was typed, not what was found for the letters before: wait until it is found."""
        searches = [
            worker
            for worker in self.workers
            if worker.node is self and worker.group == self._GATHER_COMMANDS_GROUP and not worker.is_finished
        ]
        with suppress(WorkerError, TimeoutError):
            async with asyncio.timeout(_PATIENCE_S):
                for worker in searches:
                    await worker.wait()

"""All keys, made from the table of commands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import on
from textual.binding import Binding
from textual.widgets import Input

from learnloop.keymap import commands
from learnloop_tui.dialogs.page import PageDialog
from learnloop_tui.view import text
from learnloop_tui.view.page_parts import block, heading, signed

if TYPE_CHECKING:
    from learnloop.keymap.commands import Command
    from learnloop_tui.view.text import Line

_KEYS = 15
_EXAMPLE = 24
_PHRASE = '"two words"'


class HelpScreen(PageDialog[None]):
    """The keys of the open pane first, then those that work anywhere, then those of the others."""

    BINDINGS = [  # noqa: RUF012  # as Textual declares it
        Binding("question_mark", "leave", "close"),
        Binding("slash", "search", "search"),
    ]

    def __init__(self, place: str) -> None:
        self._place = place
        self._search = Input(placeholder="a word, or a key as it is shown", compact=True)
        self._search.display = False
        keys = "/ searches · j k scroll · esc closes"
        super().__init__("Keys", lambda width: self.lines(width, self._search.value), self._search, keys=keys)

    def lines(self, width: int, words: str) -> list[Line]:
        """The keys that fit the words; without words the filter language too."""
        shown = table(self._place, width, words)
        return shown if words else [*shown, *language(width, self._place)]

    def action_search(self) -> None:
        self._search.display = True
        self._search.focus()

    @on(Input.Changed)
    def _typed(self) -> None:
        self.page.show(self._lines)

    @on(Input.Submitted)
    def _submitted(self) -> None:
        self.page.focus()

    def action_leave(self) -> None:
        if self._search.display:
            self._search.value = ""
            self._search.display = False
            self.page.focus()
        else:
            self.dismiss(None)


class FilterHelp(HelpScreen):
    """What can be typed in the line of a filter."""

    def lines(self, width: int, words: str) -> list[Line]:
        query, page = text.line(words).lower(), language(width, self._place)
        return [line for line in page if query in "".join(part for part, _ in line).lower()]


def language(width: int, place: str = "") -> list[Line]:
    """The fields of a pane's filter line, with an example of each; without a pane those of lessons."""
    from learnloop_tui.view import filter_fields

    about = "Every part has to fit; - in front negates it, a comma in a value means either."
    shown = [*heading("Filter", width), *block(about, width, "muted", indent=2)]
    for field in filter_fields.PANES.get(place, filter_fields.LESSONS):
        shown += signed(f"  {text.fit(field.example, _EXAMPLE)}", "key", field.help, width)
    return [*shown, ((f"  {text.fit(_PHRASE, _EXAMPLE)}", "key"), ("Words as they are.", "text"))]


def table(place: str, width: int, words: str = "") -> list[Line]:
    """Every command that contains the words: its keys and what it does, those of the open pane first."""
    shown: list[Line] = []
    for title, listed in _ordered(place):
        fitting = [command for command in listed if _fits(command, words)]
        if not fitting:
            continue
        shown += heading(title, width)
        for command in fitting:
            shown += signed(f"  {text.fit(_keys(command), _KEYS)}", "key", command.help, width)
    return shown or [(), ((f" No key and no command is called {text.cut(words, 30)}.", "muted"),)]


def _ordered(place: str) -> list[tuple[str, tuple[Command, ...]]]:
    first = [place, *(["list"] if place != "welcome" else []), "anywhere"]
    places = [*first, *(other for other in commands.PLACES if other not in first)]
    return [(commands.PLACES[section], commands.of(section)) for section in places]


def _keys(command: Command) -> str:
    return " ".join(commands.shown(key) for key in command.now)


def _fits(command: Command, words: str) -> bool:
    query = text.line(words)
    haystack = f"{command.title} {command.help}".lower()
    return query in _keys(command).split() or all(word in haystack for word in query.lower().split())

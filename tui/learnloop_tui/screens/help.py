"""All keys, made from the table of commands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.binding import Binding
from textual.containers import Vertical

from learnloop_tui import commands, text
from learnloop_tui.screens.dialog import Dialog
from learnloop_tui.widgets.drawn import Page

if TYPE_CHECKING:
    from textual.app import ComposeResult

    from learnloop_tui.text import Line

_KEYS = 15
_EXAMPLE = 24
_PHRASE = '"two words"'


class HelpScreen(Dialog[None]):
    """The keys of the open pane first, then those of the others."""

    BINDINGS = [  # noqa: RUF012  # as Textual declares it
        Binding("question_mark,q,enter", "leave", "close"),
        Binding("j,down", "scroll_page(1)", "down"),
        Binding("k,up", "scroll_page(-1)", "up"),
        Binding("pagedown,space", "scroll_page(15)", "page down"),
        Binding("pageup", "scroll_page(-15)", "page up"),
    ]

    def __init__(self, place: str) -> None:
        super().__init__()
        self._place = place

    def compose(self) -> ComposeResult:
        """One page."""
        box = Vertical(Page(), classes="box -page")
        box.border_title = text.content("Keys")
        box.border_subtitle = text.content("j k scroll · esc closes")
        yield box

    def on_mount(self) -> None:
        """Lay out the table."""
        page = self.query_one(Page)
        page.show(lambda width: [*table(self._place, width), *language(width, self._place)])
        page.focus()

    def action_scroll_page(self, lines: int) -> None:
        """Scroll."""
        self.query_one(Page).scroll_lines(lines)


class FilterHelp(HelpScreen):
    """What can be typed in the line of a filter."""

    def on_mount(self) -> None:
        """Lay out the fields."""
        page = self.query_one(Page)
        page.show(lambda width: language(width, self._place))
        page.focus()


def language(width: int, place: str = "") -> list[Line]:
    """The fields of a pane's filter line, with an example of each; without a pane those of lessons."""
    from learnloop_tui import asking

    made: list[Line] = [(), ((" Filter ", "brand"), ("─" * max(0, width - 9), "label"))]
    about = "Every part has to fit; - before it turns it round, a comma in a value means either."
    made += [((f"  {line}", "muted"),) for line in text.wrap(about, width - 3)]
    for field in asking.PANES.get(place, asking.LESSONS):
        told = text.wrap(field.help, width - _EXAMPLE - 3)
        made.append(((f"  {text.fit(field.example, _EXAMPLE)}", "key"), (told[0], "text")))
        made += [((" " * (_EXAMPLE + 2) + line, "text"),) for line in told[1:]]
    return [*made, ((f"  {text.fit(_PHRASE, _EXAMPLE)}", "key"), ("Words as they stand.", "text"))]


def table(place: str, width: int) -> list[Line]:
    """Every command: its keys and what it does, the open pane's first."""
    made: list[Line] = []
    ordered = sorted(commands.sections(), key=lambda section: section[1] != commands.of(place))
    for heading, found in ordered:
        made += [(), ((f" {heading} ", "brand"), ("─" * max(0, width - text.width(heading) - 3), "label"))]
        for command in found:
            keys = " ".join(commands.shown(key) for key in command.now)
            told = text.wrap(command.help, width - _KEYS - 3)
            made.append(((f"  {text.fit(keys, _KEYS)}", "key"), (told[0], "text")))
            made += [((" " * (_KEYS + 2) + line, "text"),) for line in told[1:]]
    return made

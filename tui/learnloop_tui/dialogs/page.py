"""Dialogs that show a page to read, and perhaps to agree to."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from textual.binding import Binding
from textual.widgets import Static

from learnloop_tui.dialogs.dialog import Answers, Dialog, box
from learnloop_tui.view import bulk, text
from learnloop_tui.view.page_parts import block
from learnloop_tui.widgets.line_widgets import Page

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from textual.app import ComposeResult
    from textual.widget import Widget

    from learnloop.service.facts.modes import Offer
    from learnloop_tui.view.bulk import Plan
    from learnloop_tui.view.state import Change
    from learnloop_tui.view.text import Line

T = TypeVar("T")


class PageDialog(Dialog[T]):
    """Shows the lines that `lines` gives for a width, between the widgets `above` and `below`."""

    BINDINGS = [  # noqa: RUF012  # as Textual declares it
        Binding("q,enter", "leave", "close"),
        Binding("j,down", "scroll_page(1)", "down"),
        Binding("k,up", "scroll_page(-1)", "up"),
        Binding("pagedown,space", "scroll_page(15)", "page down"),
        Binding("pageup", "scroll_page(-15)", "page up"),
    ]

    def __init__(
        self, title: str, lines: Callable[[int], list[Line]], *above: Widget, below: Sequence[Widget] = (),
        keys: str = "j k scroll · esc closes",
    ) -> None:  # fmt: skip
        super().__init__()
        self._lines = lines
        self.page = Page()
        self._box = box(*above, self.page, *below, title=title, keys=keys, classes="-page")

    def compose(self) -> ComposeResult:
        yield self._box

    def on_mount(self) -> None:
        self.page.show(self._lines)
        self.page.focus()

    def action_scroll_page(self, lines: int) -> None:
        self.page.scroll_lines(lines)


class AgreementPage(PageDialog[bool]):
    """A page to read and to agree to: gives True for y."""

    BINDINGS = [Binding("y", "dismiss(True)", "do it")]  # noqa: RUF012  # as Textual declares it


class MessagesScreen(PageDialog[None]):
    """A page that the key which opens it closes."""

    BINDINGS = [Binding("exclamation_mark", "leave", "close")]  # noqa: RUF012  # as Textual declares it


_YES_OR_NO = (Binding("enter,y", "confirm", "do it"), Binding("n", "leave", "cancel", show=False))


def _answers(does: str) -> Answers:
    """What can be answered; with nothing to do there is one answer."""
    does, leave = f" enter or y: {does} " if does else "", " esc leaves it "
    answers = Answers()
    if does:
        line = ((does, "key"), ("   ", "text"), (leave, "muted"))
        answers.show(lambda _: (line, {does: "confirm", leave: "leave"}))
    else:
        answers.show(lambda _: (((leave, "key"),), {leave: "leave"}))
    return answers


class ConfirmScreen(Dialog[bool]):
    """One question: gives True for enter or y; everything else leaves it."""

    BINDINGS = [*_YES_OR_NO]  # noqa: RUF012  # as Textual declares it

    def __init__(self, title: str, words: str) -> None:
        super().__init__()
        self._title, self._words = title, words

    def compose(self) -> ComposeResult:
        answers = _answers(self._title.rstrip("?").lower())
        yield box(Static(text.content(self._words)), answers, title=self._title)

    def action_confirm(self) -> None:
        self.dismiss(True)


_NARROW, _FRAME = 60, 5
"""A width in which the lines of a plan are counted, and what its frame and answers take besides."""
_HEIGHT = 10
"""The most lines that a plan takes as a part of another dialog."""


class PlanPage(Page):
    """What a verdict on several will do, as a part of another dialog."""

    def __init__(self, plan: Plan) -> None:
        super().__init__()
        self.can_focus = False
        self._plan = plan
        self.styles.margin = (0, 0, 1, 0)
        self.styles.height = min(_HEIGHT, len(bulk.lines(plan, _HEIGHT)))

    def on_mount(self) -> None:
        self.show(lambda width: bulk.lines(self._plan, width))


class BulkScreen(PageDialog[bool]):
    """What a verdict on several will do: gives True where it is to be done."""

    BINDINGS = [*_YES_OR_NO]  # noqa: RUF012  # as Textual declares it

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        answers = _answers(plan.title if plan.does.size else "")
        super().__init__(f"{plan.title}?", lambda width: bulk.lines(plan, width), below=[answers], keys="")

    def on_mount(self) -> None:
        super().on_mount()
        self._box.styles.height = len(bulk.lines(self._plan, _NARROW)) + _FRAME

    def action_confirm(self) -> None:
        self.dismiss(bool(self._plan.does.size) or None)


_LOOKS = {"+": "good", "-": "bad", "@": "label"}
_WORDS = "Nothing else changes. learn uninstall takes it back."


class InstallScreen(PageDialog[bool]):
    """What installing the hooks changes: gives True where that is wanted."""

    BINDINGS = [  # noqa: RUF012  # as Textual declares it
        Binding("enter", "dismiss(True)", "install"),
        Binding("d", "show_diff", "every line"),
    ]

    def __init__(self, plan: Change) -> None:
        keys = "enter installs · d every line · j k scroll · esc cancels"
        self._plan, self._is_whole = plan, False
        super().__init__("Install the hooks", self._layout, keys=keys)

    def action_show_diff(self) -> None:
        """Show every line of the change, or the few sentences again."""
        self._is_whole = not self._is_whole
        self.page.show(self._layout)

    def _layout(self, width: int) -> list[Line]:
        if self._is_whole:
            lines = self._plan.diff.splitlines()
            return [part for line in lines for part in block(line, width, _LOOKS.get(line[:1], "text"))]
        words = (*self._plan.plan, *self._plan.messages, "", _WORDS)
        return [(), *(part for line in words for part in block(line, width, "text"))]


class OfferScreen(PageDialog[str]):
    """Asks once whether a model may do something: gives `y`, `a` or `n`; leaving leaves the question open."""

    BINDINGS = [  # noqa: RUF012  # as Textual declares it
        Binding("y", "dismiss('y')", "yes, in this project"),
        Binding("a", "dismiss('a')", "in all"),
        Binding("n", "dismiss('n')", "no, never ask again"),
    ]

    def __init__(self, offer: Offer) -> None:
        self._offer = offer
        name = offer.project.rpartition("/")[2]
        keys = f"y yes, in {name} · a in all · n no, never ask again · esc later"
        super().__init__(offer.title, self._layout, keys=keys)

    def _layout(self, width: int) -> list[Line]:
        parts = [*((words, "text") for words in self._offer.words), ("", "text")]
        parts += [(line, "muted") for line in self._offer.request.split("\n")]
        return [(), *(line for words, look in parts for line in block(words, width, look) or [()])]

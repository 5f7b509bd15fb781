"""Shows what a verdict on several will do; enter or y does it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.binding import Binding
from textual.containers import Vertical

from learnloop_tui.dialogs.dialog import Answers, Dialog
from learnloop_tui.view import bulk, text
from learnloop_tui.widgets.line_widgets import Page

if TYPE_CHECKING:
    from textual.app import ComposeResult

    from learnloop_tui.view.bulk import Plan
    from learnloop_tui.view.text import Linked

_HEIGHT = 10
"""The most lines it takes as a part of another dialog."""


class PlanPage(Page):
    """The preview as a part of another dialog."""

    def __init__(self, plan: Plan, *, fills: bool = False) -> None:
        super().__init__()
        self.can_focus = fills
        self._plan = plan
        self.styles.margin = (0, 0, 0 if fills else 1, 0)
        self.styles.height = "1fr" if fills else min(_HEIGHT, len(bulk.lines(plan, _HEIGHT)))

    def on_mount(self) -> None:
        self.show(lambda width: bulk.lines(self._plan, width))


class BulkScreen(Dialog[bool]):
    """Gives True where it is to be done."""

    BINDINGS = [  # noqa: RUF012  # as Textual declares it
        Binding("enter,y", "confirm", "do it"),
        Binding("n,q", "leave", "cancel", show=False),
        Binding("j,down", "scroll_page(1)", "down"),
        Binding("k,up", "scroll_page(-1)", "up"),
        Binding("pagedown,space", "scroll_page(10)", "page down"),
        Binding("pageup", "scroll_page(-10)", "page up"),
    ]

    def __init__(self, plan: Plan) -> None:
        super().__init__()
        self._plan = plan
        self._page = PlanPage(plan, fills=True)

    def compose(self) -> ComposeResult:
        answers = Answers()
        answers.show(lambda _: self._answers())
        box = Vertical(self._page, answers, classes="box -page")
        box.border_title = text.content(f"{self._plan.title}?")
        yield box

    def _answers(self) -> Linked:
        """Nothing to do has one answer."""
        leave, does = " esc leaves it ", f" enter or y: {self._plan.title} "
        if not self._plan.does.size:
            return ((leave, "key"),), {leave: "leave"}
        return ((does, "key"), ("   ", "text"), (leave, "muted")), {does: "confirm", leave: "leave"}

    def on_mount(self) -> None:
        self._page.focus()

    def action_confirm(self) -> None:
        self.dismiss(bool(self._plan.does.size) or None)

    def action_scroll_page(self, lines: int) -> None:
        self._page.scroll_lines(lines)

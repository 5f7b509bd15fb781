"""Shows what a verdict on several will do; enter or y does it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.binding import Binding
from textual.containers import Vertical

from learnloop_tui import bulk, text
from learnloop_tui.screens.dialog import Answers, Dialog
from learnloop_tui.widgets.drawn import Page

if TYPE_CHECKING:
    from textual.app import ComposeResult

    from learnloop_tui.bulk import Plan
    from learnloop_tui.text import Linked


class PlanPage(Page):
    """The preview as a part of another dialog."""

    DEFAULT_CSS = "Dialog PlanPage { height: 10; margin-bottom: 1; }"

    def __init__(self, plan: Plan) -> None:
        super().__init__()
        self.can_focus = False
        self._plan = plan

    def on_mount(self) -> None:
        """Counts and statements."""
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
        self._page = PlanPage(plan)

    def compose(self) -> ComposeResult:
        """Counts, then statements."""
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
        """The page takes all the room."""
        self._page.styles.height = "1fr"
        self._page.can_focus = True
        self._page.focus()

    def action_confirm(self) -> None:
        """Do it, where there is anything to do."""
        self.dismiss(bool(self._plan.does.size) or None)

    def action_scroll_page(self, lines: int) -> None:
        """Scroll."""
        self._page.scroll_lines(lines)

"""Shows what a verdict on several will do; enter or y does it."""

from textual.binding import Binding

from learnloop_tui.dialogs.dialog import Answers
from learnloop_tui.dialogs.page_dialog import PageDialog
from learnloop_tui.view import bulk
from learnloop_tui.view.bulk import Plan
from learnloop_tui.view.text import Linked
from learnloop_tui.widgets.line_widgets import Page

_NARROW, _FRAME = 60, 5
"""A width in which its lines are counted, and what its frame and answers take besides."""
_HEIGHT = 10
"""The most lines it takes as a part of another dialog."""


class PlanPage(Page):
    """The preview as a part of another dialog."""

    def __init__(self, plan: Plan) -> None:
        super().__init__()
        self.can_focus = False
        self._plan = plan
        self.styles.margin = (0, 0, 1, 0)
        self.styles.height = min(_HEIGHT, len(bulk.lines(plan, _HEIGHT)))

    def on_mount(self) -> None:
        self.show(lambda width: bulk.lines(self._plan, width))


class BulkScreen(PageDialog[bool]):
    """Gives True where it is to be done."""

    BINDINGS = [  # noqa: RUF012  # as Textual declares it
        Binding("enter,y", "confirm", "do it"),
        Binding("n", "leave", "cancel", show=False),
    ]

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        answers = Answers()
        answers.show(lambda _: self._answers())
        title = f"{plan.title}?"
        super().__init__(title, lambda width: bulk.lines(plan, width), below=[answers], keys="")

    def on_mount(self) -> None:
        super().on_mount()
        self._box.styles.height = len(bulk.lines(self._plan, _NARROW)) + _FRAME

    def _answers(self) -> Linked:
        """Nothing to do has one answer."""
        leave, does = " esc leaves it ", f" enter or y: {self._plan.title} "
        if not self._plan.does.size:
            return ((leave, "key"),), {leave: "leave"}
        return ((does, "key"), ("   ", "text"), (leave, "muted")), {does: "confirm", leave: "leave"}

    def action_confirm(self) -> None:
        self.dismiss(bool(self._plan.does.size) or None)

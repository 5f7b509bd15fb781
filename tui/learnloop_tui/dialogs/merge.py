"""Merge: lessons side by side, of which one stands for the others from now on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.binding import Binding
from textual.containers import Vertical
from textual.widgets import Static

from learnloop_tui.dialogs.dialog import Dialog
from learnloop_tui.view import text
from learnloop_tui.widgets.side_by_side import MOST, Sides

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual.app import ComposeResult

    from learnloop.models import Lesson


class MergeScreen(Dialog[str]):
    """Gives the id of the lesson that is kept."""

    DEFAULT_CSS = """
    MergeScreen > .box { width: 110; height: 80%; }
    """
    BINDINGS = [  # noqa: RUF012  # as Textual declares it
        Binding("enter", "merge", "merge", priority=True),
        Binding("right,tab,l", "next(1)", "keep the next", priority=True),
        Binding("left,shift+tab,h", "next(-1)", "keep the one before", priority=True),
        Binding("1", "keep(0)", show=False),
        Binding("2", "keep(1)", show=False),
        Binding("3", "keep(2)", show=False),
    ]

    def __init__(self, lessons: Sequence[Lesson]) -> None:
        super().__init__()
        self._lessons = sorted(lessons, key=lambda one: one.status != "active")
        self._sides = Sides(self._lessons, 0, ("kept, with all evidence", "archived"))

    def compose(self) -> ComposeResult:
        """The columns, and what happens."""
        more = len(self._lessons) - MOST
        said = f"and {more} more that go into the kept one" if more > 0 else ""
        box = Vertical(self._sides, Static(text.content(said), classes="hint"), classes="box")
        box.border_title = text.content(f"Merge {len(self._lessons)} lessons")
        box.border_subtitle = text.content("←/→ chooses which is kept · enter merges · esc cancels")
        yield box

    def action_next(self, by: int) -> None:
        """Keep the one beside."""
        self._sides.keep(self._sides.kept + by)

    def action_keep(self, at: int) -> None:
        """Keep that one."""
        if at < min(len(self._lessons), MOST):
            self._sides.keep(at)

    def action_merge(self) -> None:
        """Done."""
        self.dismiss(self._lessons[self._sides.kept].id)

"""Dialogs with lessons side by side of which one is kept: a merge, and a contradiction."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.binding import Binding
from textual.widgets import Static

from learnloop_tui.dialogs.dialog import Dialog, box
from learnloop_tui.view import text
from learnloop_tui.widgets.side_by_side import MOST, SideBySide

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual.app import ComposeResult

    from learnloop.models import Lesson


class ChooseLessonScreen(Dialog[str]):
    """Gives the id of the lesson that is kept."""

    DEFAULT_CSS = """
    ChooseLessonScreen > .box { width: 110; height: 80%; }
    """
    BINDINGS = [  # noqa: RUF012  # as Textual declares it
        Binding("enter", "choose", "keep this one", priority=True),
        Binding("right,tab,l", "next(1)", "keep the next", priority=True),
        Binding("left,shift+tab,h", "next(-1)", "keep the one before", priority=True),
        *(Binding(f"{index + 1}", f"keep({index})", show=False) for index in range(MOST)),
    ]

    def __init__(self, lessons: Sequence[Lesson], fates: tuple[str, str]) -> None:
        """`fates`: what becomes of the kept lesson, and of the others."""
        super().__init__()
        self._lessons = lessons
        self._sides = SideBySide(lessons, 0, fates)

    def action_next(self, step: int) -> None:
        self._sides.keep(self._sides.kept + step)

    def action_keep(self, index: int) -> None:
        if index < min(len(self._lessons), MOST):
            self._sides.keep(index)

    def action_choose(self) -> None:
        self.dismiss(self._lessons[self._sides.kept].id)


class MergeScreen(ChooseLessonScreen):
    """Lessons of which one replaces the others from now on."""

    def __init__(self, lessons: Sequence[Lesson], against: str = "") -> None:
        """`against`: why two of them cannot both be followed, where they cannot."""
        self._against = against
        active_first = sorted(lessons, key=lambda lesson: lesson.status != "active")
        super().__init__(active_first, ("kept, with all evidence", "archived"))

    def compose(self) -> ComposeResult:
        more = len(self._lessons) - MOST
        warning = f"⚠ These do not say the same: {self._against}. Merging drops one of them."
        problem = Static(text.content(warning if self._against else ""), classes="problem")
        hint = Static(text.content(f"and {more} more that go into the kept one" if more > 0 else ""))
        hint.add_class("hint")
        title = f"Merge {len(self._lessons)} lessons"
        keys = "←/→ chooses which is kept · enter merges · esc cancels"
        yield box(problem, self._sides, hint, title=title, keys=keys)


class ContradictionScreen(ChooseLessonScreen):
    """Two lessons that say the opposite: the chosen one takes the place of the other."""

    def __init__(self, lessons: Sequence[Lesson], reason: str) -> None:
        super().__init__(lessons, ("stays", "is replaced"))
        self._reason = reason

    def compose(self) -> ComposeResult:
        reason = Static(text.content("\n".join(text.wrap(self._reason, 100, limit=3))), classes="hint")
        keys = "←/→ chooses · enter: it replaces the other · esc leaves both"
        yield box(reason, self._sides, title="These two say the opposite", keys=keys)

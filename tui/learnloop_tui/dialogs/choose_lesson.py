"""Dialogs with lessons side by side of which one is kept: a merge, and a contradiction."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.binding import Binding
from textual.containers import Horizontal
from textual.widgets import Static

from learnloop.service.id_prefix import shown
from learnloop_tui.dialogs.dialog import Dialog, box
from learnloop_tui.view import form, text
from learnloop_tui.view.page_parts import block, signed
from learnloop_tui.widgets.line_widgets import Page

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from textual.app import ComposeResult

    from learnloop.models import Lesson
    from learnloop_tui.view.text import Line


MOST = 3
"""So many columns fit."""


class SideBySide(Horizontal):
    """Two or three lessons; the chosen one is framed."""

    DEFAULT_CSS = """
    SideBySide { height: 1fr; }
    SideBySide Page { width: 1fr; border: round $border-blurred; border-title-color: $foreground 70%; }
    SideBySide Page.-kept { border: round $success; border-title-color: $success; border-title-style: bold; }
    """

    def __init__(self, lessons: Sequence[Lesson], chosen: int, names: tuple[str, str]) -> None:
        super().__init__()
        self._lessons = lessons[:MOST]
        self._names = names
        self.kept = chosen

    def compose(self) -> ComposeResult:
        for lesson in self._lessons:
            page = Page()
            page.show(lambda width, lesson=lesson: list(_lines(lesson, width)))  # type: ignore[misc]  # bound now
            yield page

    def on_mount(self) -> None:
        self.keep(self.kept)

    def keep(self, at: int) -> None:
        self.kept = at % len(self._lessons)
        for number, page in enumerate(self.query(Page)):
            page.set_class(number == self.kept, "-kept")
            fate = self._names[0] if number == self.kept else self._names[1]
            page.border_title = text.content(f" {number + 1} {fate} ")

    @property
    def plain(self) -> str:
        return "\n".join(page.plain for page in self.query(Page))


def _lines(lesson: Lesson, width: int) -> Iterator[Line]:
    yield from block(lesson.statement or lesson.title, width, "strong", indent=0)
    yield ()
    where = "everywhere" if lesson.scope == "global" else lesson.project.rpartition("/")[2] or "one project"
    usage = lesson.usage
    counted = f"seen {lesson.seen_count}× · recalled {usage.recalled}× · heeded {usage.heeded}×"
    for facts in (f"{shown(lesson.id)} · {lesson.status} · {lesson.priority} · {where}", counted):
        yield from block(facts, width, "muted", indent=0)
    yield ()
    for name, (label, _) in form.TRIGGERS.items():
        values = getattr(lesson.triggers, name)
        for at, line in enumerate(text.wrap("  ".join(values), width - 11, limit=4) if values else ()):
            yield ((text.fit(label if at == 0 else "", 10), "label"), (line, "text"))
    for seen in reversed(lesson.evidence):
        yield ()
        yield from signed("❝ ", "accent", seen.quote, width, "quote", 6)
        yield ((text.cut(f"  {seen.ts[:10]} · session {seen.session_id[:8]}", width - 1), "muted"),)


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

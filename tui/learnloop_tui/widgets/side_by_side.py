"""Lessons side by side, each in a column of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.containers import Horizontal

from learnloop.service.id_prefix import shown
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

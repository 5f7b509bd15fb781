"""Inbox: what waits for a verdict."""

from __future__ import annotations

from typing import TYPE_CHECKING

from learnloop_tui.panes.actions import Action
from learnloop_tui.panes.bindings import bindings
from learnloop_tui.panes.lesson_verdicts import LessonVerdictPane
from learnloop_tui.view import lesson_lines, lesson_state, list_view, pages, state
from learnloop_tui.view.lesson_state import PROPOSED, LessonsView

if TYPE_CHECKING:
    from collections.abc import Callable

    from learnloop_tui.bridge import Bridge
    from learnloop_tui.view.lesson_lines import Columns
    from learnloop_tui.view.lesson_state import Item
    from learnloop_tui.view.state import Row, Snapshot
    from learnloop_tui.view.text import Line


class TriagePane(LessonVerdictPane):
    """The queue, strongest first."""

    PLACE = "triage"
    TITLE = "Inbox"
    BINDINGS = bindings("triage", "list")

    def __init__(self, bridge: Bridge, now_ms: Callable[[], int]) -> None:
        self._strongest = state.STRONGEST
        super().__init__(bridge, now_ms, LessonsView(states=("draft", PROPOSED)))

    def handlers(self) -> dict[str, Action]:
        return {
            **super().handlers(),
            "view": Action(lambda: self.turn(1), self._why_not_weaker),
            "view_back": Action(lambda: self.turn(-1), self._why_not_weaker),
        }

    def turn(self, step: int) -> None:
        """Show the folded drafts, or fold them again."""
        del step
        self.set_view(lesson_state.unfolded(self.view))

    def show_snapshot(self, snapshot: Snapshot, rows: tuple[Row, ...]) -> None:
        """Show the queue, all but the strongest folded; once those are decided, the next ones open."""
        self._strongest = snapshot.strongest
        if not self.view.loaded:
            self.show_rows(rows)
            self.fold()
            return
        view = lesson_state.with_rows(self.view, rows)
        self.set_view(lesson_state.refolded(self.view, view, self._strongest), changed=True)

    def fold(self) -> None:
        """Fold all but the strongest, as after learning from old sessions."""
        self.set_view(list_view.moved(lesson_state.folded(self.view, self._strongest), 0))

    def draw_row(
        self, item: Item, width: int, marked: bool, fresh: bool, columns: Columns, most: int
    ) -> list[Line]:
        return lesson_lines.triage_row(item, width, marked, fresh, columns, most)

    def heading(self) -> str:
        proposed = self.view.proposed
        if not self.view.loaded:
            return super().heading()
        waiting = f"{self.TITLE} {self.view.asked_about - proposed:,}"
        return f"{waiting} · ⚑ {proposed:,} to look at" if proposed else waiting

    def none_yet(self) -> list[Line]:
        if self.hooked is None:
            return []
        active = sum(row.status == "active" for row in self.view.rows)
        return pages.no_drafts(hooked=self.hooked, lessons=active)

    def _why_not_weaker(self) -> str:
        if self.view.order or self.view.group or self.view.query.strip():
            return "Sorted, grouped or filtered, all drafts are shown."
        return "" if self.view.weak & self.view.ids else "No draft is folded."

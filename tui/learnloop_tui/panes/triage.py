"""Triage: the drafts that wait for a verdict."""

from __future__ import annotations

from typing import TYPE_CHECKING

from learnloop_tui.bridge import lesson_queries
from learnloop_tui.panes.base import VerdictGiven
from learnloop_tui.panes.bindings import bindings
from learnloop_tui.panes.verdicts import VerdictPane
from learnloop_tui.view import lines, pages, state
from learnloop_tui.view.state import Verdict, View

if TYPE_CHECKING:
    from collections.abc import Callable

    from learnloop_tui.bridge import Bridge
    from learnloop_tui.view.state import Item, Row, Snapshot
    from learnloop_tui.view.text import Line


class TriagePane(VerdictPane):
    """The queue, strongest first."""

    PLACE = "triage"
    TITLE = "Drafts"
    COUNTED = "seen"
    BINDINGS = [*bindings("triage"), *bindings("list")]  # noqa: RUF012  # as Textual declares it

    def __init__(self, bridge: Bridge, now_ms: Callable[[], int]) -> None:
        super().__init__(bridge, now_ms)
        self.view = View(states=("draft", state.PROPOSED))
        self.hooked = True
        self._strongest = state.STRONGEST

    def show_snapshot(self, snapshot: Snapshot, rows: tuple[Row, ...]) -> None:
        """Show the queue; when it is first seen, all but the strongest are folded."""
        strongest = snapshot.strongest
        first, self._strongest = not self.view.loaded or strongest < self._strongest, strongest
        self.show_rows(rows)
        if first:
            self.fold()

    def set_hooks_installed(self, installed: bool) -> None:
        """Say so where the queue is empty."""
        if installed != self.hooked:
            self.hooked = installed
            self._show_state()

    def why_not_mute_rule(self) -> str:
        """Only what a rule drafted can be muted by it."""
        return "" if self.view.current else "There is no draft here."

    async def do_mute_rule(self) -> None:
        """Fold away what the rule of the current draft makes."""
        row = self.view.current
        if row is None:
            return
        [lesson] = await self._bridge.read(lesson_queries.lessons, [row.id])
        verdict = Verdict("mute", (row.id,), {"rule": lesson.source})
        self.post_message(
            VerdictGiven(verdict, {}, f"Muted the rule “{lesson.source}”: its drafts are folded away")
        )

    def fold(self) -> None:
        """Fold all but the strongest, as after learning from old sessions."""
        self.set_view(state.moved(state.folded(self.view, self._strongest), 0))

    def draw_row(self, item: Item, width: int, marked: bool, fresh: bool) -> Line:
        """A draft."""
        return lines.triage_row(item, width, marked, fresh)

    def heading(self) -> str:
        """The drafts, and how many lessons are proposed for archiving."""
        proposed = self.view.proposed
        if not (self.view.loaded and proposed):
            return super().heading()
        return f"{self.TITLE} {self.view.total - proposed:,} · ⚑ {proposed:,} to look at"

    def nothing(self) -> list[Line]:
        """All done, or nothing came yet."""
        active = sum(row.status == "active" for row in self.view.rows)
        return pages.no_drafts(hooked=self.hooked, lessons=active)

    def why_not_weaker(self) -> str:
        """Something has to be folded."""
        if self.view.order or self.view.group or self.view.query.strip():
            return "Sorted, grouped or filtered, all drafts are shown."
        return "" if self.view.weak & self.view.ids else "No weaker drafts are folded."

    def do_weaker(self) -> None:
        """Unfold or fold."""
        self.set_view(state.unfolded(self.view))

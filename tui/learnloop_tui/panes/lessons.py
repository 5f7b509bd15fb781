"""Lessons: everything that was ever promoted or turned down, and the drafts as well."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from learnloop_tui.panes.bindings import bindings
from learnloop_tui.panes.verdicts import VerdictPane
from learnloop_tui.view import bulk, lines, pages, state

if TYPE_CHECKING:
    from learnloop_tui.view.state import Item, Row, Snapshot
    from learnloop_tui.view.text import Line


class LessonsPane(VerdictPane):
    """All lessons, newest first, by state."""

    PLACE = "lessons"
    TITLE = "Lessons"
    COUNTED = "told"
    BINDINGS = [*bindings("lessons"), *bindings("list")]  # noqa: RUF012  # as Textual declares it

    shown_state = "all"
    _tally: tuple[tuple[Row, ...], Counter[str]] = ((), Counter())

    def show_snapshot(self, snapshot: Snapshot, rows: tuple[Row, ...]) -> None:
        """Show all lessons, the drafts last."""
        del snapshot
        others = [row for row in rows if row.status != "draft"]
        drafts = [row for row in rows if row.status == "draft"]
        self.show_rows((*others, *drafts))

    def heading(self) -> str:
        """The states with their counts, the shown one in brackets."""
        if not self.view.loaded:
            return self.TITLE
        parts = [self._counted(name) for name in state.STATES]
        return "  ".join(part for part in parts if part)

    def _counted(self, name: str) -> str:
        count = self._states[name] if name != "all" else len(self.view.rows)
        label = f"{name} {count:,}"
        if name == self.shown_state:
            return f"[{label}]"
        return label if count else ""

    @property
    def _states(self) -> Counter[str]:
        """How many lessons are in each state; a key press must not count 10,000 rows."""
        rows = self.view.rows
        if rows is not self._tally[0]:
            self._tally = rows, Counter(row.state for row in rows)
        return self._tally[1]

    def draw_row(self, item: Item, width: int, marked: bool, fresh: bool) -> Line:
        """A lesson of any state."""
        return lines.lesson_row(item, width, marked, fresh)

    def nothing(self) -> list[Line]:
        """No lesson in this state."""
        return pages.no_lessons(self.shown_state)

    def why_not_status(self) -> str:
        """There has to be another state."""
        there = {*self._states, self.shown_state} - {"all"}
        return "" if there else "There are no lessons in any state yet."

    why_not_status_back = why_not_status

    def do_status(self) -> None:
        """The next state that has lessons."""
        self._turn(1)

    def do_status_back(self) -> None:
        """The state before that has lessons."""
        self._turn(-1)

    def _turn(self, step: int) -> None:
        names = [name for name in state.STATES if name in self._states or name in ("all", self.shown_state)]
        self.shown_state = names[(names.index(self.shown_state) + step) % len(names)]
        wanted = () if self.shown_state == "all" else (self.shown_state,)
        self.set_view(state.in_states(self.view, wanted))

    def reveal(self, row_id: str) -> bool:
        """Of whatever state it is."""
        row = next((row for row in self.view.rows if row.id == row_id), None)
        if row is not None and self.shown_state not in ("all", row.state):
            self.shown_state = "all"
            self.set_view(state.in_states(self.view, ()))
        return super().reveal(row_id)

    def why_not_restore(self) -> str:
        """Only what is out of use is restored."""
        return self._none_in("archived rejected", "Only archived and rejected lessons are restored")

    async def do_restore(self) -> None:
        """Archived ones back into use, rejected ones back to the drafts."""
        plan = self._plan(
            "Restore",
            "will be back: archived ones in use, rejected ones as drafts",
            ("stay as they are: neither archived nor rejected", bulk.state_is("archived", "rejected")),
        )
        await self._do(plan, "restore", {"status": "restored"}, "Brought back:")

    def why_not_pause(self) -> str:
        """Only lessons in use are paused."""
        return self._none_in("active paused", "Only active lessons are paused")

    async def do_pause(self) -> None:
        """Pause, or go on; several follow the first."""
        pausing = self._in("active", "paused")[0].state == "active"
        plan = self._plan(
            "Pause" if pausing else "Resume",
            "will not be told for now" if pausing else "will be told again",
            ("stay as they are: not in use", bulk.state_is("active", "paused")),
            ("are so already", lambda row: row.paused == pausing),
        )
        said = "Paused" if pausing else "Told again:"
        await self._do(plan, "pause" if pausing else "resume", {"paused": pausing}, said)

    def why_not_helpful(self) -> str:
        """Only what was told is rated."""
        return self._not_told()

    async def do_helpful(self) -> None:
        """The last recall was helpful."""
        await self._rate("helpful")

    def why_not_harmful(self) -> str:
        """Only what was told is rated."""
        return self._not_told()

    async def do_harmful(self) -> None:
        """The last recall did harm."""
        await self._rate("harmful")

    def _not_told(self) -> str:
        wrong = self._none_in("active paused", "Only active lessons are rated")
        if wrong or any(row.recalled for row in self._in("active", "paused")):
            return wrong
        return "It was not told yet, so there is nothing to rate."

    async def _rate(self, verdict: str) -> None:
        plan = self._plan(
            "Rate",
            f"will be rated {verdict} when last told",
            ("stay as they are: not in use", bulk.state_is("active", "paused")),
            ("were not told yet", lambda row: not row.recalled),
        )
        await self._do(plan, "rate", {}, f"Rated {verdict}:", {"verdict": verdict})

"""A list on whose lessons verdicts are given: what triage and lessons share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from learnloop_tui import state, text
from learnloop_tui.state import Row, Verdict
from learnloop_tui.widgets.lists import ListPane
from learnloop_tui.widgets.panes import Decided

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from learnloop_tui.app import ConsoleApp
    from learnloop_tui.widgets.backtest import Try


class VerdictPane(ListPane):
    """Gives verdicts on the marked lessons, else on the one under the cursor."""

    def why_not_promote(self) -> str:
        """Only drafts are promoted."""
        return self._none_in("draft", "Only drafts are promoted")

    async def do_promote(self) -> None:
        """Promote at once; a single draft that needs words is asked for them first."""
        drafts = self._in("draft")
        if len(drafts) == 1 and drafts[0].needs_words:
            await self._give_words(drafts[0])
            return
        held = [row for row in drafts if row.needs_words or (row.external and len(drafts) > 1)]
        ready = [row for row in drafts if row not in held]
        if held:
            self.say(_left_out(held), "warning")
        if ready:
            self._decide("promote", ready, {"status": "active"}, "Promoted")

    async def _give_words(self, row: Row) -> None:
        from learnloop_tui.screens.statement import StatementScreen

        def promote(words: str | None) -> None:
            if words:
                changes = {"status": "active", "statement": words, "needs_words": False}
                self._decide("promote", [row], changes, "Promoted", {"statement": words})

        found = await self._fetch(row.id)
        await self.app.push_screen(StatementScreen(found.lesson), promote)

    def why_not_archive(self) -> str:
        """Only lessons in use are archived."""
        return self._none_in("active paused", "Only active lessons are archived")

    async def do_archive(self) -> None:
        """Ask why, then archive."""
        from learnloop_tui.screens.reason import ARCHIVING, ReasonScreen

        rows = self._in("active", "paused")

        def archive(reason: str | None) -> None:
            if reason is not None:
                changes = {"status": "archived", "proposal": ""}
                self._decide("archive", rows, changes, "Archived", {"reason": reason})

        await self.app.push_screen(ReasonScreen(f"Archive {named(rows)}", ARCHIVING, free=False), archive)

    def why_not_merge(self) -> str:
        """Something to merge with."""
        rows = self._in("draft", "active", "paused")
        if len(rows) > 1 or (rows and self.beside(rows[0].id).near):
            return ""
        return "Mark the lessons that say the same (space), then merge them."

    async def do_merge(self) -> None:
        """Show them side by side; the chosen one is kept."""
        from learnloop_tui.screens.merge import MergeScreen

        rows = self._in("draft", "active", "paused")
        names = [row.id for row in rows]
        if len(names) == 1:
            names.append(self.beside(names[0]).near[0])

        def merge(kept: str | None) -> None:
            if kept is None:
                return
            gone = [row for row in self.view.rows if row.id in names and row.id != kept]
            self._decide(
                "merge", gone, {"status": "archived", "proposal": ""}, "Merged", {"keep": kept}, also=(kept,)
            )

        found = [(await self._fetch(name)).lesson for name in names]
        await self.app.push_screen(MergeScreen(found), merge)

    def why_not_compare(self) -> str:
        """Something has to contradict it."""
        row = self.view.current
        return "" if row and self.beside(row.id).contradicts else "Nothing contradicts this one."

    async def do_compare(self) -> None:
        """Show two lessons that cannot both hold; the one that does not goes."""
        from learnloop_tui.screens.contradiction import ContradictionScreen

        row = self.view.current
        other = self.beside(row.id).contradicts if row else None
        if row is None or other is None:
            return
        one, two = (await self._fetch(row.id)).lesson, (await self._fetch(other[0])).lesson

        def settle(kept: str | None) -> None:
            gone = [each for each in self.view.rows if each.id in (one.id, two.id) and each.id != kept]
            if kept is None or not gone:
                return
            if gone[0].status == "draft":
                reason = {"reason": "contradicts another lesson"}
                self._decide("reject", gone, {"status": "rejected"}, "Rejected", reason)
            else:
                archived = {"status": "archived", "proposal": ""}
                self._decide("archive", gone, archived, "Archived", {"reason": "superseded"})

        await self.app.push_screen(ContradictionScreen(one, two, other[1]), settle)

    def why_not_gate(self) -> str:
        """Only what is or may be told can stop a call."""
        return self._none_in("draft active paused", "Only drafts and active lessons can stop a call")

    async def do_gate(self) -> None:
        """Set the gate, or take it away; several follow the first."""
        rows = self._in("draft", "active", "paused")
        on = not (await self._fetch(rows[0].id)).lesson.gate
        said = "Stops the first call it matters at:" if on else "Stops no call any more:"
        self._decide("gate", rows, {}, said, {"on": on})

    def why_not_reject(self) -> str:
        """Only drafts are rejected, and only proposals are turned down."""
        if any(row.proposal for row in self.view.targets):
            return ""
        return self._none_in("draft", "Only drafts are rejected")

    async def do_reject(self) -> None:
        """Ask for the reason, then reject."""
        from learnloop_tui.screens.reason import REJECTING, ReasonScreen

        drafts = self._in("draft")
        kept = [row for row in self.view.targets if row.proposal]
        if kept:
            self._decide("keep", kept, {"proposal": ""}, "Kept")
        if not drafts:
            return

        def reject(reason: str | None) -> None:
            if reason is not None:
                self._decide("reject", drafts, {"status": "rejected"}, "Rejected", {"reason": reason})

        await self.app.push_screen(ReasonScreen(f"Reject {named(drafts)}", REJECTING), reject)

    def why_not_edit(self) -> str:
        """One lesson at a time."""
        if len(self.view.targets) > 1:
            return "One lesson at a time: esc takes the marks off."
        return "" if self.view.targets else "There is nothing to edit here."

    async def do_edit(self) -> None:
        """Open the form, then write down what changed."""
        from learnloop_tui.screens.edit import EditScreen

        row = self.view.targets[0]

        def edit(changes: dict[str, Any] | None) -> None:
            if changes:
                worded = "statement" in changes
                shown = {"statement": changes["statement"], "needs_words": False} if worded else {}
                self._decide("edit", [row], shown, "Changed", changes)

        found = await self._fetch(row.id)
        await self.app.push_screen(EditScreen(found.lesson, self._tries(row.id)), edit)

    def _tries(self, row_id: str) -> Try:
        bridge = cast("ConsoleApp", self.app).bridge
        return lambda changes: bridge.trial(row_id, changes)

    def why_not_scope(self) -> str:
        """A lesson that came from no project can only hold everywhere."""
        targets = self.view.targets
        if not targets:
            return "There is nothing here whose scope could change."
        if targets[0].scope == "global" and not targets[0].project:
            return "It is not known which project it came from."
        return ""

    def do_scope(self) -> None:
        """Switch between this project and everywhere; several follow the first."""
        targets = self.view.targets
        to = "project" if targets[0].scope == "global" else "global"
        changing = [row for row in targets if row.scope != to and (to == "global" or row.project)]
        said = "Holds everywhere now:" if to == "global" else f"Holds in {targets[0].project} now:"
        self._decide("scope", changing, {"scope": to}, said, {"scope": to})

    def _in(self, *states: str) -> list[Row]:
        return [row for row in self.view.targets if row.state in states]

    def _none_in(self, wanted: str, rule: str) -> str:
        if not self.view.targets:
            return f"{rule}, and there is none here."
        if self._in(*wanted.split()):
            return ""
        return f"{rule}; this one is {self.view.targets[0].state}."

    def _decide(
        self,
        action: str,
        rows: Sequence[Row],
        changes: Mapping[str, Any],
        said: str,
        args: Mapping[str, Any] | None = None,
        *,
        also: Sequence[str] = (),
    ) -> None:
        ids = tuple(row.id for row in rows)
        if self.view.marks:
            self.set_view(state.unmarked(self.view))
        verdict = Verdict(action, (*also, *ids), args or {})
        self.post_message(Decided(verdict, dict.fromkeys(ids, changes), f"{said} {named(rows)}"))


def named(rows: Sequence[Row]) -> str:
    """Which lessons, for a toast."""
    if len(rows) == 1:
        return f"“{text.cut(rows[0].statement, 60)}”"
    return f"{len(rows):,} lessons"


def _left_out(rows: Sequence[Row]) -> str:
    wordless = sum(row.needs_words for row in rows)
    foreign = len(rows) - wordless
    parts = [f"{wordless} need words" if wordless > 1 else "1 needs words"] if wordless else []
    if foreign:
        parts.append(f"{foreign} quote foreign text" if foreign > 1 else "1 quotes foreign text")
    return f"Left as drafts: {' and '.join(parts)}. Promote them one by one."

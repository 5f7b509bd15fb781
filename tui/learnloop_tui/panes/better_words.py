"""Better words for drafts: a model is asked beside the console, and the same key shows what it says."""

from __future__ import annotations

from threading import Event
from typing import TYPE_CHECKING

from learnloop.keymap import commands
from learnloop_tui.bridge import lesson_queries, rewording_queries

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from learnloop.service.facts.reword_drafts import Rewording, RewordPlan
    from learnloop_tui.bridge import Bridge
    from learnloop_tui.panes.lesson_list import LessonListPane
    from learnloop_tui.view.state import Row

    Reword = Callable[[str, Mapping[str, Any]], None]


class RewordFlow:
    """What a pane asked a model, and the answers that were not shown yet."""

    def __init__(
        self, pane: LessonListPane, bridge: Bridge, drafts: Callable[[], list[Row]], reword: Reword
    ) -> None:
        """`drafts` gives those that are meant; `reword` makes the words of one its own."""
        self._pane, self._bridge, self._drafts, self._reword = pane, bridge, drafts, reword
        self._given: dict[str, Rewording] = {}
        self._asked: set[str] = set()
        self._closed = Event()

    def stop(self) -> None:
        """Nobody waits for an answer any more."""
        self._closed.set()

    async def ask(self) -> None:
        """Show the words that are there; else ask, for marks after saying what it costs."""
        from learnloop_tui.dialogs.confirm import ConfirmScreen

        ids = [row.id for row in self._drafts()]
        if given := [self._given.pop(row_id) for row_id in ids if row_id in self._given]:
            await self._show(await self._unchanged(given))
            return
        if waiting := self._asked.intersection(ids):
            self._pane.notify_person(f"The model is at it: {_drafts(len(waiting))}.")
            return
        planned = await self._bridge.read(rewording_queries.plan, ids)
        if planned.why_none:
            self._pane.notify_person(f"No better words: {planned.why_none}.", "warning")
        elif self._pane.view.marks:
            cost = f"About {_drafts(len(planned.lesson_ids))}: {planned.words}."
            screen = ConfirmScreen("Ask for better words?", cost)
            await self._pane.ask(screen, lambda _: self._start(planned))
        else:
            self._start(planned)

    def _start(self, planned: RewordPlan) -> None:
        self._asked |= set(planned.lesson_ids)
        self._pane.notify_person(f"Asked for better words: {planned.words}.")
        self._pane.run_worker(self._wait(planned.lesson_ids), group="better-words", exit_on_error=False)

    async def _wait(self, ids: Sequence[str]) -> None:
        try:
            report = await self._bridge.long(rewording_queries.ask, ids, self._closed.is_set)
        finally:
            self._asked -= set(ids)
        better = {each.lesson_id: each for each in report.rewordings if each.statement}
        self._given |= better
        if better:
            key = commands.BY_ID["better_words"].key
            self._pane.notify_person(f"Better words for {_drafts(len(better))}: {key} on it shows them.")
        else:
            reasons = [each.why_not for each in report.rewordings]
            self._pane.notify_person(f"No better words: {report.stopped or reasons[0]}.", "warning")

    async def _unchanged(self, given: Sequence[Rewording]) -> list[Rewording]:
        """Those of drafts that have the words still that were asked about."""
        lessons = await self._bridge.read(lesson_queries.lessons, [each.lesson_id for each in given])
        statement_by_id = {lesson.id: lesson.statement for lesson in lessons if lesson.status == "draft"}
        return [each for each in given if statement_by_id.get(each.lesson_id) == each.before]

    async def _show(self, given: Sequence[Rewording]) -> None:
        """One diff after the other; leaving one leaves the rest."""
        from learnloop_tui.dialogs.words_diff import BetterWordsScreen

        if not given:
            return
        first, *others = given

        def answered(is_taken: bool) -> None:
            if is_taken:
                self._reword(first.lesson_id, first.changes)
            self._pane.run_worker(self._show(others), group="better-words", exit_on_error=False)

        await self._pane.ask(BetterWordsScreen(first, len(others)), answered)


def _drafts(count: int) -> str:
    return f"{count} {'draft' if count == 1 else 'drafts'}"

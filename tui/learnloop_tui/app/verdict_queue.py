"""Verdicts on their way: shown at once, written in order, taken back where they are refused."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from textual import on, work

from learnloop_tui.app.store_watch import StoreWatch
from learnloop_tui.bridge import verdict_queries
from learnloop_tui.panes.base import VerdictGiven
from learnloop_tui.panes.lesson_list import LessonListPane
from learnloop_tui.view.state import Pending, Step

if TYPE_CHECKING:
    from learnloop.service.workspace import Workspace


class VerdictFlows(StoreWatch):
    """Writes verdicts, undoes and redoes them."""

    pending: tuple[Pending, ...] = ()
    _tickets = 0

    async def load(self) -> None:
        """Read everything the lists show."""
        raise NotImplementedError

    def show_rows(self) -> None:
        """Show what was read, with what is decided and not written yet laid over it."""
        raise NotImplementedError

    @on(VerdictGiven)
    def _decided(self, event: VerdictGiven) -> None:
        self._tickets += 1
        self.pending = (*self.pending, Pending(self._tickets, event.changes))
        self.show_rows()
        if event.goes_on and isinstance(self.main.pane, LessonListPane):
            self.main.pane.go_on(event.goes_on)
        self._write(self._tickets, event)

    @work(group="verdict", exit_on_error=False)
    async def _write(self, ticket: int, event: VerdictGiven) -> None:
        try:
            await self.bridge.work(verdict_queries.write, event.verdict)
        except Exception as error:  # whatever it is, the screen has to show what is true
            self.pending = tuple(pending for pending in self.pending if pending.ticket != ticket)
            self.show_rows()
            self.complain(error)
        else:
            self.pending = tuple(
                pending._replace(settled=True) if pending.ticket == ticket else pending
                for pending in self.pending
            )
            self.say(f"{event.notice}. z takes it back.")
        self.pump.want_load()

    @work(group="verdict", exit_on_error=False)
    async def do_undo(self) -> None:
        """Take the last verdict back."""
        await self._step(
            await self.bridge.work(step, "undo"), "Taken back:", "There is no verdict to take back."
        )

    @work(group="verdict", exit_on_error=False)
    async def do_redo(self) -> None:
        """Bring back the verdict undone last."""
        await self._step(await self.bridge.work(step, "redo"), "Done again:", "There is nothing to do again.")

    async def _step(self, step: Step | None, said: str, nothing: str) -> None:
        """Say what was undone or redone, and point at it where the open list shows it."""
        if step is None:
            self.say(nothing)
            return
        self.say(f"{said} {step.words}")
        await self.load()
        pane = self.main.pane
        if isinstance(pane, LessonListPane):
            pane.point_at(step.ids)


def step(ws: Workspace, name: Literal["undo", "redo"]) -> Step | None:
    """Undo or redo one verdict; None where there is none. Runs in a thread of the bridge."""
    from learnloop.service.history import sentences, undo

    decision = undo.undo(ws) if name == "undo" else undo.redo(ws)
    if decision is None:
        return None
    return Step(sentences.step_sentence(ws, decision) or "the last verdict", decision.lesson_ids)

"""Verdicts on their way: shown at once, written in order, taken back where they are refused."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass, field
from typing import TYPE_CHECKING, Literal

from learnloop_tui.bridge import verdict_queries
from learnloop_tui.view.state import Pending, Step

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from textual.app import App

    from learnloop.service.workspace import Workspace
    from learnloop_tui.app.notifications import Notifications
    from learnloop_tui.app.refresh_queue import RefreshQueue
    from learnloop_tui.bridge import Bridge
    from learnloop_tui.panes.pane import VerdictGiven

_UNDONE = ("Taken back:", "There is no verdict to take back.")
_REDONE = ("Done again:", "There is nothing to do again.")


@dataclass(eq=False)
class VerdictQueue:
    """Writes verdicts, undoes and redoes them."""

    app: App[str]
    bridge: Bridge
    notifications: Notifications
    queue: RefreshQueue
    _: KW_ONLY
    show_rows: Callable[[], None]
    show_step: Callable[[Sequence[str]], Awaitable[None]]
    pending: tuple[Pending, ...] = field(default=(), init=False)
    """Verdicts that the rows which were read last do not contain yet."""
    _tickets = 0

    def add(self, event: VerdictGiven) -> None:
        self._tickets += 1
        self.pending = (*self.pending, Pending(self._tickets, event.changes))
        self.show_rows()
        self._run(self._write(self._tickets, event))

    def settled(self) -> frozenset[int]:
        """The tickets of the verdicts that are written: rows read from now on contain them."""
        return frozenset(pending.ticket for pending in self.pending if pending.settled)

    def drop(self, tickets: frozenset[int]) -> None:
        self.pending = tuple(pending for pending in self.pending if pending.ticket not in tickets)

    async def _write(self, ticket: int, event: VerdictGiven) -> None:
        try:
            await self.bridge.work(verdict_queries.write, event.verdict)
        except Exception as error:  # whatever it is, the screen has to show what is true
            self.drop(frozenset((ticket,)))
            self.show_rows()
            self.notifications.notify_error(error)
        else:
            self.pending = tuple(
                pending._replace(settled=True) if pending.ticket == ticket else pending
                for pending in self.pending
            )
            self.notifications.notify(f"{event.notice}. z takes it back.")
        self.queue.request_reload()

    def undo(self) -> None:
        self._run(self._step("undo", *_UNDONE))

    def redo(self) -> None:
        self._run(self._step("redo", *_REDONE))

    def undo_elsewhere(self) -> None:
        self._run(self._undo_elsewhere())

    async def _undo_elsewhere(self) -> None:
        ids = await self.bridge.work(step_elsewhere)
        if not ids:
            self.notifications.notify("Nothing was approved elsewhere since your last visit.")
            return
        self.notifications.notify("Taken back what was approved elsewhere.")
        await self.show_step(ids)

    async def _step(self, direction: Literal["undo", "redo"], done: str, nothing: str) -> None:
        result = await self.bridge.work(step, direction)
        if result is None:
            self.notifications.notify(nothing)
            return
        self.notifications.notify(f"{done} {result.words}")
        await self.show_step(result.ids)

    def _run(self, work: Awaitable[None]) -> None:
        self.app.run_worker(work, group="verdict", exit_on_error=False)


def step_elsewhere(ws: Workspace) -> Sequence[str]:
    """Undo what was approved elsewhere; returns the lessons. Runs in a thread of the bridge."""
    from learnloop.service.history import undo

    return [name for decision in undo.undo_elsewhere(ws) for name in decision.lesson_ids]


def step(ws: Workspace, direction: Literal["undo", "redo"]) -> Step | None:
    """Undo or redo one verdict; None where there is none. Runs in a thread of the bridge."""
    from learnloop.service.history import sentences, undo

    decision = undo.undo(ws) if direction == "undo" else undo.redo(ws)
    if decision is None:
        return None
    return Step(sentences.step_sentence(ws, decision) or "the last verdict", decision.lesson_ids)

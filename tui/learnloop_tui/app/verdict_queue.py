"""Verdicts on their way: shown at once, written in order, taken back where they are refused."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass, field
from typing import TYPE_CHECKING, Literal

from learnloop.errors import Refused
from learnloop.wire import clock
from learnloop_tui.bridge import verdict_queries
from learnloop_tui.view import fence
from learnloop_tui.view.state import Ahead, Pending, Step

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence

    from learnloop.service.workspace import Workspace
    from learnloop_tui.app.key_queue import SequentialKeys
    from learnloop_tui.app.notifications import Notifications
    from learnloop_tui.app.refresh_queue import RefreshQueue
    from learnloop_tui.bridge import Bridge
    from learnloop_tui.panes.pane import VerdictGiven

Direction = Literal["undo", "redo"]
_WORDS = {
    "undo": ("Taken back:", "There is no verdict to take back."),
    "redo": ("Done again:", "There is nothing to do again."),
}


@dataclass(eq=False)
class VerdictQueue:
    """Writes verdicts, undoes and redoes them."""

    app: SequentialKeys[str]
    bridge: Bridge
    notifications: Notifications
    queue: RefreshQueue
    _: KW_ONLY
    show_rows: Callable[[], None]
    show_step: Callable[[Sequence[str]], Awaitable[None]]
    pending: tuple[Pending, ...] = field(default=(), init=False)
    """Verdicts that the rows which were read last do not contain yet."""
    kept: tuple[str, ...] = ()
    """What was kept last here: `a` in the Inbox is about its place in files."""
    _tickets = 0

    def __post_init__(self) -> None:
        self._began_ms = clock.now_ms()

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
            offer = await self.bridge.work(verdict_queries.write, event.verdict)
        except Exception as error:  # whatever it is, the screen has to show what is true
            self.drop(frozenset((ticket,)))
            self.show_rows()
            self.notifications.notify_error(error)
        else:
            self.pending = tuple(
                pending._replace(settled=True) if pending.ticket == ticket else pending
                for pending in self.pending
            )
            if offer is not None:
                self.kept = event.verdict.ids
            more = offer.words if offer else ""
            self.notifications.notify(f"{event.notice}{more}. z takes it back.")
        self.queue.request_reload()

    def step(self, direction: Direction) -> None:
        self._run(self._step(direction, *_WORDS[direction]))

    async def _is_wanted(self, direction: Direction, ahead: Ahead) -> bool:
        """Ask before a step beyond what was decided in this console, and before one that writes a file."""
        is_own = ahead.door == "console" and ahead.ms >= self._began_ms
        if is_own and not ahead.files:
            return True
        question = fence.question(direction, ahead, clock.now_ms())
        return await self._confirms(f"{direction.capitalize()}?", question)

    def undo_elsewhere(self) -> None:
        self._run(self._undo_elsewhere())

    async def _undo_elsewhere(self) -> None:
        with self.app.opening():
            approved = await self.bridge.work(look_elsewhere)
        if not approved:
            self.notifications.notify("Nothing was approved elsewhere since your last visit.")
        elif await self._confirms("Undo?", fence.elsewhere(list(approved.values()))):
            ids = await self.bridge.work(step_elsewhere, approved)
            self.notifications.notify("Taken back what was approved elsewhere.")
            await self.show_step(ids)

    async def _confirms(self, title: str, question: str) -> bool:
        from learnloop_tui.dialogs.page import ConfirmScreen

        answer: bool | None = await self.app.push_screen_wait(ConfirmScreen(title, question))
        return bool(answer)

    async def _step(self, direction: Direction, done: str, nothing: str) -> None:
        with self.app.opening():
            ahead = await self.bridge.work(look_ahead, direction)
        if ahead is None:
            self.notifications.notify(nothing)
            return
        if not await self._is_wanted(direction, ahead):
            return
        result = await self.bridge.work(step, direction, ahead.id)
        self.notifications.notify(f"{done} {result.words}")
        await self.show_step(result.ids)

    def _run(self, work: Awaitable[None]) -> None:
        self.app.run_worker(work, group="verdict", exit_on_error=False)


def look_elsewhere(ws: Workspace) -> Mapping[str, str]:
    """What was approved elsewhere in words, by decision, oldest first. Runs in a thread of the bridge."""
    from learnloop.service.history import sentences, undo

    approved = {decision.id for decision in undo.approved_elsewhere(ws)}
    entries = sentences.history(ws, None, lambda decision: decision.id in approved)
    return {entry["id"]: entry["sentence"] for entry in reversed(entries)}


def step_elsewhere(ws: Workspace, approved: Collection[str]) -> Sequence[str]:
    """Undo those that were approved elsewhere; returns the lessons. Runs in a thread of the bridge."""
    from learnloop.service.history import undo

    return [name for decision in undo.undo_elsewhere(ws, approved) for name in decision.lesson_ids]


def look_ahead(ws: Workspace, direction: Direction) -> Ahead | None:
    """What an undo or redo would be about; None where there is none. Runs in a thread of the bridge."""
    from learnloop.service.history import sentences, undo
    from learnloop.service.lessons import documents

    decision = undo.next_step(ws, direction)
    if decision is None:
        return None
    words = sentences.sentence(decision, documents.lessons(ws.root))
    files = undo.written_files(decision)
    return Ahead(decision.id, clock.parse_ms(decision.ts), decision.door or decision.by, words, tuple(files))


def step(ws: Workspace, direction: Direction, decision_id: str) -> Step:
    """Undo or redo that decision. Runs in a thread of the bridge.

    Raises Refused where another one is the next by now.
    """
    from learnloop.service.history import sentences, undo

    target = undo.next_step(ws, direction)
    decision = undo.step(ws, direction, target) if target and target.id == decision_id else None
    if decision is None:
        raise Refused("something else was decided meanwhile", "press the key again")
    return Step(sentences.step_sentence(ws, decision) or "the last verdict", decision.lesson_ids)

"""The base of all panes, and the messages with which they ask the app for something."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from textual.message import Message
from textual.widget import Widget
from textual.worker import WorkerState

from learnloop_tui.panes.actions import Action, action_table
from learnloop_tui.view.state import Verdict

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable, Mapping, Sequence

    from textual.screen import Screen
    from textual.worker import Worker

    from learnloop_tui.bridge import Bridge
    from learnloop_tui.view.state import Happening, Pulse, Row, Snapshot


T = TypeVar("T")


@dataclass
class VerdictGiven(Message):
    """A person gave a verdict."""

    verdict: Verdict
    changes: Mapping[str, Mapping[str, Any]]
    """What changes on the rows at once, by lesson."""
    notice: str
    goes_on: str = ""
    """The lesson from which the cursor goes on to the next, where the list still shows it."""


@dataclass
class NotifyRequested(Message):
    """A message is to be shown."""

    words: str
    severity: str = "information"


class HealthCheckRequested(Message):
    """The health of hooks and store is to be read again."""


@dataclass
class ViewRequested(Message):
    """Another view of the pane is to be shown: so many further, or before."""

    step: int


@dataclass
class PlaceRequested(Message):
    """The proposal is to be shown that puts a lesson into files; none is named: of what was kept last."""

    lesson_ids: tuple[str, ...]


@dataclass
class LessonRequested(Message):
    """A lesson is to be shown in the pane that it belongs to."""

    lesson_id: str


@dataclass
class ErrorRaised(Message):
    """Work in the background failed."""

    error: BaseException


class ReloadRequested(Message):
    """The store may have changed: everything that lists show is to be read again."""


@dataclass
class TranscriptRequested(Message):
    """A transcript is to be opened at a line."""

    path: str
    line: int


@dataclass
class HoldKeys(Message):
    """Keys that are typed wait until the event is set: a dialog that they may answer is about to open."""

    until: asyncio.Event


class TypedAheadDropped(Message):
    """Keys that were typed before the dialog that opens now were not meant for its field."""


class PaneChanged(Message):
    """What a pane shows changed, so that counts and keys may have."""


_OPTIONAL = ("escape", "view", "view_back")


class Pane(Widget, can_focus=True):
    """One of the console's panes; it takes the keys itself where its list is not to be seen."""

    PLACE: ClassVar[str] = ""
    """Its name in the table of commands."""
    ALSO: ClassVar[tuple[str, ...]] = ("list",)
    """Other places whose commands it has."""
    shown_view = ""
    """The name of the view that it shows, where its pane has several."""
    painted_at = math.inf
    """Since when it is in sight with what it lists, by the clock of `monotonic`; endless until then."""
    _paints = 0

    def __init__(self, bridge: Bridge, now_ms: Callable[[], int]) -> None:
        super().__init__(id=self.PLACE)
        self._bridge = bridge
        self._now_ms = now_ms
        self.actions = action_table((self.PLACE, *self.ALSO), self.handlers(), optional=_OPTIONAL)

    def handlers(self) -> dict[str, Action]:
        """The action of each command; subclasses add theirs."""
        return {"view": Action(lambda: self.turn(1)), "view_back": Action(lambda: self.turn(-1))}

    def turn(self, step: int) -> None:
        """Show the next view, or the one before."""
        self.post_message(ViewRequested(step))

    def has_view(self, name: str) -> bool:
        """Whether there is anything in a view of the pane."""
        del name
        return True

    def show_view(self, name: str) -> None:
        """Show that view of the pane."""

    def why_not(self, command_id: str) -> str:
        """Why a command makes no sense now; empty where it does, and for commands of others."""
        action = self.actions.get(command_id)
        return action.why_not() if action is not None else ""

    def await_paint(self) -> None:
        """What it lists is not in sight yet."""
        self.painted_at = math.inf
        self._paints += 1
        self.call_after_refresh(self._note_painted, self._paints)

    def _note_painted(self, paint: int) -> None:
        if paint == self._paints:
            self.painted_at = time.monotonic()

    def hides(self, command_id: str) -> bool:
        """Whether the footer leaves out a command that is of no more use here."""
        del command_id
        return False

    async def ask(self, dialog: Screen[T | None], act: Callable[[T], object]) -> None:
        """Open a dialog, and act on its answer unless it was left without one."""

        def answered(answer: T | None) -> None:
            if answer is not None:
                act(answer)

        await self.app.push_screen(dialog, answered)

    def decide(self, action: str, name: str, done: str, args: Mapping[str, Any] | None = None) -> None:
        """Give a verdict on the one thing of that id, and say what is done."""
        self.post_message(VerdictGiven(Verdict(action, (name,), args or {}), {}, done))

    def notify_person(self, words: str, severity: str = "information") -> None:
        self.post_message(NotifyRequested(words, severity))

    def to_copy(self, *, name: bool = False) -> str:
        """What can be copied here: the words, or with `name` an id; empty where there is nothing."""
        del name
        return ""

    def keep_keys(self, rows: Widget, reader: Widget, *, is_empty: bool) -> None:
        """Move focus to the pane while its list is hidden, and back when the list returns."""
        if not self.is_attached or not self.display:
            return
        holder = self.screen.focused
        if is_empty and (holder is rows or holder is reader or holder is None):
            self.screen.set_focus(self)
        elif not is_empty and holder is self:
            self.call_after_refresh(
                lambda: self.screen.set_focus(rows) if self.screen.focused is self and rows.display else None
            )

    def set_hooks_installed(self, installed: bool) -> None:
        """Whether some agent reports to Learnloop: what an empty pane says depends on it."""

    def reload(self) -> None:
        """Read again what the pane shows besides the lessons."""

    async def furnish(self) -> None:
        """Mount what the first frame does without."""

    def show_snapshot(self, snapshot: Snapshot, rows: tuple[Row, ...]) -> None:
        """Show what was read; `rows` has pending verdicts applied."""

    def show_pulse(self, pulse: Pulse) -> None:
        """Show the health of hooks and store."""

    def show_event(self, event: Happening) -> None:
        """Show what a hook wrote last."""

    def events_arrived(self) -> None:
        """Hooks wrote events."""

    def events_ingested(self) -> None:
        """Events that hooks wrote are documents now."""

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        if event.state is WorkerState.ERROR and event.worker.error is not None:
            self.post_message(ErrorRaised(event.worker.error))

    def point_at(self, row_ids: Sequence[str]) -> None:
        """Move the cursor to the first of these lessons that the pane lists."""

    def go_on(self, row_id: str) -> None:
        """Move the cursor from a lesson that was decided on to the next."""

    def reveal(self, item_id: str) -> bool:
        """Show one of the things that the pane lists, whatever hid it; whether there is such a one."""
        del item_id
        return False

    def take_focus(self) -> None:
        self.focus()

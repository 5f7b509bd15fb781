"""Long work on what was said before, and how far it is: old sessions are read, or a model reads."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import work
from textual.binding import Binding
from textual.widgets import SelectionList, Static
from textual.widgets.selection_list import Selection

from learnloop_tui.bridge import machine_queries
from learnloop_tui.dialogs.dialog import Dialog, Progress, box
from learnloop_tui.view import detail, text
from learnloop_tui.widgets.line_widgets import PATIENCE_S

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.timer import Timer

    from learnloop_tui.bridge import Bridge
    from learnloop_tui.view.state import TranscriptChoice


class BackfillScreen(Dialog[str]):
    """Gives what came of it, in words."""

    BINDINGS = [  # noqa: RUF012  # as Textual declares it
        Binding("enter", "begin", "begin", priority=True),
        Binding("a", "all", "all"),
    ]

    def __init__(self, bridge: Bridge, now_ms: int) -> None:
        super().__init__()
        self._bridge = bridge
        self._now_ms = now_ms
        self._reading = False
        self._progress = Progress("sessions")

    def compose(self) -> ComposeResult:
        yield box(
            Static(text.content(" "), classes="hint", id="told"),
            SelectionList[str](compact=True),
            self._progress,
            title="Learn from old sessions",
            keys="space chooses · a all · enter begins · esc cancels",
        )

    def on_mount(self) -> None:
        """Look for sessions; that it takes a while is said only where it does."""
        self._find(self.set_timer(PATIENCE_S, lambda: self._tell("Looking for sessions …")))

    @work(exit_on_error=False)
    async def _find(self, patience: Timer) -> None:
        try:
            choices = await self._bridge.long(machine_queries.transcripts)
        except Exception as error:  # shown where it happened
            self._tell(f"That failed: {error}")
            return
        finally:
            patience.stop()
        listing = self.query_one(SelectionList)
        if not choices:
            self._tell("No sessions were found on this machine.")
            return
        self._tell("Sessions of which projects? They stay on this machine; running it twice does no harm.")
        listing.add_options([self._selection(choice, first=at == 0) for at, choice in enumerate(choices)])
        listing.focus()

    def _selection(self, choice: TranscriptChoice, *, first: bool) -> Selection[str]:
        many = "1 session" if choice.sessions == 1 else f"{choice.sessions:,} sessions"
        when = f", last {detail.ago(choice.last, self._now_ms)}" if choice.last else ""
        prompt = text.join(text.content(text.fit(choice.name, 26)), text.content(f" {many}{when}", "dim"))
        return Selection(prompt, choice.path, initial_state=first)

    def action_all(self) -> None:
        listing = self.query_one(SelectionList)
        every = len(listing.selected) == listing.option_count
        listing.deselect_all() if every else listing.select_all()

    def action_begin(self) -> None:
        chosen = [str(path) for path in self.query_one(SelectionList).selected]
        if chosen and not self._reading:
            self._reading = True
            self.query_one(SelectionList).disabled = True
            self._read(chosen)

    @work(exit_on_error=False)
    async def _read(self, chosen: list[str]) -> None:
        try:
            summary = await self._bridge.long(machine_queries.backfill, chosen, self._progress.told)
        except Exception as error:  # shown where it happened; nothing was half done
            self._tell(f"That failed: {error}")
            self._reading = False
            self.query_one(SelectionList).disabled = False
        else:
            self.dismiss(summary)

    def _tell(self, words: str) -> None:
        self.query_one("#told", Static).update(text.content(words))


class TasteScreen(Dialog[str]):
    """Gives what came of it in words; it cannot be left before, because what is paid for is kept."""

    def __init__(self, bridge: Bridge, where: str) -> None:
        super().__init__()
        self._bridge, self._where, self._progress = bridge, where, Progress("requests")

    def compose(self) -> ComposeResult:
        yield box(self._progress, title="A model reads what you typed")

    def action_leave(self) -> None:
        """Stay until it is over."""

    def on_mount(self) -> None:
        self._read()

    @work(exit_on_error=False)
    async def _read(self) -> None:
        from learnloop.service.facts import asking

        try:
            report = str(await self._bridge.long(asking.taste, self._where, self._progress.told))
        except Exception as error:  # what was read before is kept
            report = f"That failed: {error}"
        self.dismiss(report)

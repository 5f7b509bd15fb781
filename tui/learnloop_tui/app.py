"""The console's wiring: what the bridge brings goes to the panes, verdicts go to the bridge."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Any, ClassVar, cast

from textual import on, work

from learnloop.errors import LearnloopError
from learnloop_tui import commands, pump, text, themes
from learnloop_tui.live_view import LiveView
from learnloop_tui.screens.main import WIDE, MainScreen
from learnloop_tui.state import Pending, overlay
from learnloop_tui.widgets.lists import ListPane
from learnloop_tui.widgets.panes import Decided, Refill, Said

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.app import App
    from textual.notifications import SeverityLevel
    from textual.screen import Screen
    from textual.worker import Worker

    from learnloop_tui.bridge import Bridge
    from learnloop_tui.state import Detail, Row, Snapshot, Step
    from learnloop_tui.widgets.sessions import SessionsPane


def now_ms() -> int:
    """Milliseconds since the epoch."""
    return time.time_ns() // 1_000_000


class ConsoleApp(LiveView):
    """`learn-tui`. Ends with `demo` where the demo was asked for."""

    TITLE = "Learnloop"
    ENABLE_COMMAND_PALETTE = False  # ours is a command of the table
    CSS_PATH = __file__.removesuffix("py") + "tcss"
    COMPONENT_CLASSES: ClassVar[set[str]] = set(text.COMPONENTS)
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (WIDE, "-wide")]  # noqa: RUF012  # as Textual declares it
    BINDINGS = commands.bindings("anywhere")

    def __init__(self, bridge: Bridge, *, clock: Callable[[], int] = now_ms) -> None:
        super().__init__()
        self.bridge = bridge
        self.clock = clock
        self.pending: tuple[Pending, ...] = ()
        self._tickets = 0
        self._is_themed = False
        self.main = MainScreen(bridge.detail, clock, demo=bridge.demo)
        commands.use({})
        self.pump = pump.Pump(bridge, self.load, self.complain)
        for theme in themes.THEMES:
            self.register_theme(theme)
        self.theme = themes.DARK.name

    def get_default_screen(self) -> Screen[None]:
        """The one screen with all panes."""
        return self.main

    def on_mount(self) -> None:
        """Nothing is read before the first frame."""
        self.call_after_refresh(self._begin)

    @work(group="pump", exit_on_error=False)
    async def _begin(self) -> None:
        try:
            await asyncio.gather(self.main.furnish(), self._warm_up())
            await self.load()
        except Exception as error:  # a console that shows what is wrong is better than none
            self.complain(error)
            self.pump.want_load()
        self.pump.want_ingest()
        self.start_looking()
        await self.pump.run()

    async def _warm_up(self) -> None:
        """Import and read what the first rows need while the screen is furnished."""
        await self.bridge.start()
        await self.bridge.load()

    # Data down

    async def load(self) -> None:
        """Read everything the lists show; what was written down before is in it."""
        settled = {pending.ticket for pending in self.pending if pending.settled}
        before, first = self.snapshot, self.snapshot is None
        self.snapshot = await self.bridge.load()
        if hasattr(self.main.pane, "read"):
            self._fill(self.main.pane)
        if self.snapshot is before and not settled:
            return
        self.pending = tuple(pending for pending in self.pending if pending.ticket not in settled)
        if first and self.snapshot.theme in self.available_themes:
            self.theme = self.snapshot.theme
        if first and (self.snapshot.keys or self.snapshot.wrong_keys):
            self._use_keys(self.snapshot)
        self._is_themed = True
        self._show_rows()

    def _use_keys(self, snapshot: Snapshot) -> None:
        """The person's own keys, and which of them cannot be."""
        self.set_keymap(commands.use(snapshot.keys))
        for problem in snapshot.wrong_keys:
            self.say(f"{problem}.", "warning")

    def _show_rows(self) -> None:
        if self.snapshot is not None:
            self.main.show(self.snapshot, self.pending)
            if self.welcome is not None:
                self.welcome.show(drafts=sum(row.status == "draft" for row in self.snapshot.rows))

    @on(ListPane.Wanted)
    def _wanted(self, event: ListPane.Wanted) -> None:
        self._show_detail(event.row_id, event.pane)

    @work(group="detail", exclusive=True, exit_on_error=False)
    async def _show_detail(self, row_id: str, pane: ListPane) -> None:
        found: Detail = await self.bridge.detail(row_id)
        pane.show_detail(row_id, found)

    @on(Refill)
    def _refill(self, event: Refill) -> None:
        self._fill(event.pane)

    @work(group="fill", exit_on_error=False)
    async def _fill(self, pane: Any) -> None:
        """Bring a pane that reads for itself up to date; reads of one pane come back in order."""
        pane.fill(await pane.read(self.bridge))

    @property
    def rows(self) -> tuple[Row, ...]:
        """Every lesson as it stands, what is decided and not written yet laid over."""
        return overlay(self.snapshot.rows, self.pending) if self.snapshot else ()

    # Verdicts up

    @on(Decided)
    def _decided(self, event: Decided) -> None:
        self._tickets += 1
        self.pending = (*self.pending, Pending(self._tickets, event.changes))
        self._show_rows()
        if event.goes_on and isinstance(self.main.pane, ListPane):
            self.main.pane.go_on(event.goes_on)
        self._write(self._tickets, event)

    @work(group="verdict", exit_on_error=False)
    async def _write(self, ticket: int, event: Decided) -> None:
        try:
            await self.bridge.act(event.verdict)
        except Exception as error:  # whatever it is, the screen has to show what is true
            self.pending = tuple(pending for pending in self.pending if pending.ticket != ticket)
            self._show_rows()
            self.complain(error)
        else:
            self.pending = tuple(
                pending._replace(settled=True) if pending.ticket == ticket else pending
                for pending in self.pending
            )
            self.say(f"{event.said}. z takes it back.")
        self.pump.want_load()

    @work(group="verdict", exit_on_error=False)
    async def do_undo(self) -> None:
        """Take the last verdict back."""
        await self._step(await self.bridge.undo(), "Taken back:", "There is no verdict to take back.")

    @work(group="verdict", exit_on_error=False)
    async def do_redo(self) -> None:
        """Bring back the verdict undone last."""
        await self._step(await self.bridge.redo(), "Done again:", "There is nothing to do again.")

    async def _step(self, step: Step | None, said: str, nothing: str) -> None:
        """Say what was undone or redone, and point at it where the open list shows it."""
        if step is None:
            self.say(nothing)
            return
        self.say(f"{said} {step.words}")
        await self.load()
        pane = self.main.pane
        if isinstance(pane, ListPane):
            pane.point_at(step.ids)

    # Commands

    async def action_command(self, command_id: str) -> None:
        """Run a command of the table, or say why it makes no sense now."""
        why = self.why_not(command_id)
        if why:
            self.say(why, "warning")
            return
        try:
            await self._run_command(command_id)
        except Exception as error:  # one command that fails does not take the console along
            self.complain(error)

    async def _run_command(self, command_id: str) -> None:
        if self.main.pane.offers(command_id):
            await self.main.pane.run_command(command_id)
        elif command_id in ("triage", "lessons", "agents", "preferences", "patches", "sessions", "health"):
            await self.main.open(command_id)
        else:
            getattr(self, f"do_{command_id}")()

    def why_not(self, command_id: str) -> str:
        """Why a command makes no sense now, empty where it does."""
        pane = self.main.pane
        owner = pane if pane.offers(command_id) else self
        check = getattr(owner, f"why_not_{command_id}", None)
        return str(check()) if check else ""

    def do_escape(self) -> None:
        """Nothing is open."""

    def do_theme(self) -> None:
        """The next of the house themes."""
        names = [theme.name for theme in themes.THEMES]
        at = names.index(self.theme) + 1 if self.theme in names else 0
        self.theme = names[at % len(names)]

    def watch_theme(self, _before: str, chosen: str) -> None:
        """A theme that the person chose is there again next time."""
        if self._is_themed:
            self._keep_theme(chosen)

    @work(group="theme", exclusive=True, exit_on_error=False)
    async def _keep_theme(self, chosen: str) -> None:
        await self.bridge.keep_theme(chosen)

    def do_palette(self) -> None:
        """Find a command, a lesson or a session."""
        from learnloop_tui.screens.palette import Palette

        if not Palette.is_open(cast("App[object]", self)):
            self.push_screen(Palette())

    async def open_lesson(self, row_id: str) -> None:
        """Show a lesson in the pane it belongs to, its details open."""
        status = next((row.status for row in self.rows if row.id == row_id), "")
        pane = cast("ListPane", await self.main.open("triage" if status == "draft" else "lessons"))
        if not pane.reveal(row_id):
            self.say("That lesson is not there any more.", "warning")

    def do_help(self) -> None:
        """All keys."""
        from learnloop_tui.screens.help import HelpScreen

        self.push_screen(HelpScreen(self.main.pane.PLACE))

    def do_quit(self) -> None:
        """Leave."""
        self.exit()

    def open_session(self, session_id: str) -> None:
        """To a session's story in its pane."""
        self._open_session(session_id)

    @work(group="open", exclusive=True, exit_on_error=False)
    async def _open_session(self, session_id: str) -> None:
        pane = await self.main.open("sessions")
        cast("SessionsPane", pane).point_at(session_id)

    def do_skip(self) -> None:
        """To the empty queue."""
        self.call_later(self.main.open, "triage")

    def hooks_installed(self) -> None:
        """Wait for the first prompt."""
        self._pulse_at = 0.0
        self._look_after()
        if self.welcome is not None:
            self.welcome.show(hooked=True)

    def backfilled(self) -> None:
        """The queue opens with the strongest."""
        self._open_queue()

    @work(exit_on_error=False)
    async def _open_queue(self) -> None:
        await self.load()
        self.main.triage.fold()
        await self.main.open("triage")

    # Words and failures

    @on(Said)
    def _said(self, event: Said) -> None:
        self.say(event.words, event.severity)

    def say(self, words: str, severity: str = "information") -> None:
        """Tell something in a toast; captured text in it is cleaned and never parsed."""
        self.notify(
            text.cut(words, 240),
            severity=cast("SeverityLevel", severity),
            markup=False,
            timeout=10 if severity == "error" else 4,
        )

    def complain(self, error: BaseException) -> None:
        """Tell what went wrong and what to do."""
        if isinstance(error, LearnloopError):
            self.say(f"{error.message}. {error.hint}" if error.hint else error.message, "error")
        else:
            self.say(f"That failed: {type(error).__name__}: {error}", "error")

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """A worker that failed is told, not hidden."""
        error = event.worker.error
        if event.state.name == "ERROR" and error is not None:
            self.complain(error)

    async def on_unmount(self) -> None:
        """Let go of threads and locks."""
        await asyncio.to_thread(self.bridge.close)

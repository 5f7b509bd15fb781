"""The console's wiring: what the bridge brings goes to the panes; what a person does is in the flows."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, ClassVar, cast

from textual import on, work
from textual.filter import NoColor
from textual.widget import Widget

from learnloop.keymap import commands
from learnloop_tui.app import refresh_queue
from learnloop_tui.app.command_dispatch import CommandFlows
from learnloop_tui.bridge import lesson_queries
from learnloop_tui.panes.base import ReloadRequested, TranscriptRequested
from learnloop_tui.panes.bindings import bindings
from learnloop_tui.panes.lesson_list import DetailRequested, LessonListPane
from learnloop_tui.screens.main import WIDE, MainScreen
from learnloop_tui.screens.too_small import TooSmallScreen, is_too_small
from learnloop_tui.view import text, themes

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from textual import events
    from textual.app import App
    from textual.filter import LineFilter
    from textual.screen import Screen

    from learnloop_tui.bridge import Bridge
    from learnloop_tui.view.state import Detail, Snapshot


def now_ms() -> int:
    """Milliseconds since the epoch."""
    return time.time_ns() // 1_000_000


class ConsoleApp(CommandFlows):
    """`learn-tui`. Ends with `demo` where the demo was asked for."""

    TITLE = "Learnloop"
    ENABLE_COMMAND_PALETTE = False  # ours is a command of the table
    CSS_PATH = __file__.removesuffix("py") + "tcss"
    COMPONENT_CLASSES: ClassVar[set[str]] = set(text.COMPONENTS)
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (WIDE, "-wide")]  # noqa: RUF012  # as Textual declares it
    BINDINGS = bindings("anywhere")

    def __init__(self, bridge: Bridge, *, clock: Callable[[], int] = now_ms) -> None:
        super().__init__()
        self.bridge = bridge
        self.clock = clock
        self._is_read = asyncio.Event()
        self.main = MainScreen(bridge, clock)
        commands.use({})
        self.pump = refresh_queue.Pump(bridge, self.load, self.complain)
        for theme in themes.THEMES:
            self.register_theme(theme)
        self.theme = themes.ANSI.name if self.no_color else themes.DARK.name

    def get_line_filters(self) -> Sequence[LineFilter]:
        """With NO_COLOR no colours at all, not even greys: weight and glyphs say everything."""
        return [NoColor()] if self.no_color else super().get_line_filters()

    def get_default_screen(self) -> Screen[None]:
        """The one screen with all panes."""
        return self.main

    def on_mount(self) -> None:
        """Nothing is read before the first frame."""
        self.app_resume_signal.subscribe(self, self._draw_anew)
        self.call_after_refresh(self._begin)

    def _draw_anew(self, _: object) -> None:
        """The terminal shows nothing of what was drawn before the console was put aside."""
        for widget in (self.screen, *self.screen.walk_children(Widget)):
            widget.refresh()

    @work(group="pump", exit_on_error=False)
    async def _begin(self) -> None:
        try:
            await self._open()
        except Exception as error:  # a console that shows what is wrong is better than none
            self.complain(error)
            self.pump.want_load()
        self.pump.want_ingest()
        self.start_looking()
        await self.pump.run()

    async def _open(self) -> None:
        """The rows of last time, where they were kept, before anything that takes the processor from them."""
        glimpse = await self.bridge.glimpse()
        if glimpse is None:
            await asyncio.gather(self.main.furnish(), self._warm_up())
        else:
            await self.main.furnish()
            self.snapshot = glimpse
            self._use_theme(glimpse)
            self.show_rows()
            painted = asyncio.Event()
            self.call_after_refresh(painted.set)
            await painted.wait()
            await self.bridge.start()
        await self.load()
        self._keep()

    @work(group="keep", exit_on_error=False)
    async def _keep(self) -> None:
        await self.bridge.keep_glimpse()

    async def _warm_up(self) -> None:
        """Import and read what the first rows need while the screen is furnished."""
        await self.bridge.start()
        await self.bridge.load()

    async def load(self) -> None:
        """Read everything the lists show; what was written down before is in it."""
        settled = {pending.ticket for pending in self.pending if pending.settled}
        before, first = self.snapshot, not self._is_read.is_set()
        self.snapshot = await self.bridge.load()
        self.main.pane.reload()
        self.main.pane.events_ingested()
        if self.snapshot is before and not settled:
            return
        self.pending = tuple(pending for pending in self.pending if pending.ticket not in settled)
        if first:
            self._use_theme(self.snapshot)
            self._is_read.set()
            self._use_keys(self.snapshot)
        self._is_themed = True
        self.show_rows()

    def _use_theme(self, snapshot: Snapshot) -> None:
        if snapshot.theme in self.available_themes and not self.no_color:
            self.theme = snapshot.theme

    def _use_keys(self, snapshot: Snapshot) -> None:
        """The person's own keys, and which of them cannot be."""
        if snapshot.keys:
            self.set_keymap(commands.use(snapshot.keys))
        for problem in snapshot.wrong_keys:
            self.say(f"{problem}.", "warning")

    def show_rows(self) -> None:
        """Show what was read, with what is decided and not written yet laid over it."""
        if self.snapshot is not None:
            self.main.show(self.snapshot, self.pending)

    @on(DetailRequested)
    def _wanted(self, event: DetailRequested) -> None:
        self._show_detail(event.row_id, event.pane)

    @work(group="detail", exclusive=True, exit_on_error=False)
    async def _show_detail(self, row_id: str, pane: LessonListPane) -> None:
        await self._is_read.wait()  # a row of last time may be gone
        if any(row.id == row_id for row in self.rows):
            found: Detail = await self.bridge.read(lesson_queries.detail, row_id)
            pane.show_detail(row_id, found)

    @on(ReloadRequested)
    def _reload_requested(self) -> None:
        self.pump.want_load()

    @on(TranscriptRequested)
    def _open_transcript(self, event: TranscriptRequested) -> None:
        from learnloop_tui.app import transcripts

        problem = transcripts.show(cast("App[object]", self), event.path, event.line)
        if problem:
            self.say(problem, "warning")

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

    def on_resize(self, event: events.Resize) -> None:
        """A terminal that became too small to read anything says so."""
        covers = [screen for screen in self.screen_stack if isinstance(screen, TooSmallScreen)]
        if is_too_small(event.size) and not covers:
            self.push_screen(TooSmallScreen())
        elif covers and not is_too_small(event.size):
            for cover in covers:
                cover.dismiss()

    async def on_unmount(self) -> None:
        """Let go of threads and locks."""
        await self.end_visit()
        await asyncio.to_thread(self.bridge.close)

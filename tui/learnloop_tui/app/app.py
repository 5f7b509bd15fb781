"""The console: one app that owns its parts and says which part runs which command."""

from __future__ import annotations

import asyncio
import time
from contextlib import ExitStack
from functools import partial
from typing import TYPE_CHECKING, ClassVar, cast

from textual import events, on, work
from textual.filter import NoColor
from textual.widget import Widget

from learnloop.keymap import commands
from learnloop_tui.app.key_queue import MOST_PASTED, SequentialKeys
from learnloop_tui.app.live_updates import HealthMonitor, LiveUpdates
from learnloop_tui.app.news import Visit
from learnloop_tui.app.notifications import Notifications
from learnloop_tui.app.refresh_queue import RefreshQueue
from learnloop_tui.app.setup import Setup
from learnloop_tui.app.verdict_queue import VerdictQueue
from learnloop_tui.bridge import lesson_queries, machine_queries
from learnloop_tui.panes.actions import APP_COMMANDS, Action, action_table, needs
from learnloop_tui.panes.bindings import bindings
from learnloop_tui.panes.lesson_list import DetailRequested
from learnloop_tui.panes.pane import (
    ErrorRaised,
    HealthCheckRequested,
    LessonRequested,
    NotifyRequested,
    PlaceRequested,
    ReloadRequested,
    TranscriptRequested,
    VerdictGiven,
    ViewRequested,
)
from learnloop_tui.screens.main_screen import WIDE, MainScreen
from learnloop_tui.screens.too_small import TooSmallScreen, is_too_small
from learnloop_tui.view import bars, terminal, text, themes

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from textual.app import App
    from textual.filter import LineFilter
    from textual.screen import Screen
    from textual.worker import Worker

    from learnloop_tui.bridge import Bridge
    from learnloop_tui.panes.lesson_list import LessonListPane
    from learnloop_tui.view.state import Pulse, Row, Snapshot


MOST_COPIED = 50_000
"""Characters that go to the clipboard: terminals drop a longer sequence silently."""
_MOVED = "Health is 6 now; work and days are in 3 (f), testing and yours in 2 (f)."


def now_ms() -> int:
    """Milliseconds since the epoch."""
    return time.time_ns() // 1_000_000


class ConsoleApp(SequentialKeys[str]):
    """`learn-tui`. Returns `demo` where the demo was asked for."""

    TITLE = "Learnloop"
    ENABLE_COMMAND_PALETTE = False  # ours is a command of the table
    CSS_PATH = __file__.removesuffix("py") + "tcss"
    COMPONENT_CLASSES: ClassVar[set[str]] = set(text.COMPONENTS)
    VERTICAL_BREAKPOINTS = [(0, "-short"), (16, "-high")]  # noqa: RUF012  # as Textual declares it
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (WIDE, "-wide")]  # noqa: RUF012  # as Textual declares it
    BINDINGS = bindings("anywhere")

    def __init__(self, bridge: Bridge, *, clock: Callable[[], int] = now_ms) -> None:
        super().__init__()
        self.bridge = bridge
        self.clock = clock
        commands.use({})
        self.main = MainScreen(bridge, clock)
        self.notifications = Notifications(self.main.show_message, clock)
        self.refresh_queue = RefreshQueue(bridge, self.load, self.notifications.notify_error)
        self.verdicts = VerdictQueue(
            self, bridge, self.notifications, self.refresh_queue, show_rows=self._show_rows,
            show_step=self._show_step,
        )  # fmt: skip
        self.health = HealthMonitor(self, bridge, self.main, clock, first=self._greet)
        self.live = LiveUpdates(self, bridge, self.main, self.notifications, self.refresh_queue, self.health)
        self.setup = Setup(
            self, bridge, clock, self.notifications, installed=partial(self.health.refresh, now=True),
            backfilled=self._open_queue,
        )  # fmt: skip
        self.visit = Visit(bridge, self.main, self.notifications, clock)
        self._is_read = asyncio.Event()
        self._held_keys = ExitStack()
        self._held_keys.enter_context(self.opening())  # until there are rows
        self._is_themed = False
        self.actions = action_table(("anywhere",), self._handlers(), also=APP_COMMANDS)
        for theme in themes.THEMES:
            self.register_theme(theme)
        self.theme = themes.ANSI.name if self.no_color else themes.DARK.name

    async def on_event(self, event: events.Event) -> None:
        """Keys typed before there are rows wait for them, but for those that leave; none then decides."""
        leaves = isinstance(event, events.Key) and event.key in commands.BY_ID["quit"].now
        if leaves and self.main.snapshot is None:
            self.exit()
        else:
            await super().on_event(event)

    # Commands

    def _handlers(self) -> Mapping[str, Action]:
        return {
            **{place: Action(partial(self.main.open, place)) for place in bars.PANES},
            "moved": Action(partial(self.notifications.notify, _MOVED)),
            "undo": Action(partial(self.verdicts.step, "undo")),
            "undo_elsewhere": Action(self.verdicts.undo_elsewhere),
            "redo": Action(partial(self.verdicts.step, "redo")),
            "copy": self._copying(name=False),
            "copy_name": self._copying(name=True),
            "install": Action(self.setup.install, self.setup.why_not_install),
            "backfill": Action(self.setup.backfill, self.setup.why_not_backfill),
            "demo": Action(partial(self.exit, "demo")),
            "report": Action(self._open_report),
            "messages": Action(self._show_messages),
            "escape": Action(self.main.hide_news),
            "theme": Action(self._next_theme),
            "palette": Action(self._show_palette),
            "help": Action(self._show_help),
            "suspend": Action(
                self.action_suspend_process,
                needs(
                    lambda: self._driver is not None and self._driver.can_suspend,
                    "This terminal cannot put the console aside.",
                ),
            ),
            "quit": Action(self.exit),
        }

    async def action_command(self, command_id: str) -> None:
        """Run a command of the table, or say why it makes no sense now."""
        try:
            action = self._action(command_id)
            early = "" if command_id in commands.MAY_WAIT else self.why_early(self.main.pane.painted_at)
            if why := early or action.why_not():
                self.notifications.notify(why, "warning")
                return
            if command_id == "escape":
                self.main.hide_news()
            await action.perform()
        except Exception as error:  # one command that fails does not take the console along
            self.notifications.notify_error(error)

    def _action(self, command_id: str) -> Action:
        """That of the open pane, where it has the command."""
        return self.main.pane.actions.get(command_id) or self.actions[command_id]

    def why_not(self, command_id: str) -> str:
        """Why a command makes no sense now; empty where it does."""
        return self._action(command_id).why_not()

    def _copying(self, *, name: bool) -> Action:
        """The command that copies the words of what the open pane points at, or with `name` the id."""
        reason = "Nothing here has an id to copy." if name else "There is nothing to copy here."

        def words() -> str:
            return self.main.pane.to_copy(name=name)

        return Action(lambda: self._copy(words()), needs(words, reason))

    def _copy(self, words: str) -> None:
        copied = text.clean(words)[:MOST_COPIED]
        self.copy_to_clipboard(copied)
        rest = "" if len(copied) == len(words) else f" and no more: {MOST_COPIED:,} characters are the most"
        lines = copied.count("\n") + 1
        what = f"{lines} lines, “{text.cut(copied, 50)}”" if lines > 1 else f"“{text.cut(copied, 60)}”"
        self.notifications.notify(f"Copied {what}{rest}.")

    def _open_report(self) -> None:
        self.run_worker(self._show_report(), group="report", exclusive=True, exit_on_error=False)

    async def _show_report(self) -> None:
        from learnloop.service.report import report_file
        from learnloop_tui.app import programs

        path = await self.bridge.long(report_file.write_for_console)
        self.notifications.notify(await asyncio.to_thread(programs.show_page, path))

    def _show_idea(self) -> None:
        from learnloop_tui.dialogs.idea import IdeaScreen

        self.push_screen(IdeaScreen())

    def _show_messages(self) -> None:
        from learnloop_tui.dialogs.page import MessagesScreen
        from learnloop_tui.view import messages

        logged = tuple(self.notifications.messages)
        self.push_screen(MessagesScreen("What was said", lambda width: messages.layout(logged, width)))

    def _show_palette(self) -> None:
        from learnloop_tui.screens.palette import Palette

        if not Palette.is_open(cast("App[object]", self)):
            self.push_screen(Palette())

    def _show_help(self) -> None:
        from learnloop_tui.dialogs.help import HelpScreen

        self.push_screen(HelpScreen(self.main.pane.PLACE))

    # Themes

    def _next_theme(self) -> None:
        names = [theme.name for theme in themes.THEMES]
        at = names.index(self.theme) + 1 if self.theme in names else 0
        self.theme = names[at % len(names)]

    def watch_theme(self, _before: str, chosen: str) -> None:
        if self._is_themed and not self.bridge.demo:
            keeping = self.bridge.long(machine_queries.keep_theme, chosen)
            self.run_worker(keeping, group="theme", exclusive=True, exit_on_error=False)

    def get_line_filters(self) -> Sequence[LineFilter]:
        """With NO_COLOR no colours at all, not even greys: weight and glyphs say everything."""
        return [NoColor()] if self.no_color else super().get_line_filters()

    # Start and end

    def get_default_screen(self) -> Screen[None]:
        return self.main

    def on_mount(self) -> None:
        """Nothing is read before the first frame."""
        self.app_resume_signal.subscribe(self, self._redraw)
        self.set_interval(1.0, self._leave_closed_terminal)
        self.call_after_refresh(self._begin)

    def _leave_closed_terminal(self) -> None:
        """Input at its end would otherwise be read again and again for as long as the machine runs."""
        if not self.is_headless and terminal.is_gone():
            self.exit(return_code=1)

    def _redraw(self, _: object) -> None:
        """The terminal has lost what was drawn before the console was put aside."""
        for widget in (self.screen, *self.screen.walk_children(Widget)):
            widget.refresh()

    @work(group="refresh", exit_on_error=False)
    async def _begin(self) -> None:
        try:
            await self._open()
        except Exception as error:  # a console that shows what is wrong is better than none
            self.notifications.notify_error(error)
            self.refresh_queue.request_reload()
            self._held_keys.close()
        self.refresh_queue.request_ingest()
        self.live.start()
        await self.refresh_queue.run()

    async def _open(self) -> None:
        """The rows of last time, where they were kept, before anything that takes the processor from them."""

        async def warm_up() -> None:
            await self.bridge.start()
            await self.bridge.load()

        glimpse = await self.bridge.glimpse()
        if glimpse is None:
            await asyncio.gather(self.main.mount_deferred(), warm_up())
        else:
            await self.main.mount_deferred()
            self._use_theme(glimpse)
            self.main.show(glimpse, ())
            self._held_keys.close()
            painted = asyncio.Event()
            self.call_after_refresh(painted.set)
            await painted.wait()
            await self.bridge.start()
        await self.load()
        if self.bridge.demo:
            self._show_idea()
        self.run_worker(self.bridge.keep_glimpse(), group="keep", exit_on_error=False)

    async def _greet(self, pulse: Pulse) -> None:
        """On an empty machine show what to do first; else what is new."""
        is_empty = self.main.snapshot is not None and not self.main.snapshot.rows
        if is_empty and not pulse.health.last_capture and not self.bridge.demo:
            await self.main.open("welcome")
        await self.visit.show_news()
        if self.main.pane is self.main.triage and not is_empty:
            self.setup.offer()

    async def on_unmount(self) -> None:
        await self.visit.end()
        await asyncio.to_thread(self.bridge.close)

    # Rows

    async def load(self) -> None:
        """Read everything the lists show; it contains the verdicts that were written before."""
        settled, before = self.verdicts.settled(), self.main.snapshot
        snapshot = await self.bridge.load()
        self.main.pane.reload()
        self.main.pane.events_ingested()
        if snapshot is before and not settled:
            return
        self.verdicts.drop(settled)
        if not self._is_read.is_set():
            self._use_theme(snapshot)
            self._is_read.set()
            if snapshot.keys:  # the person's own
                self.set_keymap(commands.use(snapshot.keys))
            for problem in snapshot.wrong_keys:
                self.notifications.notify(f"{problem}.", "warning")
        self._is_themed = True
        self.main.show(snapshot, self.verdicts.pending)
        self._held_keys.close()

    def _use_theme(self, snapshot: Snapshot) -> None:
        if snapshot.theme in self.available_themes and not self.no_color:
            self.theme = snapshot.theme

    def _show_rows(self) -> None:
        if self.main.snapshot is not None:
            self.main.show(self.main.snapshot, self.verdicts.pending)

    @property
    def rows(self) -> tuple[Row, ...]:
        return self.main.rows

    @on(DetailRequested)
    def _detail_requested(self, event: DetailRequested) -> None:
        self._show_detail(event.row_id, event.pane)

    @work(group="detail", exclusive=True, exit_on_error=False)
    async def _show_detail(self, row_id: str, pane: LessonListPane) -> None:
        await self._is_read.wait()  # a row of last time may be gone
        if any(row.id == row_id for row in self.rows):
            pane.show_detail(row_id, await self.bridge.read(lesson_queries.detail, row_id))

    # Where to go

    async def open_lesson(self, row_id: str) -> None:
        """Show a lesson in the pane it belongs to, its details open."""
        status = next((row.status for row in self.rows if row.id == row_id), "")
        pane = await self.main.open("triage" if status == "draft" else "lessons")
        if not pane.reveal(row_id):
            self.notifications.notify("That lesson is not there any more.", "warning")

    @work(group="open", exclusive=True, exit_on_error=False)
    async def open_session(self, session_id: str) -> None:
        pane = await self.main.open("sessions")
        pane.reveal(session_id)

    async def _open_queue(self) -> None:
        """The queue with the strongest drafts first, after learning from old sessions."""
        await self.load()
        self.main.triage.fold()
        await self.main.open("triage")

    async def _show_step(self, row_ids: Sequence[str]) -> None:
        """Point at the lessons of a verdict that was undone or redone, where the open list shows them."""
        await self.load()
        self.main.pane.point_at(row_ids)

    # What panes ask for

    @on(VerdictGiven)
    def _verdict_given(self, event: VerdictGiven) -> None:
        self.verdicts.add(event)
        if event.goes_on:
            self.main.pane.go_on(event.goes_on)

    @on(ViewRequested)
    async def _view_requested(self, event: ViewRequested) -> None:
        await self.main.turn(event.step)

    @on(LessonRequested)
    async def _lesson_requested(self, event: LessonRequested) -> None:
        await self.open_lesson(event.lesson_id)

    @on(NotifyRequested)
    def _notify_requested(self, event: NotifyRequested) -> None:
        self.notifications.notify(event.words, event.severity)

    @on(ErrorRaised)
    def _error_raised(self, event: ErrorRaised) -> None:
        self.notifications.notify_error(event.error)

    @on(HealthCheckRequested)
    def _health_check_requested(self) -> None:
        self.health.refresh(now=True)

    @on(PlaceRequested)
    def _place_requested(self, event: PlaceRequested) -> None:
        self._show_place(event.lesson_ids or self.verdicts.kept)

    @work(group="open", exclusive=True, exit_on_error=False)
    async def _show_place(self, lesson_ids: tuple[str, ...]) -> None:
        from learnloop.service.patches import board

        offered = await self.bridge.work(board.offered, lesson_ids) if lesson_ids else None
        if offered is None:
            self.notifications.notify("No prompt file is proposed for it: 5 lists what is.", "warning")
        else:
            (await self.main.open("patches")).reveal(offered[0].id)

    @on(ReloadRequested)
    def _reload_requested(self) -> None:
        self.refresh_queue.request_reload()

    @on(TranscriptRequested)
    def _open_transcript(self, event: TranscriptRequested) -> None:
        from learnloop_tui.app import programs

        problem = programs.show_transcript(cast("App[object]", self), event.path, event.line)
        if problem:
            self.notifications.notify(problem, "warning")

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        if event.state.name == "ERROR" and event.worker.error is not None:
            self.notifications.notify_error(event.worker.error)

    def paste_was_cut(self, characters: int) -> None:
        self.notifications.notify(
            f"Pasted the first {MOST_PASTED:,} characters of {characters:,}.", "warning"
        )

    def on_resize(self, event: events.Resize) -> None:
        """Cover a terminal that became too small to read anything."""
        covers = [screen for screen in self.screen_stack if isinstance(screen, TooSmallScreen)]
        if is_too_small(event.size) and not covers:
            self.push_screen(TooSmallScreen())
        elif covers and not is_too_small(event.size):
            for cover in covers:
                cover.dismiss()

"""Commands of the table: run where they make sense, or why they make none."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from textual import work

from learnloop_tui.app.verdict_queue import VerdictFlows
from learnloop_tui.bridge import machine_queries
from learnloop_tui.screens.main import PANES
from learnloop_tui.view import themes
from learnloop_tui.view.state import overlay

if TYPE_CHECKING:
    from textual.app import App

    from learnloop_tui.panes.lesson_list import LessonListPane
    from learnloop_tui.panes.sessions import SessionsPane
    from learnloop_tui.view.state import Row


class CommandFlows(VerdictFlows):
    """Runs commands of panes, and those that hold everywhere."""

    _is_themed = False

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
        if command_id == "escape":
            self.main.hide_news()
        if self.main.pane.offers(command_id):
            await self.main.pane.run_command(command_id)
        elif command_id in PANES:
            await self.main.open(command_id)
        else:
            getattr(self, f"do_{command_id}")()

    def why_not(self, command_id: str) -> str:
        """Why a command makes no sense now, empty where it does."""
        if self.main.pane.offers(command_id):
            return self.main.pane.why_not(command_id)
        check = getattr(self, f"why_not_{command_id}", None)
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
        if not self.bridge.demo:
            await self.bridge.long(machine_queries.keep_theme, chosen)

    def do_palette(self) -> None:
        """Find a command, a lesson or a session."""
        from learnloop_tui.screens.palette import Palette

        if not Palette.is_open(cast("App[object]", self)):
            self.push_screen(Palette())

    @property
    def rows(self) -> tuple[Row, ...]:
        """Every lesson as it stands, what is decided and not written yet laid over."""
        return overlay(self.snapshot.rows, self.pending) if self.snapshot else ()

    async def open_lesson(self, row_id: str) -> None:
        """Show a lesson in the pane it belongs to, its details open."""
        status = next((row.status for row in self.rows if row.id == row_id), "")
        pane = cast("LessonListPane", await self.main.open("triage" if status == "draft" else "lessons"))
        if not pane.reveal(row_id):
            self.say("That lesson is not there any more.", "warning")

    def open_session(self, session_id: str) -> None:
        """To a session's story in its pane."""
        self._open_session(session_id)

    @work(group="open", exclusive=True, exit_on_error=False)
    async def _open_session(self, session_id: str) -> None:
        pane = await self.main.open("sessions")
        cast("SessionsPane", pane).point_at(session_id)

    def do_help(self) -> None:
        """All keys."""
        from learnloop_tui.dialogs.help import HelpScreen

        self.push_screen(HelpScreen(self.main.pane.PLACE))

    def do_skip(self) -> None:
        """To the empty queue."""
        self.call_later(self.main.open, "triage")

    def why_not_suspend(self) -> str:
        """Some terminals know no jobs."""
        can = self._driver is not None and self._driver.can_suspend
        return "" if can else "This terminal cannot put the console aside."

    def do_suspend(self) -> None:
        """Back to the shell until `fg`."""
        self.action_suspend_process()

    def do_quit(self) -> None:
        """Leave."""
        self.exit()

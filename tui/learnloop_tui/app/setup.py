"""The first run's flows: install the hooks, learn from old sessions, look at the demo."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import work

from learnloop_tui.app.notifications import Voice
from learnloop_tui.bridge import machine_queries

if TYPE_CHECKING:
    from collections.abc import Callable

    from learnloop_tui.bridge import Bridge


class SetupFlows(Voice):
    """What the console can do before there is anything to triage."""

    bridge: Bridge
    clock: Callable[[], int]

    def hooks_installed(self) -> None:
        """Called once hooks are installed."""
        raise NotImplementedError

    def backfilled(self) -> None:
        """Called once old sessions were read."""
        raise NotImplementedError

    def why_not_install(self) -> str:
        """A demo leaves the machine as it is."""
        return "This is a demo: install from the real console." if self.bridge.demo else ""

    @work(group="setup", exclusive=True, exit_on_error=False)
    async def do_install(self) -> None:
        """Show what would change, then install the hooks."""
        from learnloop_tui.dialogs.install import InstallScreen

        with self.opening():
            plan = await self.bridge.long(machine_queries.install, dry_run=True)
        if not plan.changed:
            self.say("The hooks are installed already.")
            self.hooks_installed()
            return
        if await self.push_screen_wait(InstallScreen(plan)):
            done = await self.bridge.long(machine_queries.install, dry_run=False)
            self.say(" ".join(("Hooks installed.", *done.messages)))
            self.hooks_installed()

    def why_not_backfill(self) -> str:
        """A demo has no sessions of its own."""
        return "This is a demo: it does not read your sessions." if self.bridge.demo else ""

    @work(group="setup", exclusive=True, exit_on_error=False)
    async def do_backfill(self) -> None:
        """Choose projects, then learn from their sessions."""
        from learnloop_tui.dialogs.backfill import BackfillScreen

        told = await self.push_screen_wait(BackfillScreen(self.bridge, self.clock()))
        if told:
            self.say(told)
            self.backfilled()

    def do_demo(self) -> None:
        """Leave for the demo; the real console comes back afterwards."""
        self.exit("demo")

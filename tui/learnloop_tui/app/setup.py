"""The first run: install the hooks, learn from old sessions, look at the demo."""

from __future__ import annotations

from typing import TYPE_CHECKING

from learnloop_tui.bridge import machine_queries

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from learnloop_tui.app.key_queue import SequentialKeys
    from learnloop_tui.app.notifications import Notifications
    from learnloop_tui.bridge import Bridge


class Setup:
    """What the console can do before there is anything to triage."""

    def __init__(
        self,
        app: SequentialKeys[str],
        bridge: Bridge,
        now_ms: Callable[[], int],
        notifications: Notifications,
        *,
        installed: Callable[[], None],
        backfilled: Callable[[], Awaitable[None]],
    ) -> None:
        self._app = app
        self._bridge = bridge
        self._now_ms = now_ms
        self._notifications = notifications
        self._installed = installed
        """Called once the hooks are installed."""
        self._backfilled = backfilled
        """Called once old sessions were read."""

    def why_not_install(self) -> str:
        """A demo leaves the machine as it is."""
        return "This is a demo: install from the real console." if self._bridge.demo else ""

    def install(self) -> None:
        self._run(self._install())

    async def _install(self) -> None:
        from learnloop_tui.dialogs.install import InstallScreen

        with self._app.opening():
            plan = await self._bridge.long(machine_queries.install, dry_run=True)
        if not plan.changed:
            self._notifications.notify("The hooks are installed already.")
            self._installed()
        elif await self._app.push_screen_wait(InstallScreen(plan)):
            change = await self._bridge.long(machine_queries.install, dry_run=False)
            self._notifications.notify(" ".join(("Hooks installed.", *change.messages)))
            self._installed()

    def why_not_backfill(self) -> str:
        """A demo has no sessions of its own."""
        return "This is a demo: it does not read your sessions." if self._bridge.demo else ""

    def backfill(self) -> None:
        self._run(self._backfill())

    async def _backfill(self) -> None:
        from learnloop_tui.dialogs.backfill import BackfillScreen

        report = await self._app.push_screen_wait(BackfillScreen(self._bridge, self._now_ms()))
        if report:
            self._notifications.notify(report)
            await self._backfilled()

    def _run(self, work: Awaitable[None]) -> None:
        self._app.run_worker(work, group="setup", exclusive=True, exit_on_error=False)

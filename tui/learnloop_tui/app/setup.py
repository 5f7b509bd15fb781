"""The first run: install the hooks, learn from old sessions, look at the demo."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING

from learnloop_tui.bridge import machine_queries

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from learnloop_tui.app.key_queue import SequentialKeys
    from learnloop_tui.app.notifications import Notifications
    from learnloop_tui.bridge import Bridge


@dataclass(eq=False)
class Setup:
    """What the console can do before there is anything to decide."""

    app: SequentialKeys[str]
    bridge: Bridge
    now_ms: Callable[[], int]
    notifications: Notifications
    _: KW_ONLY
    installed: Callable[[], None]
    """Called once the hooks are installed."""
    backfilled: Callable[[], Awaitable[None]]
    """Called once old sessions were read."""

    def why_not_install(self) -> str:
        """A demo leaves the machine as it is."""
        return "This is a demo: install from the real console." if self.bridge.demo else ""

    def install(self) -> None:
        self._run(self._install())

    async def _install(self) -> None:
        from learnloop_tui.dialogs.choice import TickScreen

        with self.app.opening():
            present = await self.bridge.long(machine_queries.agents)
        lines = [(title, name, True) for name, title in present.items()]
        dialog = TickScreen("Agents on this machine", lines)
        agents = await self.app.push_screen_wait(dialog) if len(present) > 1 else tuple(present)
        if agents:
            await self._install_for(agents)

    async def _install_for(self, agents: Sequence[str]) -> None:
        from learnloop_tui.dialogs.page import InstallScreen

        with self.app.opening():
            plan = await self.bridge.long(machine_queries.install, agents, dry_run=True)
        if not plan.changed:
            self.notifications.notify("The hooks are installed already.")
            self.installed()
        elif await self.app.push_screen_wait(InstallScreen(plan)):
            change = await self.bridge.long(machine_queries.install, agents, dry_run=False)
            self.notifications.notify(
                " ".join(("Hooks are in. Waiting for your first prompt.", *change.messages))
            )
            self.installed()
            await self._offer()

    def why_not_backfill(self) -> str:
        """A demo has no sessions of its own."""
        return "This is a demo: it does not read your sessions." if self.bridge.demo else ""

    def backfill(self) -> None:
        self._run(self._backfill())

    async def _backfill(self) -> None:
        from learnloop_tui.dialogs.backfill import BackfillScreen

        report = await self.app.push_screen_wait(BackfillScreen(self.bridge, self.now_ms()))
        if report:
            self.notifications.notify(report)
            await self.backfilled()
            await self._offer()

    def offer(self) -> None:
        """Ask whether a model may read along, where nobody answered yet."""
        if not self.bridge.demo:
            self._run(self._offer())

    async def _offer(self) -> None:
        from learnloop.service.facts import modes
        from learnloop_tui.dialogs.backfill import TasteScreen
        from learnloop_tui.dialogs.page import ConfirmScreen, OfferScreen

        offer = await self.bridge.long(modes.if_open, ".")
        key = await self.app.push_screen_wait(OfferScreen(offer)) if offer else None
        if offer is None or key is None:
            return
        where, words, past = await self.bridge.long(modes.answer, offer.project, key)
        self.notifications.notify(words)
        if not past:
            return
        if await self.app.push_screen_wait(ConfirmScreen("Have them read now?", f"{past}.")):
            report = await self.app.push_screen_wait(TasteScreen(self.bridge, where))
            self.notifications.notify(report or "")
            await self.backfilled()

    def _run(self, work: Awaitable[None]) -> None:
        self.app.run_worker(work, group="setup", exclusive=True, exit_on_error=False)

"""The first run: install the hooks, learn from old sessions, look at the demo."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING

from learnloop_tui.bridge import machine_queries
from learnloop_tui.view import detail, text

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from learnloop_tui.app.key_queue import SequentialKeys
    from learnloop_tui.app.notifications import Notifications
    from learnloop_tui.bridge import Bridge
    from learnloop_tui.view.state import TranscriptChoice

_OLD_SESSIONS = "Sessions of which projects? They stay on this machine; running it twice does no harm."


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
        from learnloop_tui.dialogs.choice import TickScreen
        from learnloop_tui.dialogs.dialog import WorkScreen

        self.notifications.notify("Looking for sessions …")
        with self.app.opening():
            projects = await self.bridge.long(machine_queries.transcripts)
        if not projects:
            self.notifications.notify("No sessions were found on this machine.")
            return
        title, now_ms = "Learn from old sessions", self.now_ms()
        lines = [(_words(project, now_ms), project.path, at == 0) for at, project in enumerate(projects)]
        chosen = await self.app.push_screen_wait(TickScreen(title, lines, _OLD_SESSIONS))
        if not chosen:
            return
        dialog = WorkScreen(
            title, "sessions", lambda told: self.bridge.long(machine_queries.backfill, chosen, told)
        )
        if report := await self.app.push_screen_wait(dialog):
            self.notifications.notify(report)
            await self.backfilled()
            await self._offer()

    def offer(self) -> None:
        """Ask what nobody answered yet: whether a model may read along, else whether it may judge turns."""
        if not self.bridge.demo:
            self._run(self._offer())

    async def _offer(self) -> None:
        from learnloop.service.facts import asking, modes
        from learnloop_tui.dialogs.dialog import WorkScreen
        from learnloop_tui.dialogs.page import ConfirmScreen, OfferScreen

        offer = await self.bridge.long(modes.if_open, ".")
        if offer is None:
            await self._offer_turns()
            return
        if (key := await self.app.push_screen_wait(OfferScreen(offer))) is None:
            return
        where, words, past = await self.bridge.long(modes.answer, offer.project, key)
        self.notifications.notify(words)
        if not past:
            return
        if await self.app.push_screen_wait(ConfirmScreen("Have them read now?", f"{past}.")):
            dialog = WorkScreen(
                "A model reads what you typed", "requests",
                lambda told: self.bridge.long(asking.taste, where, told), stays=True,
            )  # fmt: skip
            report = await self.app.push_screen_wait(dialog)
            self.notifications.notify(report or "")
            await self.backfilled()

    async def _offer_turns(self) -> None:
        from learnloop.service.facts import modes
        from learnloop_tui.dialogs.page import OfferScreen

        offer = await self.bridge.long(modes.turns_if_open, ".")
        key = await self.app.push_screen_wait(OfferScreen(offer)) if offer else None
        if offer and key:
            self.notifications.notify(await self.bridge.long(modes.answer_turns, offer.project, key))

    def _run(self, work: Awaitable[None]) -> None:
        self.app.run_worker(work, group="setup", exclusive=True, exit_on_error=False)


def _words(project: TranscriptChoice, now_ms: int) -> str:
    """A project with the number of its sessions, and when the last one was."""
    many = "1 session" if project.sessions == 1 else f"{project.sessions:,} sessions"
    when = f", last {detail.ago(project.last, now_ms)}" if project.last else ""
    return f"{text.fit(project.name, 26)} {many}{when}"

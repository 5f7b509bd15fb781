"""What happens while a person looks: events as they come, how things stand, the passing of time."""

from __future__ import annotations

import asyncio
from time import monotonic
from typing import TYPE_CHECKING, cast

from textual import on, work

from learnloop_tui.app import refresh_queue as pump
from learnloop_tui.app.clipboard import HandFlows
from learnloop_tui.bridge import machine_queries
from learnloop_tui.bridge.live_events import LiveEvents
from learnloop_tui.panes.base import HealthCheckRequested

if TYPE_CHECKING:
    from learnloop_tui.panes.health import HealthPane
    from learnloop_tui.panes.welcome import WelcomePane
    from learnloop_tui.screens.main import MainScreen
    from learnloop_tui.view.state import Pulse, Snapshot


PULSE_S = 5.0
"""How long at least between two looks at how things stand."""
REST_S, _BURST = 0.15, 4
"""Where more changes than those few come one after the other, they are gathered: six looks a second."""
LOOK_S = 2.0
"""How often the journal is looked at even where the watcher says nothing."""


class LiveView(HandFlows):
    """Follows the store while the console is open."""

    main: MainScreen
    pump: pump.Pump
    snapshot: Snapshot | None = None
    pulse: Pulse | None = None
    _pulse_at = 0.0

    def start_looking(self) -> None:
        """Once the first rows stand there."""
        self._look_after()
        self._follow()
        self.set_interval(1.0, self._tick)
        self.set_interval(LOOK_S, self._catch_up)

    @work(group="live", exit_on_error=False)
    async def _follow(self) -> None:
        await self._catch_up()
        self.main.following = True
        last, in_a_row = 0.0, 0
        async for documents in self.bridge.changes():
            in_a_row, last = in_a_row + 1 if monotonic() - last < 2 * REST_S else 0, monotonic()
            await self._catch_up()
            if documents:
                self.pump.want_load()
            if in_a_row > _BURST:
                await asyncio.sleep(REST_S)
        self.main.following = False

    @property
    def following(self) -> bool:
        """Whether the store is followed."""
        return self.main.following

    @property
    def welcome(self) -> WelcomePane | None:
        """The first run's page, if it was opened."""
        return cast("WelcomePane | None", self.main.made("welcome"))

    async def _catch_up(self) -> None:
        if self.main.pane.PLACE == "welcome":
            self._pulse_at = 0.0  # hooks may be installed from elsewhere
            self._look_after()
        news = await self.bridge.live(LiveEvents.happenings)
        if not news:
            return
        first = self.main.latest is None and not self.following
        self.main.latest = news[-1]
        self.main.pane.events_arrived()
        prompts = [event for event in news if event.kind == "prompt"]
        if self.welcome is not None:
            self.welcome.show(latest=(prompts or news)[-1])
        if not first:
            self.pump.want_ingest(pump.delay(event.kind for event in news))
            self._look_after()

    @work(group="pulse", exclusive=False, exit_on_error=False)
    async def _look_after(self) -> None:
        """Look at how things stand, not too often."""
        if 0 <= self.clock() - self._pulse_at < PULSE_S * 1000:  # a clock that was set back: look
            return
        self._pulse_at = self.clock()
        await self._take_pulse()

    async def _take_pulse(self) -> None:
        first = self.pulse is None
        if first:
            await self.bridge.long(machine_queries.keep_up, with_hooks=not self.bridge.demo)
        self.pulse = await self.bridge.long(machine_queries.pulse)
        self._tick()
        self.main.reports(self.pulse.hooked or self.bridge.demo)
        if self.welcome is not None:
            self.welcome.show(hooked=self.pulse.hooked)
        health = cast("HealthPane | None", self.main.made("health"))
        if health is not None:
            health.show(self.pulse)
        if first:
            await self._greet()
            await self.tell_news()

    @on(HealthCheckRequested)
    def _look_again(self, event: HealthCheckRequested) -> None:
        self._examine(fix=event.fix)

    @work(group="health", exclusive=True, exit_on_error=False)
    async def _examine(self, *, fix: bool) -> None:
        checks = await (
            self.bridge.work(machine_queries.fix) if fix else self.bridge.long(machine_queries.checks)
        )
        health = cast("HealthPane | None", self.main.made("health"))
        if health is not None:
            health.show(checks=checks)
        await self._take_pulse()
        if fix:
            self.say("Mended what is safe to mend; what is left stands under Doctor.")
            self.pump.want_load()

    async def _greet(self) -> None:
        """An empty machine is shown what to do first."""
        nothing = self.snapshot is not None and not self.snapshot.rows
        if nothing and self.pulse and not self.pulse.health.last_capture and not self.bridge.demo:
            welcome = cast("WelcomePane", await self.main.open("welcome"))
            welcome.show(hooked=self.pulse.hooked, latest=self.main.latest)

    def _tick(self) -> None:
        """The time passes."""
        if self.pulse is None:
            return
        words, well = machine_queries.status(self.pulse, self.main.latest, self.clock())
        self.main.standing = (words, well)
        if self.main.pane.PLACE == "welcome":
            cast("WelcomePane", self.main.pane).draw()

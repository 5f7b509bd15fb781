"""The one screen behind everything: panes, live line, status, keys."""

from __future__ import annotations

import shutil
from importlib import import_module
from typing import TYPE_CHECKING

from textual import on
from textual.containers import Container
from textual.reactive import var
from textual.screen import Screen

from learnloop.keymap import commands
from learnloop_tui.panes.pane import Pane, PaneChanged
from learnloop_tui.panes.triage import TriagePane
from learnloop_tui.view import bars
from learnloop_tui.view.state import overlay
from learnloop_tui.widgets.line_widgets import Bar, Page
from learnloop_tui.widgets.status_lines import LiveLine, MessageLine, StatusLine

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from textual import events
    from textual.app import ComposeResult

    from learnloop_tui.bridge import Bridge
    from learnloop_tui.view.state import Happening, Pending, Pulse, Row, Snapshot
    from learnloop_tui.view.text import Linked


PANES = {
    "triage": "triage:TriagePane", "lessons": "lessons:LessonsPane", "agents": "agents:AgentsPane",
    "preferences": "preferences:PreferencesPane", "patches": "patches:PatchesPane",
    "sessions": "sessions:SessionsPane", "health": "health:HealthPane", "memory": "task_memory:MemoryPane",
    "experiments": "experiment_list:ExperimentsPane", "welcome": "welcome:WelcomePane",
}  # fmt: skip
"""Module and class of each pane by its place in the table of commands; imported when it is first opened."""
WIDE = 100
"""From this width on things stand side by side."""


class MainScreen(Screen[None]):
    """Shows one pane at a time; a pane is created when it is first opened."""

    AUTO_FOCUS = ""
    latest: var[Happening | None] = var(None)
    """The last event that a hook wrote."""
    following: var[bool] = var(False)
    """Whether the store is followed."""
    summary: var[tuple[str, bool]] = var(("", True))
    """The health of hooks and store in words, and whether all is well."""
    columns: var[int] = var(0)
    """As many as the summary may take; 0: all it needs."""

    def __init__(self, bridge: Bridge, now_ms: Callable[[], int]) -> None:
        guess = "-wide" if shutil.get_terminal_size().columns >= WIDE else "-narrow"
        super().__init__(classes=guess)
        self._bridge = bridge
        self._now_ms = now_ms
        self.snapshot: Snapshot | None = None
        self.rows: tuple[Row, ...] = ()
        """Every lesson, pending verdicts laid over."""
        self._pulse: Pulse | None = None
        self._counted: tuple[object, str] = (None, "")
        self.triage = TriagePane(bridge, now_ms)
        self.pane: Pane = self.triage
        self._panes = Bar(id="panes")
        self._live = LiveLine(id="live")
        self._status = StatusLine(id="status")
        self._message = MessageLine(id="message")
        self._keys = Bar(id="keys")
        self._news = Bar(id="news")

    def compose(self) -> ComposeResult:
        """Bars around the open pane; what the foot shows is bound to what the screen knows."""
        self._live.data_bind(MainScreen.latest, MainScreen.following)
        self._status.data_bind(MainScreen.summary, MainScreen.columns)
        yield self._panes
        yield self.triage
        yield self._keys

    async def mount_deferred(self) -> None:
        """Mount what the first frame does without."""
        await self.mount(Container(self._live, self._status, self._message, id="foot"), before=self._keys)
        await self.triage.furnish()
        self.triage.take_focus()

    def show_message(self, words: str, severity: str) -> None:
        """Show the newest message above the keys."""
        self._message.say(words, severity)

    async def show_news(self, line: Linked) -> None:
        """One more line below the pane, so that nothing above it moves."""
        self._news.show(lambda _: line)
        if not self._news.is_attached:
            await self.mount(self._news, before="#foot")

    def hide_news(self) -> None:
        if self._news.is_attached:
            self._news.remove()

    def on_mount(self) -> None:
        self.show_bars()

    async def open(self, place: str) -> Pane:
        """Show a pane; create it where it is opened for the first time."""
        target = next((pane for pane in self._opened() if place == pane.PLACE), None)
        if target is None:
            target = self._create(place)
            await self.mount(target, after=self._panes)
            await target.furnish()
            self._feed(target)
        for pane in self._opened():
            pane.display = pane is target
        if target is not self.pane:
            target.await_paint()
        self.pane = target
        target.take_focus()
        self.show_bars()
        return target

    async def turn(self, step: int) -> None:
        """Show the next view of the pane, or the one before; what holds nothing is passed over."""
        views = commands.views(self.pane.PLACE)
        at = views.index((self.pane.PLACE, self.pane.shown_view))
        first = next((pane for pane in self._opened() if views[0][0] == pane.PLACE), self.pane)
        others = (views[(at + step * further) % len(views)] for further in range(1, len(views) + 1))
        place, name = next(view for view in others if first.has_view(view[1]))
        (await self.open(place)).show_view(name)

    def _opened(self) -> Iterator[Pane]:
        return (node for node in self.children if isinstance(node, Pane))

    def _create(self, place: str) -> Pane:
        module, _, name = PANES[place].partition(":")
        pane_class: type[Pane] = getattr(import_module(f"learnloop_tui.panes.{module}"), name)
        return pane_class(self._bridge, self._now_ms)

    def _feed(self, pane: Pane) -> None:
        if self.snapshot is not None:
            pane.show_snapshot(self.snapshot, self.rows)
        if self._pulse is not None:
            self._show_pulse(pane, self._pulse)
        if self.latest is not None:
            pane.show_event(self.latest)

    def show(self, snapshot: Snapshot, pending: Sequence[Pending]) -> None:
        self.snapshot, self.rows = snapshot, overlay(snapshot.rows, pending)
        for pane in self._opened():
            pane.show_snapshot(snapshot, self.rows)
        self.show_bars()

    def show_pulse(self, pulse: Pulse) -> None:
        self._pulse = pulse
        for pane in self._opened():
            self._show_pulse(pane, pulse)

    def _show_pulse(self, pane: Pane, pulse: Pulse) -> None:
        pane.set_hooks_installed(pulse.hooked or self._bridge.demo)
        pane.show_pulse(pulse)

    def show_event(self, event: Happening) -> None:
        for pane in self._opened():
            pane.show_event(event)
        self.pane.events_arrived()

    @on(PaneChanged)
    def show_bars(self) -> None:
        """Counts and keys as they are now."""
        place, counts = self.pane.PLACE, self._counts()
        self._panes.show(lambda width: bars.panes(place, counts, self._bridge.demo, width))
        shown = [command for command in commands.footer(place) if not self.pane.hides(command.id)]
        disabled = {command.id for command in shown if self.pane.why_not(command.id)}
        self._keys.show(lambda width: bars.keys(shown, disabled, width))

    def _counts(self) -> dict[str, str]:
        health = "" if self.summary[1] else "!"
        if self.snapshot is None:
            return {"health": health}
        rows, triage = self.triage.view.rows, f"{self.triage.view.asked_about:,}"
        if rows is not self._counted[0]:  # a key press must not count 10,000 rows
            self._counted = rows, f"{sum(row.status == 'active' for row in rows):,}"
        return {"triage": triage, "lessons": self._counted[1], "health": health}

    def screen_text(self) -> str:
        return "\n".join(page.plain for page in self.pane.query(Page))

    def watch_summary(self) -> None:
        self.show_bars()

    def on_resize(self, event: events.Resize) -> None:
        """Side by side the last event keeps half of the line."""
        self.columns = event.size.width if event.size.width < WIDE else event.size.width // 2

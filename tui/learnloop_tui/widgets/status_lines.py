"""The lines at the foot of the screen: the last event, the health of hooks and store, the newest message."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.reactive import var

from learnloop_tui.view import bars, text
from learnloop_tui.widgets.line_widgets import Bar

if TYPE_CHECKING:
    from textual.timer import Timer

    from learnloop_tui.view.state import Happening


class LiveLine(Bar):
    """The last event that a hook wrote, and whether the store is followed."""

    latest: var[Happening | None] = var(None)
    following: var[bool] = var(False)

    def watch_latest(self) -> None:
        latest, following = self.latest, self.following
        self.show(lambda width: bars.live(latest, following, width))

    watch_following = watch_latest


SHOWN_S = {"information": 4.0, "warning": 4.0, "error": 10.0}
"""How long a message of each severity stays."""


class MessageLine(Bar):
    """The newest message for some seconds, in the place of the other lines of its container."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002  # as Textual
        super().__init__(id=id)
        self._message, self._times = ("", ""), 0
        self._leaving: Timer | None = None

    def on_mount(self) -> None:
        self._draw()

    def say(self, words: str, severity: str) -> None:
        """Show the words instead of those before; the same words again are counted."""
        self._times = self._times + 1 if self._message == (words, severity) else 1
        self._message = (words, severity)
        if self.is_attached:
            self._draw()

    def _draw(self) -> None:
        (words, severity), times = self._message, self._times
        if self.parent is None or not words:
            return
        self.show(lambda width: bars.message(words, severity, times, width))
        self.parent.add_class("-said")
        if self._leaving is not None:
            self._leaving.stop()
        self._leaving = self.set_timer(SHOWN_S[severity], self._leave)

    def _leave(self) -> None:
        self._message, self._leaving = ("", ""), None
        if self.parent is not None:
            self.parent.remove_class("-said")


class StatusLine(Bar):
    """One sentence on the health of hooks and store; a click opens health."""

    summary: var[tuple[str, bool]] = var(("", True))
    """The words, and whether all is well."""
    columns: var[int] = var(0)
    """As many as it may take; 0: all it needs."""

    def watch_summary(self) -> None:
        words, is_well = self.summary
        width = text.width(words) + 2
        self.styles.width = min(width, self.columns or width)
        self.show(lambda width: bars.status(words, is_well, width))

    watch_columns = watch_summary

"""What is new since the last visit, in one line."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from learnloop_tui.bridge import machine_queries

if TYPE_CHECKING:
    from collections.abc import Callable

    from learnloop.service.health.visits import News
    from learnloop_tui.app.notifications import Notifications
    from learnloop_tui.bridge import Bridge
    from learnloop_tui.screens.main import MainScreen
    from learnloop_tui.view.text import Linked, Piece

SHORTEST_MS = 20_000
"""A visit shorter than this saw nothing: the next one still shows what was new."""
_PARTS = (
    ("drafts", "new draft", "new drafts", "triage", "accent"),
    ("recalled", "lesson recalled", "lessons recalled", "lessons", "good"),
    ("recurred", "came back", "came back", "lessons", "warn"),
    ("harmful", "did harm", "did harm", "lessons", "bad"),
    ("modified_blocks", "patch astray", "patches astray", "patches", "bad"),
    ("beliefs", "new belief", "new beliefs", "preferences", "accent"),
)
"""A field of the news: what one and what several are called, the pane that a click opens, the look."""


class Visit:
    """Shows what is new when a visit begins, and keeps what was seen when it ends; a demo is no visit."""

    is_news_read = False

    def __init__(
        self, bridge: Bridge, main: MainScreen, notifications: Notifications, now_ms: Callable[[], int]
    ) -> None:
        self._bridge = bridge
        self._main = main
        self._notifications = notifications
        self._now_ms = now_ms
        self._began_ms = now_ms()

    async def show_news(self) -> None:
        """One quiet line on what is new since the last visit."""
        news = None if self._bridge.demo else await self._bridge.long(machine_queries.since_visit)
        self.is_news_read = True
        if news is not None and news.is_any:
            linked = line(news)
            self._notifications.log("".join(part for part, _ in linked[0]))
            await self._main.show_news(linked)

    async def end(self) -> None:
        """Keep what was seen, unless there was hardly time to see it."""
        if not self._bridge.demo and self._now_ms() - self._began_ms >= SHORTEST_MS:
            await self._bridge.long(machine_queries.end_visit)


def line(news: News) -> Linked:
    """Since when, what is new, each piece leading to its pane; the last one puts the line away."""
    pieces: list[Piece] = [(f" Since {_when(news.ms)}: ", "label")]
    links: dict[str, str] = {}
    for name, single, several, pane, look in _PARTS:
        count = getattr(news, name)
        if count:
            words = f"{count:,} {single if count == 1 else several}"
            pieces += [(" · ", "label"), (words, look)] if links else [(words, look)]
            links[words] = pane
    close = "  esc hides this"
    return (*pieces, (close, "label")), {**links, close: "escape"}


def _when(ms: int) -> str:
    then = datetime.fromtimestamp(ms / 1000).astimezone()
    return then.strftime("%a %d %b %H:%M")

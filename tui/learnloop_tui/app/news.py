"""What is new since the last visit, in one line."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING

from learnloop.errors import LearnloopError

if TYPE_CHECKING:
    from collections.abc import Callable

    from learnloop.service.health.visits import News
    from learnloop_tui.app.notifications import Notifications
    from learnloop_tui.bridge import Bridge
    from learnloop_tui.screens.main_screen import MainScreen
    from learnloop_tui.view.text import Linked, Piece

SHORTEST_MS = 20_000
"""A visit shorter than this saw nothing: the next one still shows what was new."""
_PARTS = (
    ("drafts", "new draft", "new drafts", "triage", "accent"),
    ("recalled", "lesson recalled", "lessons recalled", "lessons", "good"),
    ("approved", "approved elsewhere, U undoes", "approved elsewhere, U undoes", "lessons", "bad"),
    ("taken", "fact taken in, U undoes", "facts taken in, U undoes", "lessons", "accent"),
)
"""A field of the news: what one and what several are called, the pane that a click opens, the look."""


@dataclass(eq=False)
class Visit:
    """Shows what is new when a visit begins, and keeps what was seen when it ends; a demo is no visit."""

    bridge: Bridge
    main: MainScreen
    notifications: Notifications
    now_ms: Callable[[], int]
    is_news_read: bool = field(default=False, init=False)

    def __post_init__(self) -> None:
        self._began_ms = self.now_ms()

    async def show_news(self) -> None:
        """One quiet line on what is new since the last visit."""
        from learnloop.service.health import visits

        news = None if self.bridge.demo else await self.bridge.long(visits.since)
        self.is_news_read = True
        if news is not None and news.is_any:
            linked = line(news)
            self.notifications.log("".join(part for part, _ in linked[0]))
            await self.main.show_news(linked)

    async def end(self) -> None:
        """Keep what was seen, unless there was hardly time to see it; nothing depends on it."""
        from learnloop.service.health import visits

        if not self.bridge.demo and self.now_ms() - self._began_ms >= SHORTEST_MS:
            with suppress(LearnloopError, OSError):
                await self.bridge.long(visits.leave)


def line(news: News) -> Linked:
    """Since when, what is new, each piece leading to its pane; the last one puts the line away."""
    then = datetime.fromtimestamp(news.ms / 1000).astimezone()
    pieces: list[Piece] = [(f" Since {then:%a %d %b %H:%M}: ", "label")]
    links: dict[str, str] = {}
    for name, single, several, pane, look in _PARTS:
        count = getattr(news, name)
        if count:
            words = f"{count:,} {single if count == 1 else several}"
            pieces += [(" · ", "label"), (words, look)] if links else [(words, look)]
            links[words] = pane
    close = "  esc hides this"
    return (*pieces, (close, "label")), {**links, close: "escape"}

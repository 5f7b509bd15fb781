"""The line on what is new since the last visit."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from learnloop.service.health.visits import News
    from learnloop_tui.view.text import Linked, Piece

_PARTS = (
    ("drafts", "new draft", "new drafts", "triage", "accent"),
    ("recalled", "lesson told", "lessons told", "lessons", "good"),
    ("recurred", "came back", "came back", "lessons", "warn"),
    ("harmful", "did harm", "did harm", "lessons", "bad"),
    ("modified_blocks", "patch astray", "patches astray", "patches", "bad"),
    ("beliefs", "new belief", "new beliefs", "preferences", "accent"),
)
"""A field of the news: what one and what several are called, the pane that a click opens, the look."""


def line(found: News) -> Linked:
    """Since when, what is new, each piece leading to its pane; the last one puts the line away."""
    pieces: list[Piece] = [(f" Since {_when(found.ms)}: ", "label")]
    links: dict[str, str] = {}
    for name, one, several, pane, look in _PARTS:
        count = getattr(found, name)
        if count:
            told = f"{count:,} {one if count == 1 else several}"
            pieces += [(" · ", "label"), (told, look)] if links else [(told, look)]
            links[told] = pane
    close = "  esc hides this"
    return (*pieces, (close, "label")), {**links, close: "escape"}


def _when(ms: int) -> str:
    then = datetime.fromtimestamp(ms / 1000).astimezone()
    return then.strftime("%a %d %b %H:%M")

"""One entry of a story, whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

from learnloop_tui.dialogs.page_dialog import PageDialog
from learnloop_tui.view import session_lines

if TYPE_CHECKING:
    from collections.abc import Mapping

    from learnloop.service.sessions.live_sessions import TimelineEntry


class EntryScreen(PageDialog[None]):
    """Prompt, call or recall with everything that is known of it."""

    def __init__(self, entry: TimelineEntry, statements: Mapping[str, str]) -> None:
        title = entry.kind.capitalize()
        super().__init__(title, lambda width: session_lines.whole(entry, statements, width))

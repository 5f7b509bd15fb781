"""What the demo opens on: the idea, in one conversation before and after."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.widgets import Static

from learnloop.keymap import commands
from learnloop_tui.dialogs.dialog import Dialog, box
from learnloop_tui.view import text

if TYPE_CHECKING:
    from textual import events
    from textual.app import ComposeResult
    from textual.content import Content

_STORY = (
    ("Monday     ", "Claude runs", "npm install zod"),
    ("           ", "You say", "no, use pnpm instead of npm here"),
    ("           ", "Learnloop drafts", "Use pnpm instead of npm."),
    ("           ", "You press", "p: now it is a lesson"),
    ("Thursday   ", "Claude is about to", "npm install left-pad"),
    ("           ", "Learnloop says", "Use pnpm instead of npm (said Monday)"),
    ("           ", "Claude runs", "pnpm add left-pad"),
)


class IdeaScreen(Dialog[None]):
    """Any key goes on to the drafts."""

    def compose(self) -> ComposeResult:
        keys = {name: commands.BY_ID[name].key for name in ("promote", "reject", "sessions", "help")}
        words = (
            f"\nThe drafts behind this are a made-up team's corrections. {keys['promote']} keeps one, "
            f"{keys['reject']} drops it, {keys['sessions']} shows agents at work, {keys['help']} all keys."
        )
        lines = (*(self._line(*line) for line in _STORY), text.content(words, "$foreground 60%"))
        yield box(Static(text.join(*lines)), title="You say it once", keys="any key shows the drafts")

    def _line(self, when: str, who: str, what: str) -> Content:
        looks = ("$foreground 55%", "$foreground 60%", "bold" if who.startswith("You") else "")
        parts = zip((when, text.fit(who, 20), f"{what}\n"), looks, strict=True)
        return text.join(*(text.content(part, look) for part, look in parts))

    def on_key(self, event: events.Key) -> None:
        event.stop()
        self.dismiss(None)

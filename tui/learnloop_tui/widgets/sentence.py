"""A field for one sentence that wraps; enter submits."""

from dataclasses import dataclass

from textual import events
from textual.message import Message
from textual.widgets import TextArea

from learnloop_tui.view import text


class Sentence(TextArea):
    """A few lines for one sentence."""

    @dataclass
    class Submitted(Message):
        """Enter was pressed."""

        words: str

    def __init__(self, words: str, *, id: str | None = None, asked: str = "") -> None:  # noqa: A002  # as Textual
        """`asked` is shown while the field is empty."""
        super().__init__(
            text.line(words), id=id, soft_wrap=True, compact=True, tab_behavior="focus", placeholder=asked
        )

    def on_mount(self) -> None:
        self.move_cursor(self.document.end)

    async def _on_key(self, event: events.Key) -> None:
        if event.key == "enter":
            event.stop()
            event.prevent_default()
            self.post_message(self.Submitted(self.text))
            return
        await super()._on_key(event)

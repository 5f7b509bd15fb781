"""What all dialogs share: a box in the middle, escape leaves it."""

from collections.abc import Awaitable, Callable
from typing import TypeVar

from textual import events, work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widget import Widget
from textual.widgets import Static

from learnloop_tui.view import text
from learnloop_tui.widgets.line_widgets import Bar

_BAR = 40
T = TypeVar("T")
Told = Callable[[int, int], None]
"""Called with what is done and all there is; from another thread."""


def box(*parts: Widget, title: str, keys: str = "", classes: str = "") -> Vertical:
    """The frame of a dialog: its title at the top, the keys that it names at the bottom."""
    frame = Vertical(*parts, classes=f"box {classes}")
    frame.border_title, frame.border_subtitle = text.content(title), text.content(keys)
    return frame


class Answers(Bar):
    """What can be answered, to be clicked; the actions are the dialog's."""

    DEFAULT_CSS = "Dialog Answers { background: $surface; margin-top: 1; }"

    async def on_click(self, event: events.Click) -> None:
        line, links = self._linked()
        at = 0
        for part, _ in line:
            at += text.width(part)
            if event.x < at:
                if part in links:
                    await self.screen.run_action(f"screen.{links[part]}")
                return


class Progress(Static):
    """How far long work is."""

    def __init__(self, things: str) -> None:
        super().__init__(text.content(""))
        self._things = things

    def told(self, done: int, total: int) -> None:
        """Show it; to be called from another thread."""
        self.app.call_from_thread(self._show, done, total)

    def _show(self, done: int, total: int) -> None:
        full = _BAR * done // max(total, 1)
        bar = "━" * full + "╌" * (_BAR - full)
        self.update(text.content(f"\n{bar} {done:,} of {total:,} {self._things}"))


class Dialog(ModalScreen[T | None]):
    """A box over the console; gives None where it was left."""

    DEFAULT_CSS = """
    Dialog { align: center middle; background: $background 60%; }
    Dialog > .box {
        width: 76; max-width: 94%; height: auto; max-height: 92%;
        background: $surface; border: round $border; padding: 1 2;
        border-title-color: $primary; border-title-style: bold;
        border-subtitle-color: $foreground 60%;
    }
    Dialog .box.-page { height: 80%; padding: 0 1; }
    Dialog .label { color: $foreground 55%; height: 1; }
    Dialog .hint { color: $foreground 55%; height: auto; }
    Dialog .problem { color: $error; height: auto; }
    Dialog Input, Dialog TextArea { background: $background; border: none; padding: 0 1; height: 1; }
    Dialog TextArea { height: 3; }
    Dialog Input:focus, Dialog TextArea:focus { background: $panel; }
    Dialog OptionList, Dialog SelectionList {
        background: $surface; border: none; padding: 0; height: auto; max-height: 16;
    }
    Dialog Page { height: 1fr; background: $surface; }
    """
    BINDINGS = [Binding("escape", "leave", "cancel", show=False)]  # noqa: RUF012  # as Textual declares it

    def on_click(self, event: events.Click) -> None:
        """A click beside the box leaves it."""
        if event.widget is self:
            self.action_leave()

    def action_leave(self) -> None:
        self.dismiss(None)


class WorkScreen(Dialog[str]):
    """Long work, and how far it is: gives what came of it in words."""

    def __init__(
        self, title: str, things: str, work: Callable[[Told], Awaitable[object]], *, stays: bool = False
    ) -> None:
        """`work` is called with what it tells its progress; with `stays` nobody leaves before it is over."""
        super().__init__()
        self._title, self._progress = title, Progress(things)
        self._work, self._stays = work, stays

    def compose(self) -> ComposeResult:
        yield box(self._progress, title=self._title, keys="" if self._stays else "esc leaves it to itself")

    def action_leave(self) -> None:
        if not self._stays:
            self.dismiss(None)

    @work(exit_on_error=False)
    async def on_mount(self) -> None:
        try:
            report = str(await self._work(self._progress.told))
        except Exception as error:  # what was read before is kept
            report = f"That failed: {error}"
        self.dismiss(report)

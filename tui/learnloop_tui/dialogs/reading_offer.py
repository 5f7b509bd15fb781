"""Asks once whether a model may read along, and has it read what was typed lately."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import work
from textual.binding import Binding

from learnloop_tui.dialogs.dialog import Dialog, Progress, box
from learnloop_tui.dialogs.page_dialog import PageDialog
from learnloop_tui.view.page_parts import block

if TYPE_CHECKING:
    from textual.app import ComposeResult

    from learnloop.service.facts.modes import Offer
    from learnloop_tui.bridge import Bridge
    from learnloop_tui.view.text import Line


class OfferScreen(PageDialog[str]):
    """Gives `y`, `a` or `n`; leaving it leaves the question open."""

    BINDINGS = [  # noqa: RUF012  # as Textual declares it
        Binding("y", "answer('y')", "yes, in this project"),
        Binding("a", "answer('a')", "in all"),
        Binding("n", "answer('n')", "no, never ask again"),
    ]

    def __init__(self, offer: Offer) -> None:
        self._offer = offer
        name = offer.project.rpartition("/")[2]
        keys = f"y yes, in {name} · a in all · n no, never ask again · esc later"
        super().__init__("Let a model read along?", self._layout, keys=keys)

    def action_answer(self, key: str) -> None:
        self.dismiss(key)

    def _layout(self, width: int) -> list[Line]:
        parts = [*((words, "text") for words in self._offer.words), ("", "text")]
        parts += [(line, "muted") for line in self._offer.request.split("\n")]
        return [(), *(line for words, look in parts for line in block(words, width, look) or [()])]


class TasteScreen(Dialog[str]):
    """Gives what came of it in words; it cannot be left before, because what is paid for is kept."""

    def __init__(self, bridge: Bridge, where: str) -> None:
        super().__init__()
        self._bridge, self._where, self._progress = bridge, where, Progress("requests")

    def compose(self) -> ComposeResult:
        yield box(self._progress, title="A model reads what you typed")

    def action_leave(self) -> None:
        """Stay until it is over."""

    def on_mount(self) -> None:
        self._read()

    @work(exit_on_error=False)
    async def _read(self) -> None:
        from learnloop.service.facts import asking

        try:
            report = str(await self._bridge.long(asking.taste, self._where, self._progress.told))
        except Exception as error:  # what was read before is kept
            report = f"That failed: {error}"
        self.dismiss(report)

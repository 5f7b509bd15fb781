"""Experiments: what each knows so far; a person starts, pauses, stops and decides them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from learnloop_tui.bridge import experiment_queries
from learnloop_tui.panes.actions import Action
from learnloop_tui.panes.bindings import bindings
from learnloop_tui.panes.list_pane import ListPane
from learnloop_tui.view import experiment_lines, list_view, text
from learnloop_tui.view.experiment_state import ExperimentItem, ExperimentsView

if TYPE_CHECKING:
    from collections.abc import Callable

    from learnloop.models.experiment import Experiment, Variant
    from learnloop_tui.bridge import Bridge
    from learnloop_tui.view.text import Line


class ExperimentsPane(ListPane[ExperimentsView]):
    """A list of experiments beside the numbers of the one under the cursor."""

    PLACE = "experiments"
    shown_view = "testing"
    PAGE = "Experiment"
    BINDINGS = bindings("experiments", "list")

    def __init__(self, bridge: Bridge, now_ms: Callable[[], int]) -> None:
        super().__init__(bridge, now_ms, ExperimentsView(), experiment_lines.row)

    def handlers(self) -> dict[str, Action]:
        return {
            **super().handlers(),
            "pause": Action(self._pause, lambda: self._none_in("running", "paused")),
            "archive": Action(self._stop, lambda: self._none_in("running", "paused")),
            "promote": Action(self._promote, lambda: self._none_in("running", "paused", "stopped")),
        }

    def to_copy(self, *, name: bool = False) -> str:
        current = self.view.current
        if current is None:
            return ""
        return current.id if name else current.known.known

    async def read(self) -> tuple[ExperimentItem, ...]:
        return await self._bridge.long(experiment_queries.experiments)

    def fill(self, data: tuple[ExperimentItem, ...]) -> None:
        self.view = list_view.with_rows(self.view, data)
        self._draw()

    # What is shown

    def header(self, width: int) -> Line:
        return experiment_lines.header(width)

    def nothing(self) -> list[Line]:
        return experiment_lines.nothing(self.view.query)

    def title(self) -> tuple[str, str]:
        running = sum(row.state == "running" for row in self.view.rows)
        return f"Lessons · testing{f' · {running:,} running' if running else ''}", self.filter_note()

    def page(self, width: int) -> list[Line]:
        current = self.view.current
        if current is None:
            return []
        return experiment_lines.page(current, width, self._now_ms(), many=len(self.view.rows) > 1)

    # Decisions

    def _none_in(self, *states: str) -> str:
        current = self.view.current
        if current is None:
            return "There is no experiment here."
        return "" if current.state in states else f"This experiment is {current.state}."

    def _pause(self) -> None:
        if (current := self.view.current) is not None:
            action, done = ("pause", "Paused") if current.state == "running" else ("resume", "Goes on:")
            self.decide(f"experiment_{action}", current.id, f"{done} “{self._named(current)}”")

    async def _stop(self) -> None:
        from learnloop_tui.dialogs.page import ConfirmScreen

        if (current := self.view.current) is not None:
            name = self._named(current)
            words = f"“{name}” ends without a winner, for good. All sessions are told its lessons again."
            await self.ask(
                ConfirmScreen("Stop it?", words),
                lambda _: self.decide("experiment_stop", current.id, f"Stopped “{name}”"),
            )

    async def _promote(self) -> None:
        """Ask which variant holds for all from now on."""
        from learnloop_tui.dialogs.choice import ChoiceScreen

        if (current := self.view.current) is None:
            return
        ways = {
            variant.name: f"{variant.name} – {_becomes(variant, current.known.experiment)}"
            for variant in current.known.experiment.variants
        }

        def promote(winner: str) -> None:
            words = f"Decided “{self._named(current)}”: {ways[winner]}"
            self.decide("experiment_promote", current.id, words, {"winner": winner})

        await self.ask(ChoiceScreen("Which variant holds from now on?", ways), promote)

    @staticmethod
    def _named(item: ExperimentItem) -> str:
        return text.cut(item.known.experiment.name, 60)


def _becomes(variant: Variant, experiment: Experiment) -> str:
    """What becomes of the lesson, or what is to be set, where a variant wins."""
    from learnloop.service.experiments import decide

    if not experiment.lesson_ids:
        return decide.named(variant) or "everything stays as it is"
    if not variant.tells:
        return "the lesson is archived"
    wording = text.cut(variant.wording, 60)
    return f"the lesson becomes “{wording}”" if wording else "the lesson stays as it is"

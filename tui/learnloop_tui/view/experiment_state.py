"""What the experiments' pane shows, as frozen values. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, NamedTuple

from learnloop_tui.view.list_view import ListView

if TYPE_CHECKING:
    from learnloop.models.experiment import ExperimentReport


class ExperimentItem(NamedTuple):
    """An experiment with what is known of it."""

    id: str
    known: ExperimentReport
    statements: tuple[str, ...]
    """The words of its lessons."""

    @property
    def state(self) -> str:
        """Its state, for the filter too."""
        return self.known.experiment.state


class ExperimentsView(ListView[ExperimentItem]):
    """The experiments, running ones first."""

    PLACE: ClassVar[str] = "experiments"

    @staticmethod
    def haystack(row: ExperimentItem) -> str:
        experiment = row.known.experiment
        return " ".join((experiment.name, experiment.question, *row.statements)).lower()

"""Words for the person: what was done, what cannot be, what went wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from textual import on

from learnloop.errors import LearnloopError
from learnloop_tui.app.key_queue import MOST_PASTED, OrderedKeys
from learnloop_tui.panes.base import ErrorRaised, NotifyRequested
from learnloop_tui.view import text

if TYPE_CHECKING:
    from textual.notifications import SeverityLevel
    from textual.worker import Worker


class Voice(OrderedKeys[str]):
    """Speaks in toasts."""

    @on(NotifyRequested)
    def _said(self, event: NotifyRequested) -> None:
        self.say(event.words, event.severity)

    @on(ErrorRaised)
    def _error_raised(self, event: ErrorRaised) -> None:
        self.complain(event.error)

    def say(self, words: str, severity: str = "information") -> None:
        """Tell something in a toast; captured text in it is cleaned and never parsed."""
        self.notify(
            text.cut(words, 240),
            severity=cast("SeverityLevel", severity),
            markup=False,
            timeout=10 if severity == "error" else 4,
        )

    def paste_was_cut(self, characters: int) -> None:
        """Tell that a paste was too long."""
        self.say(f"Pasted the first {MOST_PASTED:,} characters of {characters:,}.", "warning")

    def complain(self, error: BaseException) -> None:
        """Tell what went wrong and what to do."""
        if isinstance(error, LearnloopError):
            self.say(f"{error.message}. {error.hint}" if error.hint else error.message, "error")
        else:
            self.say(f"That failed: {type(error).__name__}: {error}", "error")

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """A worker that failed is told, not hidden."""
        error = event.worker.error
        if event.state.name == "ERROR" and error is not None:
            self.complain(error)

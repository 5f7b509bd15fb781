"""Toasts: what was done, what cannot be done, what failed; kept so that they can be read again."""

from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, cast

from textual.app import App

from learnloop.errors import LearnloopError
from learnloop_tui.view import text
from learnloop_tui.view.messages import LoggedMessage

if TYPE_CHECKING:
    from textual.notifications import SeverityLevel

_MOST_LOGGED = 200
_LONGEST = 240


class Notifications:
    """Shows toasts and logs them."""

    def __init__(self, app: App[str], now_ms: Callable[[], int]) -> None:
        self._app = app
        self._now_ms = now_ms
        self.messages: deque[LoggedMessage] = deque(maxlen=_MOST_LOGGED)

    def notify(self, words: str, severity: str = "information") -> None:
        """Show a toast; captured text in it is cleaned and never parsed."""
        self.log(text.cut(words, _LONGEST), severity)
        self._app.notify(
            text.cut(words, _LONGEST),
            severity=cast("SeverityLevel", severity),
            markup=False,
            timeout=10 if severity == "error" else 4,
        )

    def notify_error(self, error: BaseException) -> None:
        if isinstance(error, LearnloopError):
            self.notify(f"{error.message}. {error.hint}" if error.hint else error.message, "error")
        else:
            self.notify(f"That failed: {type(error).__name__}: {error}", "error")

    def log(self, words: str, severity: str = "information") -> None:
        """Keep words that are shown elsewhere."""
        self.messages.append(LoggedMessage(self._now_ms(), severity, text.clean(words)))

"""What was done, what cannot be done, what failed: the newest on one line, all kept to be read again."""

from collections import deque
from collections.abc import Callable

from learnloop.errors import LearnloopError
from learnloop_tui.view import text
from learnloop_tui.view.messages import LoggedMessage

_MOST_LOGGED = 200
_LONGEST = 240


class Notifications:
    """Shows messages and logs them."""

    def __init__(self, show: Callable[[str, str], None], now_ms: Callable[[], int]) -> None:
        """`show` puts words of a severity on the line of messages."""
        self._show = show
        self._now_ms = now_ms
        self.messages: deque[LoggedMessage] = deque(maxlen=_MOST_LOGGED)

    def notify(self, words: str, severity: str = "information") -> None:
        """Show a message; captured text in it is cleaned and never parsed."""
        shown = text.cut(words, _LONGEST)
        self.log(shown, severity)
        self._show(shown, severity)

    def notify_error(self, error: BaseException) -> None:
        if isinstance(error, LearnloopError):
            self.notify(f"{error.message}. {error.hint}" if error.hint else error.message, "error")
        else:
            self.notify(f"That failed: {type(error).__name__}: {error}", "error")

    def log(self, words: str, severity: str = "information") -> None:
        """Keep words that are shown elsewhere."""
        self.messages.append(LoggedMessage(self._now_ms(), severity, text.clean(words)))

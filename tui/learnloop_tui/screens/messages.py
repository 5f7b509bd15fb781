"""The messages of this console, newest first."""

from collections.abc import Sequence

from textual.binding import Binding

from learnloop_tui.dialogs.page_dialog import PageDialog
from learnloop_tui.view import messages
from learnloop_tui.view.messages import LoggedMessage


class MessagesScreen(PageDialog[None]):
    """Time, kind and words of the messages of this console."""

    BINDINGS = [Binding("exclamation_mark", "leave", "close")]  # noqa: RUF012  # as Textual declares it

    def __init__(self, logged: Sequence[LoggedMessage]) -> None:
        super().__init__("What was said", lambda width: messages.layout(logged, width))

"""The two lines at the foot of the screen: the last event, and the health of hooks and store."""

from textual.reactive import var

from learnloop_tui.view import bars, text
from learnloop_tui.view.state import Happening
from learnloop_tui.widgets.line_widgets import Bar


class LiveLine(Bar):
    """The last event that a hook wrote, and whether the store is followed."""

    latest: var[Happening | None] = var(None)
    following: var[bool] = var(False)

    def watch_latest(self) -> None:
        latest, following = self.latest, self.following
        self.show(lambda width: bars.live(latest, following, width))

    watch_following = watch_latest


class StatusLine(Bar):
    """One sentence on the health of hooks and store; a click opens health."""

    summary: var[tuple[str, bool]] = var(("", True))
    """The words, and whether all is well."""
    columns: var[int] = var(0)
    """As many as it may take; 0: all it needs."""

    def watch_summary(self) -> None:
        words, is_well = self.summary
        width = text.width(words) + 2
        self.styles.width = min(width, self.columns or width)
        self.show(lambda width: bars.status(words, is_well, width))

    watch_columns = watch_summary

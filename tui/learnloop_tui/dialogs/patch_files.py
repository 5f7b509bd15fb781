"""Chooses more files for a patch; a repository's agent files are only patched when ticked here by name."""

from collections.abc import Sequence

from textual.app import ComposeResult
from textual.binding import Binding
from textual.widgets import SelectionList
from textual.widgets.selection_list import Selection

from learnloop_tui.dialogs.dialog import Dialog, box
from learnloop_tui.view import text
from learnloop_tui.view.patch_state import Candidate


class FilesScreen(Dialog[tuple[str, ...]]):
    """Gives the paths that are ticked."""

    BINDINGS = [  # noqa: RUF012  # as Textual declares it
        Binding("enter,ctrl+s", "save", "done", priority=True),
        Binding("j", "down", "down", show=False),
        Binding("k", "up", "up", show=False),
    ]

    def __init__(self, candidates: Sequence[Candidate], ticked: Sequence[str]) -> None:
        super().__init__()
        self._files = [candidate for candidate in candidates if not candidate.refusal]
        self._ticked = set(ticked)

    def compose(self) -> ComposeResult:
        lines = [
            Selection(
                text.content(
                    f" {candidate.name} · {candidate.readers} · {candidate.scope} · {candidate.path}"
                ),
                at,
                candidate.path in self._ticked,
            )
            for at, candidate in enumerate(self._files)
        ]
        keys = "space ticks · enter is done · esc cancels"
        yield box(SelectionList[int](*lines, compact=True), title="More files for this patch", keys=keys)

    def action_down(self) -> None:
        self.query_one(SelectionList).action_cursor_down()

    def action_up(self) -> None:
        self.query_one(SelectionList).action_cursor_up()

    def action_save(self) -> None:
        self.dismiss(tuple(self._files[at].path for at in self.query_one(SelectionList).selected))

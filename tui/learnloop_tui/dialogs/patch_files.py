"""Chooses more files for a patch; a repository's agent files are only patched when ticked here by name."""

from collections.abc import Sequence

from textual.widgets.selection_list import Selection

from learnloop_tui.dialogs.tick_list import TickList
from learnloop_tui.view import text
from learnloop_tui.view.patch_state import Candidate


class FilesScreen(TickList):
    """Gives the paths that are ticked."""

    def __init__(self, candidates: Sequence[Candidate], ticked: Sequence[str]) -> None:
        lines = [
            Selection(
                text.content(
                    f" {candidate.name} · {candidate.readers} · {candidate.scope} · {candidate.path}"
                ),
                candidate.path,
                candidate.path in ticked,
            )
            for candidate in candidates
            if not candidate.refusal
        ]
        super().__init__("More files for this patch", lines)

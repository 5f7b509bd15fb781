"""Decides what becomes of a block that was edited by hand, or of a file that is gone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from learnloop_tui.dialogs.numbered_choice import NumberedChoice
from learnloop_tui.view import patch_lines

if TYPE_CHECKING:
    from learnloop.service.patches.file_jobs import PatchResult

EDITED = {
    "keep": "keep: the words stay as they are and are yours from now on",
    "remove": "remove: the block goes, with what was edited in it",
    "restore": "restore: the whole file from before comes back from the backup",
}
GONE = {
    "restore": "restore: the file comes back from the backup",
    "remove": "forget: the block counts as reverted",
}


class ConflictScreen(NumberedChoice):
    """Gives keep, remove or restore; files without a conflict are changed already."""

    ESC_LEAVES = "this file"

    def __init__(self, result: PatchResult) -> None:
        super().__init__("You decide", result.error, EDITED if result.sides else GONE)
        self.shown.display = bool(result.sides)
        self.shown.show(lambda width: list(patch_lines.three_sides(result.sides or {}, width)))

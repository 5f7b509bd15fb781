"""Decides which file gets the line that makes agents read a file of facts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import on
from textual.widgets import OptionList

from learnloop_tui.dialogs.numbered_choice import NumberedChoice
from learnloop_tui.view import patch_lines

if TYPE_CHECKING:
    from collections.abc import Sequence

    from learnloop.service.patches.preview import FilePreview

NOWHERE = {"none": "none: no file is changed; you see to it yourself"}


class ImportScreen(NumberedChoice):
    """Gives the path of a file, or `none`; the page shows the diff of the one under the cursor."""

    def __init__(self, path: str, previews: Sequence[FilePreview]) -> None:
        self._preview_by_path = {preview.path: preview for preview in previews}
        why = f"No agent reads {path} yet. One line makes them read it; it may go into:"
        super().__init__("Who reads it", why, {path: path for path in self._preview_by_path} | NOWHERE)

    @on(OptionList.OptionHighlighted)
    def _show(self, event: OptionList.OptionHighlighted) -> None:
        preview = self._preview_by_path.get(event.option.id or "")
        self.shown.show(lambda width: list(patch_lines.diff(preview, width)) if preview else [])

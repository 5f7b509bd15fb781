"""Patches in export and import, and when a project is forgotten."""

import contextlib
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from learnloop.errors import Refused
from learnloop.models import ids
from learnloop.models.patch import Patch
from learnloop.patch import blocks, prompt_files
from learnloop.service import event_log, workspace
from learnloop.service.patches import board, commit
from learnloop.service.workspace import Workspace

if TYPE_CHECKING:
    from learnloop.service.transfer.scrubber import Scrubber

TABLE = "patches"
_REASON = "It was imported; nobody has approved it here"
_CONFIDENCE = 0.5


def enter(ws: Workspace, patches: Iterable[Patch], own: Iterable[str]) -> int:
    """Store patches that are not here yet; returns how many.

    Those with an id in `own`, which this store exported and nobody changed, come back unchanged. All others
    become proposals without files: nobody has approved them here.
    """
    stored, trusted = set(board.stored_patches(ws.root)), set(own)
    new = {}
    for patch in patches:
        entering = patch if patch.id in trusted else _as_proposal(ws, patch)
        if entering is not None and entering.id not in stored:
            new[entering.id] = entering
    if new:
        docs = [commit.without_quotes(patch) for patch in new.values()]
        event_log.decide(ws, "patch", [], {"did": "import", "patches": docs})
    return len(new)


def _as_proposal(ws: Workspace, patch: Patch) -> Patch | None:
    """A foreign patch, cleaned and redacted; None where its block is empty or unsafe."""
    cleaned = workspace.redacted(ws, patch.as_json())
    cleaned |= {"state": "proposed", "targets": [], "quotes": [], "reason_dismissed": "", "source": "import"}
    cleaned |= {"trust": "external", "reason": _REASON, "evidence": [], "evidence_count": 1, "edited": False}
    cleaned |= {"id": ids.draft_id(patch.id, "import"), "confidence": min(patch.confidence, _CONFIDENCE)}
    with contextlib.suppress(Refused):
        return Patch.model_validate({**cleaned, "block": blocks.safe_body(str(cleaned["block"]))})
    return None


def scrubbed(doc: dict[str, Any], scrubber: "Scrubber") -> dict[str, Any] | None:
    """A patch without the files of a forgotten project; None for one that was made for it."""
    targets = [
        target for target in doc.get("targets", ()) if not scrubber.is_named_in(str(target.get("path", "")))
    ]
    left = scrubber.scrub({**doc, "targets": targets})
    return None if left is None else {**left, "quotes": []}


def scrub_files(root: str, scrubber: "Scrubber") -> int:
    """Remove notes of previews, and backups of a project's files; returns how many backups."""
    Path(root, "patching", "previewed").unlink(missing_ok=True)
    notes = prompt_files.backup_notes(root)
    gone = {str(note["sha256"]) for note in notes if scrubber.is_named_in(str(note.get("path", "")))}
    prompt_files.remove_backups(root, gone)
    return len(gone)

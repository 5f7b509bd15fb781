"""Patches in an export, taken in from one, and forgotten with a project."""

import contextlib
import re
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from learnloop.errors import Refused
from learnloop.models import ids
from learnloop.models.patch import Patch
from learnloop.patch import blocks, files
from learnloop.service import event_log, redaction
from learnloop.service.patches import board, commit

if TYPE_CHECKING:
    from learnloop.service.transfer.scrubber import Scrubber
    from learnloop.service.workspace import Workspace
    from learnloop.store.transaction import Table

TABLE = "patches"
_ID = re.compile(r"[a-z2-7]{4,26}")


def exported(ws: "Workspace") -> list[dict[str, Any]]:
    """The patches that anything was decided about, as they stand."""
    return [patch.as_json() for patch in board.stored(ws.root).values()]


def enter(ws: "Workspace", found: Iterable[Patch], own: Iterable[str]) -> int:
    """Take patches in that are not here; how many.

    Those in `own`, which this store exported and nobody changed, come back as they were. All others are
    proposals without files: nobody has approved them here.
    """
    known, trusted = set(board.stored(ws.root)), set(own)
    new = {}
    for patch in found:
        entering = patch if patch.id in trusted else _as_proposal(patch)
        if entering is not None and entering.id not in known:
            new[entering.id] = entering
    if new:
        docs = [commit.without_quotes(patch) for patch in new.values()]
        event_log.decide(ws, "patch", [], {"did": "import", "patches": docs})
    return len(new)


def _as_proposal(patch: Patch) -> Patch | None:
    """A foreign patch, cleaned and redacted; None where its block says nothing."""
    cleaned = redaction.redacted(patch.as_json())
    cleaned |= {"state": "proposed", "targets": [], "quotes": [], "reason_dismissed": "", "source": "import"}
    if not _ID.fullmatch(patch.id):
        cleaned["id"] = ids.draft_id(patch.id, "patch")
    with contextlib.suppress(Refused):
        return Patch.model_validate({**cleaned, "block": blocks.safe_body(str(cleaned["block"]))})
    return None


def scrub(table: "Table", scrubber: "Scrubber") -> None:
    """Take a project out of the stored patches: those made for it, and its files out of the others."""
    for key, doc in table.all().items():
        targets = [
            one for one in doc.get("targets", ()) if not scrubber.is_named_in(str(one.get("path", "")))
        ]
        kept = scrubber.scrub({**doc, "targets": targets})
        if kept is None:
            table.remove(key)
        else:
            table.put(key, {**kept, "quotes": []})


def scrub_files(root: str, scrubber: "Scrubber") -> int:
    """Remove what was remembered of previews, and the backups of a project's files; how many."""
    Path(root, "patching", "previewed").unlink(missing_ok=True)
    notes = files.backup_notes(root)
    gone = {str(note["sha256"]) for note in notes if scrubber.is_named_in(str(note.get("path", "")))}
    files.remove_backups(root, gone)
    return len(gone)

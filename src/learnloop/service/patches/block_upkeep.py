"""Upkeep of patches: unfinished commits, blocks changed by hand, old backups."""

from typing import TYPE_CHECKING

from learnloop.models.base import Document
from learnloop.patch import files
from learnloop.service.patches import board, recovery
from learnloop.service.patches.board import Board
from learnloop.service.patches.preview import statuses
from learnloop.store import files as store_files
from learnloop.wire import clock

if TYPE_CHECKING:
    from learnloop.service.workspace import Workspace


class GcReport(Document):
    """The backups that were removed, or would be."""

    removed: int = 0
    bytes: int = 0
    kept: int = 0
    dry_run: bool = False


def recover(ws: "Workspace") -> list[str]:
    """Finish commits that were cut off; returns a line for each."""
    if not files.open_logs(ws.root):
        return []
    with files.held(ws.root):
        return recovery.recover(ws)


def unfinished_count(ws: "Workspace") -> int:
    """The number of commits that were cut off and are not recorded yet."""
    return len(files.open_logs(ws.root))


def applied_count(ws: "Workspace") -> int:
    """The number of blocks in prompt files."""
    patches = board.stored_patches(ws.root).values()
    return sum(target.state == "applied" for patch in patches for target in patch.targets)


def modified_blocks(ws: "Workspace") -> list[str]:
    """A line for each file that is gone, or whose block was edited or removed by hand."""
    if not any(patch.state == "active" for patch in board.stored_patches(ws.root).values()):
        return []
    now = Board(ws)
    return [
        f"{status.path}: {_MODIFIED[status.standing]} (patch {patch.id[:6]})"
        for patch in now.patches
        if patch.state == "active"
        for status in statuses(now, patch)
        if status.standing in _MODIFIED
    ]


_MODIFIED = {
    "conflict": "its block was edited by hand", "removed": "its block was taken out by hand",
    "missing": "the file is gone",
}  # fmt: skip


def gc(ws: "Workspace", *, dry_run: bool = False) -> GcReport:
    """Remove backups older than the setting `backup_days`, never the last one of an applied patch."""
    with files.held(ws.root):
        needed = {
            target.backup
            for patch in Board(ws).patches
            for target in patch.targets
            if target.state in ("applied", "conflict", "missing")
        }
        oldest = clock.iso(clock.now_ms() - ws.settings.backup_days * 86_400_000)
        last_used: dict[str, str] = {}
        for note in files.backup_notes(ws.root):
            digest = str(note["sha256"])
            last_used[digest] = max(last_used.get(digest, ""), str(note.get("at", "")))
        present = [path for path in store_files.listing(files.backups(ws.root), "") if len(path.name) == 64]
        gone = [path for path in present if path.name not in needed and last_used.get(path.name, "") < oldest]
        freed = sum(path.stat().st_size for path in gone)
        if not dry_run:
            files.remove_backups(ws.root, [path.name for path in gone])
    return GcReport(removed=len(gone), bytes=freed, kept=len(present) - len(gone), dry_run=dry_run)

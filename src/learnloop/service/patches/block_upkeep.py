"""Looking after patches: commits that were cut off, blocks that went astray, old backups."""

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
    """What was cleared away, or would be."""

    removed: int = 0
    bytes: int = 0
    kept: int = 0
    dry_run: bool = False


def recover(ws: "Workspace") -> list[str]:
    """Finish what was cut off; a line for each."""
    if not files.open_logs(ws.root):
        return []
    with files.held(ws.root):
        return recovery.recover(ws)


def unfinished(ws: "Workspace") -> int:
    """How many commits were cut off and are not recorded yet."""
    return len(files.open_logs(ws.root))


def applied(ws: "Workspace") -> int:
    """How many blocks stand in prompt files."""
    return sum(one.state == "applied" for patch in board.stored(ws.root).values() for one in patch.targets)


def astray(ws: "Workspace") -> list[str]:
    """Files that are gone, or whose block was edited or removed by hand; a line each."""
    if not any(patch.state == "active" for patch in board.stored(ws.root).values()):
        return []
    now, found = Board(ws), []
    for patch in now.patches:
        for one in statuses(now, patch) if patch.state == "active" else ():
            if one.standing in _ASTRAY:
                found.append(f"{one.path}: {_ASTRAY[one.standing]} (patch {patch.id[:6]})")
    return found


_ASTRAY = {
    "conflict": "its block was edited by hand", "removed": "its block was taken out by hand",
    "missing": "the file is gone",
}  # fmt: skip


def gc(ws: "Workspace", *, dry_run: bool = False) -> GcReport:
    """Remove backups that are older than the settings say, never the last one of an applied patch."""
    with files.held(ws.root):
        needed = {
            target.backup
            for patch in Board(ws).patches
            for target in patch.targets
            if target.state in ("applied", "conflict", "missing")
        }
        oldest = clock.iso(clock.now_ms() - ws.settings.backup_days * 86_400_000)
        used: dict[str, str] = {}
        for note in files.backup_notes(ws.root):
            digest = str(note["sha256"])
            used[digest] = max(used.get(digest, ""), str(note.get("at", "")))
        present = [path for path in store_files.listing(files.backups(ws.root), "") if len(path.name) == 64]
        gone = [one for one in present if one.name not in needed and used.get(one.name, "") < oldest]
        freed = sum(one.stat().st_size for one in gone)
        if not dry_run:
            files.remove_backups(ws.root, [one.name for one in gone])
    return GcReport(removed=len(gone), bytes=freed, kept=len(present) - len(gone), dry_run=dry_run)

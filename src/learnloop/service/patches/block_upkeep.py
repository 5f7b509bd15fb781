"""Upkeep of patches: unfinished commits, blocks changed by hand, old backups, items whose fact is over."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from learnloop.errors import LearnloopError
from learnloop.learn.lessons import scorer
from learnloop.models.base import Document
from learnloop.models.patch import Patch
from learnloop.patch import blocks, plain_bullets, prompt_files
from learnloop.service import event_log
from learnloop.service.id_prefix import shown
from learnloop.service.lessons import documents
from learnloop.service.patches import fact_imports
from learnloop.service.patches.board import Board, stored_patches
from learnloop.service.patches.commit import record
from learnloop.service.patches.file_jobs import PatchResult
from learnloop.service.patches.preview import statuses
from learnloop.service.workspace import Workspace
from learnloop.store import files as store_files
from learnloop.wire import clock


class GcReport(Document):
    """The backups that were removed, or would be."""

    removed: int = 0
    bytes: int = 0
    kept: int = 0
    dry_run: bool = False


def recover(ws: Workspace) -> list[str]:
    """Finish commits that were cut off; returns a line for each."""
    if not prompt_files.open_logs(ws.root):
        return []
    with prompt_files.held(ws.root):
        return finish_commits(ws)


def finish_commits(ws: Workspace) -> list[str]:
    """Record what commits did that were cut off, from the logs they left; returns a line for each.

    The caller holds `files.held`. Raises Refused where no decision can be written, and as `event_log.settle`.
    """
    report, logs = [], prompt_files.open_logs(ws.root)
    for path in logs:
        log = prompt_files.read_log(path)
        is_log = log is not None and all(isinstance(log.get(name), kind) for name, kind in _FIELDS.items())
        report.append(_recovered(ws, path, log) if log is not None and is_log else f"{path.name}: unreadable")
    if report:
        event_log.settle(ws)
    for path in logs:
        prompt_files.close(path)
    return report


_FIELDS = {
    "did": str, "by": str, "action": str, "extra": dict, "event": str, "patches": list, "results": list,
    "files": list,
}  # fmt: skip


def _recovered(ws: Workspace, path: Path, log: dict[str, Any]) -> str:
    is_recorded = any(decision.id == log["event"] for decision in documents.decisions(ws.root))
    if not is_recorded and log.get("lessons") and _is_half(log) and prompt_files.roll_back(ws.root, path):
        return f"{log['did']} was cut off: its files are as they were"
    entries = {entry["path"]: entry for entry in log["files"]}
    states = {path: prompt_files.state_of(entry) for path, entry in entries.items()}
    plain = {doc["id"]: Patch.model_validate(doc) for doc in log["patches"] if doc.get("source") == "facts"}
    results = []
    for doc in log["results"]:
        result = PatchResult.model_validate(doc)
        entry = entries.get(result.path)
        if entry is None or not result.ok:
            continue
        state = states[result.path]
        if state == "new" or (state == "other" and _is_done(result, entry["real"], plain.get(result.patch))):
            results.append(result.with_(sha256_after=entry["after"], backup=entry["backup"]))
    reals = {path: (entry["real"], int(entry["mode"])) for path, entry in entries.items()}
    if not is_recorded:
        record(ws, log, results, reals)
    written = sum(state == "new" for state in states.values())
    return f"{log['did']} was cut off: {written} of {len(states)} files are written"


def _is_half(log: dict[str, Any]) -> bool:
    return {prompt_files.state_of(entry) for entry in log["files"]} == {"old", "new"}


def _is_done(result: PatchResult, real: str, plain: Patch | None) -> bool:
    """Whether a file that was edited meanwhile has the words, or no longer has them, as it was asked for."""
    try:
        text = prompt_files.read(real).text
    except LearnloopError:
        return False
    if plain is not None:
        is_there = plain_bullets.holds(text, plain.block, result.heading)
    else:
        is_there = any(block.id == result.patch for block in blocks.blocks(text))
    return is_there == (result.did in ("applied", "updated"))


def unfinished_count(ws: Workspace) -> int:
    """The number of commits that were cut off and are not recorded yet."""
    return len(prompt_files.open_logs(ws.root))


def applied_count(ws: Workspace) -> int:
    """The number of blocks in prompt files."""
    patches = stored_patches(ws.root).values()
    return sum(target.state == "applied" for patch in patches for target in patch.targets)


def files_with_blocks(ws: Workspace) -> list[str]:
    """The prompt files that have a block of ours."""
    targets = (target for patch in stored_patches(ws.root).values() for target in patch.targets)
    return sorted({target.path for target in targets if target.is_applied})


def modified_blocks(ws: Workspace) -> list[str]:
    """A line for each file that is gone, or whose block was edited or removed by hand."""
    if not any(patch.state == "active" for patch in stored_patches(ws.root).values()):
        return []
    now = Board(ws)
    return [
        f"{status.path}: {_MODIFIED[status.standing]} (patch {shown(patch.id)})"
        for patch in now.patches
        if patch.state == "active"
        for status in statuses(now, patch)
        if status.standing in _MODIFIED
    ]


def unread_facts(ws: Workspace) -> list[str]:
    """The files with facts that no agent reads, because a file or the client changed since."""
    if not any(patch.state == "active" for patch in stored_patches(ws.root).values()):
        return []
    return fact_imports.unread(Board(ws))


_MODIFIED = {
    "conflict": "its block was edited by hand", "removed": "its block was taken out by hand",
    "missing": "the file is gone",
}  # fmt: skip


def gc(ws: Workspace, *, dry_run: bool = False) -> GcReport:
    """Remove backups older than the setting `backup_days`, never the last one of an applied patch."""
    with prompt_files.held(ws.root):
        needed = {
            target.backup for patch in Board(ws).patches for target in patch.targets if target.is_applied
        }
        oldest = clock.iso(clock.now_ms() - ws.settings.backup_days * 86_400_000)
        last_used: dict[str, str] = {}
        for note in prompt_files.backup_notes(ws.root):
            digest = str(note["sha256"])
            last_used[digest] = max(last_used.get(digest, ""), str(note.get("at", "")))
        present = [
            path for path in store_files.listing(prompt_files.backups(ws.root), "") if len(path.name) == 64
        ]
        gone = [path for path in present if path.name not in needed and last_used.get(path.name, "") < oldest]
        freed = sum(path.stat().st_size for path in gone)
        if not dry_run:
            prompt_files.remove_backups(ws.root, [path.name for path in gone])
    return GcReport(removed=len(gone), bytes=freed, kept=len(present) - len(gone), dry_run=dry_run)


_OUT_OF_USE = {"archived": "its lesson is archived", "rejected": "its lesson is rejected"}


class StaleItem(Document):
    """A list item that is proposed for removal; `learn patches revert` with its patch removes it."""

    patch_id: str
    short: str
    path: str
    item: str
    why: str


def stale_items(ws: Workspace, now_ms: int | None = None) -> list[StaleItem]:
    """The items in files of facts that are unused, expired, archived or gone."""
    applied = [
        (patch, target.path)
        for patch in stored_patches(ws.root).values()
        if patch.is_item
        for target in patch.targets
        if target.is_applied
    ]
    now, docs = clock.now_ms() if now_ms is None else now_ms, documents.lessons(ws.root) if applied else {}
    return [
        StaleItem(patch_id=patch.id, short=shown(patch.id), path=path, item=patch.block, why=why)
        for patch, path in applied
        if (why := _why(docs.get(patch.source_id), now))
    ]


def _why(lesson: Mapping[str, Any] | None, now_ms: int) -> str:
    """Why an item is out of date, by its lesson; empty where it is not."""
    if lesson is None:
        return "its lesson is gone"
    expires = clock.parse_ms(lesson.get("expires_at"))
    if expires and expires <= now_ms:
        return f"it held until {str(lesson['expires_at'])[:10]}"
    if scorer.proposal(lesson, now_ms) == "unused":
        keep = f"learn edit --keep {shown(str(lesson['id']))} keeps it"
        return f"nothing came of it for {scorer.UNUSED_DAYS} days ({keep})"
    return _OUT_OF_USE.get(str(lesson.get("status")), "")

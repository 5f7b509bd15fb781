"""Prompt patches: the list, previews, applying and reverting. `proposals` decides what changes no file."""

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from learnloop.errors import Refused
from learnloop.hosts.agent_files import AgentFile
from learnloop.models.patch import Patch
from learnloop.patch import blocks, files, steps
from learnloop.service.patches import file_jobs, previewed_hashes, recovery
from learnloop.service.patches.block_upkeep import (
    GcReport,
    applied_count,
    gc,
    modified_blocks,
    recover,
    unfinished_count,
)
from learnloop.service.patches.board import Board
from learnloop.service.patches.commit import Report, commit
from learnloop.service.patches.file_jobs import Job, PatchResult
from learnloop.service.patches.patch_history import history
from learnloop.service.patches.preview import FilePreview, TargetStatus, preview_of, statuses
from learnloop.service.review import agent_guard

if TYPE_CHECKING:
    from learnloop.service.workspace import Workspace

__all__ = [
    "Board", "FilePreview", "GcReport", "PatchResult", "Report", "TargetStatus", "applied_count", "apply",
    "board", "find", "gc", "history", "listing", "modified_blocks", "preview", "preview_on", "recover",
    "revert", "statuses", "targets", "unfinished_count", "watched_folders",
]  # fmt: skip

STATES = ("proposed", "dismissed", "active")


def board(ws: "Workspace", projects: Sequence[str] = ()) -> Board:
    """All patches and prompt files as they are now."""
    return Board(ws, projects)


def listing(ws: "Workspace", status: str | None = None, projects: Sequence[str] = ()) -> list[Patch]:
    """The patches in a state, or all of them, the most confident first."""
    return [patch for patch in Board(ws, projects).patches if status in (None, patch.state)]


def find(ws: "Workspace", patch_id: str, projects: Sequence[str] = ()) -> Patch:
    """The patch of an id or of a unique beginning of one; raises NotFound or Ambiguous."""
    return Board(ws, projects).find(patch_id)


def targets(ws: "Workspace", projects: Sequence[str] = ()) -> list[AgentFile]:
    """Every prompt file that was found, with the blocks of ours in it."""
    return Board(ws, projects).files


def watched_folders(now: Board) -> list[str]:
    """The folders whose files are prompt files, for a live view; each by itself, without those below."""
    folders = {os.path.dirname(file.real) for file in now.files}  # noqa: PTH120
    return sorted(folder for folder in folders if Path(folder).is_dir())


# Looking


def preview(
    ws: "Workspace",
    ids: Sequence[str],
    paths: Sequence[str] | None = None,
    projects: Sequence[str] = (),
    *,
    reverting: bool = False,
    resolution: steps.Resolution = "",
) -> list[FilePreview]:
    """Preview applying or reverting in each file; the hashes are stored, so a later change is noticed."""
    now = Board(ws, projects)
    chosen = [now.find(patch_id) for patch_id in ids]
    previews = preview_on(now, chosen, paths, reverting=reverting, resolution=resolution)
    if not reverting:
        previewed_hashes.remember(ws.root, chosen, previews)
    return previews


def preview_on(
    now: Board,
    chosen: Sequence[Patch],
    paths: Sequence[str] | None = None,
    *,
    reverting: bool = False,
    resolution: steps.Resolution = "",
) -> list[FilePreview]:
    """The same on a board that was read already; not remembered."""
    return [preview_of(job) for job in _jobs(now, chosen, paths, reverting=reverting, resolution=resolution)]


def _jobs(
    now: Board,
    chosen: Sequence[Patch],
    paths: Sequence[str] | None,
    *,
    reverting: bool,
    resolution: steps.Resolution = "",
    expected: Mapping[str, str] | None = None,
) -> list[Job]:
    named = None if paths is None else [_named(now, path) for path in paths]
    if reverting:
        jobs = _revert_jobs(now, chosen, named)
        for job in jobs:
            file_jobs.work_out_revert(now, job, resolution)
        return jobs
    jobs = file_jobs.apply_jobs(chosen, named)
    for job in jobs:
        file_jobs.work_out_apply(now, job, (expected or {}).get(job.path, ""))
    return jobs


def _revert_jobs(now: Board, chosen: Sequence[Patch], named: Sequence[str] | None) -> list[Job]:
    """Jobs for the files with the blocks, and for named files where a block was moved to."""
    jobs = file_jobs.revert_jobs(chosen, named)
    covered = {job.path for job in jobs}
    for path in named or ():
        if path in covered:
            continue
        in_file = {block.id for block in blocks.blocks(_text_of(now, path))}
        moved = [patch for patch in chosen if patch.id in in_file]
        if not moved:
            raise Refused(f"{path} holds no block of these patches", "learn patches targets lists what does")
        jobs.append(Job(path, moved))
    return jobs


def _text_of(now: Board, path: str) -> str:
    file = now.by_path.get(path)
    return file.text if file is not None else files.read(path).text


def _named(now: Board, path: str) -> str:
    """A file that a person names, as the board knows it; one that it does not know stays as it is written."""
    full = os.path.abspath(os.path.expanduser(path))  # noqa: PTH100, PTH111  links are to stay
    if full in now.by_path:
        return full
    real = os.path.realpath(full)
    return next((file.path for file in now.files if file.real == real and not file.refusal), full)


# Doing


def apply(
    ws: "Workspace",
    ids: Sequence[str],
    paths: Sequence[str] | None = None,
    projects: Sequence[str] = (),
    *,
    expected: Mapping[str, str] | None = None,
    dry_run: bool = False,
) -> Report:
    """Put blocks into their files. Each file succeeds or is reported by itself, never half of one.

    `expected` are the hashes of what was previewed; without them those of the last preview count. Raises
    NotFound, Ambiguous, Busy, or Refused where nothing of it is done or the decision cannot be written.
    """
    if dry_run:
        now = Board(ws, projects)
        chosen = _appliable(now, ids)
        return _as_if(_jobs(now, chosen, paths, reverting=False), "would apply")
    agent_guard.check(ws, "patches", ids)
    with files.held(ws.root):
        recovery.recover(ws)
        now = Board(ws, projects)
        chosen = _appliable(now, ids)
        hashes = previewed_hashes.expected(ws.root, chosen) if expected is None else expected
        jobs = _jobs(now, chosen, paths, reverting=False, expected=hashes)
        report, _ = commit(ws, jobs, "apply")
        previewed_hashes.update(ws.root, report)
    return report


def _appliable(now: Board, ids: Sequence[str]) -> list[Patch]:
    chosen = now.find_all(ids)
    for patch in chosen:
        if patch.state == "dismissed":
            raise Refused(f"{patch.id[:6]} is dismissed", "bring it back first: learn patches restore")
    return chosen


def revert(
    ws: "Workspace",
    ids: Sequence[str],
    paths: Sequence[str] | None = None,
    projects: Sequence[str] = (),
    *,
    resolution: steps.Resolution = "",
    dry_run: bool = False,
) -> Report:
    """Take exactly our blocks out again; one that was edited by hand is a conflict until it is decided.

    `resolution`: keep (the words become the person's own), remove, or restore (the whole backup). Raises
    NotFound, Ambiguous, Busy, or Refused where nothing of it is done or the decision cannot be written.
    """
    if dry_run:
        now = Board(ws, projects)
        jobs = _jobs(now, now.find_all(ids), paths, reverting=True, resolution=resolution)
        return _as_if(jobs, "would revert")
    agent_guard.check(ws, "patches", ids)
    with files.held(ws.root):
        recovery.recover(ws)
        now = Board(ws, projects)
        jobs = _jobs(now, now.find_all(ids), paths, reverting=True, resolution=resolution)
        if not jobs:
            raise Refused("none of these is in a file", "learn patches --status active lists those that do")
        report, _ = commit(ws, jobs, "revert", {"resolution": resolution} if resolution else None)
        previewed_hashes.update(ws.root, report)
    return report


def _as_if(jobs: Iterable[Job], did: str) -> Report:
    return Report(
        results=tuple(
            result.with_(did=did) if result.ok and result.did != "unchanged" else result
            for job in jobs
            for result in job.results.values()
        )
    )

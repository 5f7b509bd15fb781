"""Work out the new text of each prompt file; nothing is written."""

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from learnloop.errors import LearnloopError, NotFound, Refused
from learnloop.hosts import agent_files
from learnloop.models.base import Document
from learnloop.models.patch import Patch, PatchTarget
from learnloop.patch import blocks, files, steps

if TYPE_CHECKING:
    from learnloop.service.patches.board import Board

WRITTEN = ("applied", "updated", "reverted")
"""The values of `PatchResult.did` where the file was changed."""
_APPLIED_STATES = ("applied", "conflict", "missing")


class PatchResult(Document):
    """The outcome of one patch in one file."""

    patch: str
    path: str
    did: str
    """applied, updated, unchanged, reverted, conflict, missing, refused, or would apply, would revert."""
    error: str = ""
    hint: str = ""
    sha256_before: str = ""
    sha256_after: str = ""
    backup: str = ""
    sides: dict[str, str] | None = None
    """Of a conflict: before, ours, now."""

    @property
    def ok(self) -> bool:
        """Whether the file is as it was asked for."""
        return self.did in ("applied", "updated", "unchanged", "reverted", "would apply", "would revert")


@dataclass
class Job:
    """One file, the patches to apply or revert in it, and their results."""

    path: str
    patches: list[Patch]
    opened: files.PromptFile | None = None
    after: str = ""
    creates: bool = False
    results: dict[str, PatchResult] = field(default_factory=dict)


def target_of(patch: Patch, path: str) -> PatchTarget:
    """The target of a patch at a path, a new one where it has none."""
    return next((target for target in patch.targets if target.path == path), PatchTarget(path=path))


def open_target(board: "Board", path: str, target: PatchTarget | None = None) -> files.PromptFile:
    """Read a target that may be patched; raises NotFound where it is gone, Refused where it may not be."""
    file = board.by_path.get(path)
    if file is None and target is not None and target.real and os.path.realpath(path) != target.real:
        raise Refused(
            f"{path} leads elsewhere than when it was patched", "name the file that is meant with --file"
        )
    if file is not None and file.name and file.kind == "agent":
        agent_files.check_name(file.name)
    if file is not None:
        return files.read(path, agent_files.folders_of(file, board.home))
    return files.read(path, [board.home] if board.home else None)


# Applying


def apply_jobs(patches: Sequence[Patch], paths: Sequence[str] | None) -> list[Job]:
    """A job for each file that the patches go into: their targets, or the paths that are given."""
    by_path: dict[str, list[Patch]] = {}
    for patch in patches:
        patch_paths = [target.path for target in patch.targets] if paths is None else paths
        for path in dict.fromkeys(patch_paths):
            by_path.setdefault(path, []).append(patch)
    return [Job(path, in_file) for path, in_file in by_path.items()]


def work_out_apply(board: "Board", job: Job, expected: str = "") -> None:
    """Fill the job with the file's text after applying; `expected` is the hash of the file as previewed."""
    if not _open(board, job):
        return
    opened = job.opened
    assert opened is not None
    if expected and expected != opened.sha256:
        why = f"{job.path} changed since it was previewed"
        _refuse(job, Refused(why, "look at it again: learn patches preview"))
        return
    if not _check_writable(job, opened):
        return
    job.after, step_by_patch = steps.apply_all(job.after, job.patches, board.rank)
    for patch in job.patches:
        step = step_by_patch[patch.id]
        if step.did is None:
            error = step.refusal or Refused("it cannot be patched")
            job.results[patch.id] = _result(patch, job, "refused", f"{job.path}: {error.message}", error.hint)
        else:
            job.results[patch.id] = _result(patch, job, step.did)


def _open(board: "Board", job: Job) -> bool:
    try:
        job.opened = open_target(board, job.path, target_of(job.patches[0], job.path))
    except LearnloopError as error:
        _refuse(job, error)
        return False
    job.after = job.opened.text
    return True


def _check_writable(job: Job, opened: files.PromptFile) -> bool:
    if files.writable(opened.real):
        return True
    _refuse(job, Refused(f"{job.path} cannot be written", "check the permissions of file and folder"))
    return False


# Reverting


def revert_jobs(patches: Sequence[Patch], paths: Sequence[str] | None) -> list[Job]:
    """A job for each file that has blocks of the patches; of the given paths only, where there are any."""
    by_path: dict[str, list[Patch]] = {}
    for patch in patches:
        for target in patch.targets:
            if target.state in _APPLIED_STATES and (paths is None or target.path in paths):
                by_path.setdefault(target.path, []).append(patch)
    return [Job(path, in_file) for path, in_file in by_path.items()]


def work_out_revert(board: "Board", job: Job, resolution: steps.Resolution) -> None:
    """Fill the job with the file's text without the blocks."""
    try:
        job.opened = open_target(board, job.path, target_of(job.patches[0], job.path))
    except NotFound as error:
        _work_out_missing(board, job, resolution, error)
        return
    except LearnloopError as error:
        _refuse(job, error)
        return
    job.after = job.opened.text
    if not _check_writable(job, job.opened):
        return
    unedited = _unedited(job, resolution)
    job.after = blocks.remove(job.after, *unedited) if unedited else job.after
    for patch in job.patches:
        job.results[patch.id] = (
            _result(patch, job, "reverted")
            if patch.id in unedited
            else _revert_edited(board, job, patch, resolution)
        )


def _unedited(job: Job, resolution: steps.Resolution) -> frozenset[str]:
    """The patches whose blocks are as they were written, or not in the file: they are removed together."""
    if resolution in ("keep", "restore"):
        return frozenset()
    return frozenset(patch.id for patch in job.patches) - steps.edited(job.after)


def _revert_edited(board: "Board", job: Job, patch: Patch, resolution: steps.Resolution) -> PatchResult:
    target = target_of(patch, job.path)
    data = files.backup(board.ws.root, target.backup)
    before = data.decode("utf-8", "replace") if data is not None else None
    try:
        job.after = steps.revert(
            job.path, job.after, patch.id, target.block or patch.block, before, resolution
        )
    except steps.Conflict as conflict:
        sides = {name: getattr(conflict.sides, name) for name in ("before", "ours", "now")}
        return _result(patch, job, "conflict", conflict.message, conflict.hint, sides=sides)
    except Refused as error:
        return _result(patch, job, "refused", error.message, error.hint)
    return _result(patch, job, "reverted")


def _work_out_missing(board: "Board", job: Job, resolution: steps.Resolution, error: LearnloopError) -> None:
    """A file that is gone: restored from the backup or forgotten, where the person says so; else reported."""
    for patch in job.patches:
        target = target_of(patch, job.path)
        data = files.backup(board.ws.root, target.backup) if resolution == "restore" else None
        if data is not None:
            real = target.real or job.path
            job.creates, job.after = True, data.decode("utf-8")
            job.opened = files.PromptFile(
                job.path, real, b"", target.mode or 0o644, os.geteuid(), os.getegid()
            )
        if data is not None or resolution == "remove":
            job.results[patch.id] = _result(patch, job, "reverted")
        else:
            job.results[patch.id] = _missing(board, job, patch, error)


def _missing(board: "Board", job: Job, patch: Patch, error: LearnloopError) -> PatchResult:
    moved = [file.path for file in board.files if any(block.id == patch.id for block in file.blocks)]
    if not moved:
        hint = "--restore brings the backup back, --remove forgets the block"
        return _result(patch, job, "missing", error.message, hint)
    hint = f"--file {moved[0]} takes it out there, --remove forgets the block"
    return _result(patch, job, "missing", f"{job.path} is gone; its block is in {moved[0]} now", hint)


def _refuse(job: Job, error: LearnloopError) -> None:
    did = "missing" if isinstance(error, NotFound) else "refused"
    for patch in job.patches:
        job.results[patch.id] = _result(patch, job, did, error.message, error.hint)


def _result(
    patch: Patch,
    job: Job,
    did: str,
    error: str = "",
    hint: str = "",
    sides: dict[str, str] | None = None,
) -> PatchResult:
    before = job.opened.sha256 if job.opened is not None and not job.creates else ""
    return PatchResult(
        patch=patch.id, path=job.path, did=did, error=error, hint=hint, sha256_before=before, sides=sides
    )

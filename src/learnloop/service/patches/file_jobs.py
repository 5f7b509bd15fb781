"""Work out the new text of each prompt file; nothing is written but a file that a project lacks."""

import os
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from shlex import quote
from typing import Any

from learnloop.errors import LearnloopError, NotFound, Refused
from learnloop.hosts import agent_files
from learnloop.ingest import instruction_files
from learnloop.models.base import Document
from learnloop.models.patch import Patch, PatchTarget
from learnloop.patch import blocks, plain_bullets, prompt_files, steps
from learnloop.service.patches.board import Board
from learnloop.service.workspace import Workspace
from learnloop.store import foreign

WRITTEN = ("applied", "updated", "reverted")
"""The values of `PatchResult.did` where the file was changed."""
ABSENT = "absent"
"""In place of the hash of a file that was not there when it was previewed."""


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
    heading: str = ""
    """Of plain lines: the heading that they stand under."""
    frame: tuple[str, ...] = ()
    """Of plain lines: the headings that came with them, and "" where the file itself did."""

    @property
    def ok(self) -> bool:
        """Whether the file is as it was asked for."""
        return self.did in ("applied", "updated", "unchanged", "reverted", "would apply", "would revert")


@dataclass
class Job:
    """One file, the patches to apply or revert in it, and their results."""

    path: str
    patches: list[Patch]
    opened: prompt_files.PromptFile | None = None
    after: str = ""
    creates: bool = False
    removes: bool = False
    """Whether the file came with the lines that go, and holds nothing else."""
    results: dict[str, PatchResult] = field(default_factory=dict)

    @property
    def before(self) -> prompt_files.PromptFile | None:
        """The file as it is; None where there is none yet."""
        return None if self.creates else self.opened


def jobs_by_file(blocks_in_files: Iterable[tuple[str, Patch]]) -> list[Job]:
    """A job for each file, with its patches."""
    job_by_path: dict[str, Job] = {}
    for path, patch in blocks_in_files:
        job_by_path.setdefault(path, Job(path, [])).patches.append(patch)
    return list(job_by_path.values())


def target_of(patch: Patch, path: str) -> PatchTarget:
    """The target of a patch at a path, a new one where it has none."""
    return next((target for target in patch.targets if target.path == path), PatchTarget(path=path))


def open_target(board: "Board", path: str, target: PatchTarget | None = None) -> prompt_files.PromptFile:
    """Read a target that may be patched; raises NotFound where it is gone, Refused where it may not be."""
    file = board.by_path.get(path)
    if file is None and target is not None and target.real and os.path.realpath(path) != target.real:
        raise Refused(
            f"{path} leads elsewhere than when it was patched", "name the file that is meant with --file"
        )
    if file is not None and file.name and file.kind == "agent":
        agent_files.check_name(file.name)
    if file is not None:
        return prompt_files.read(path, agent_files.folders_of(file, board.home))
    return prompt_files.read(path, [board.home] if board.home else None)


def work_out_apply(board: "Board", job: Job, expected: str = "") -> None:
    """Fill the job with the file's text after applying; `expected` is the hash of the file as previewed."""
    try:
        _open(board, job, expected, may_create=True)
    except LearnloopError as error:
        _refuse(job, error)
        return
    marked = [patch for patch in job.patches if not patch.is_plain]
    job.after, step_by_patch = steps.apply_all(job.after, marked, board.rank)
    step_by_patch |= _plain_steps(board, job)
    for patch in job.patches:
        step = step_by_patch[patch.id]
        if step.did is None:
            refusal = step.refusal or Refused("it cannot be patched")
            message = f"{job.path}: {refusal.message}"
            job.results[patch.id] = _result(patch, job, "refused", message, refusal.hint)
        else:
            job.results[patch.id] = _result(patch, job, step.did, heading=step.heading, frame=step.frame)


def _plain_steps(board: "Board", job: Job) -> dict[str, steps.ApplyStep]:
    """Put plain lines into the job's text, one after the other."""
    frame = {*board.frame_of(job.path), *([plain_bullets.NEW_FILE] if job.creates else [])}
    step_by_patch = {}
    for patch in (patch for patch in job.patches if patch.is_plain):
        target = target_of(patch, job.path)
        job.after, step = plain_bullets.apply(job.path, job.after, patch, target, frame)
        frame |= set(step.frame)
        step_by_patch[patch.id] = step
    return step_by_patch


def _open(board: "Board", job: Job, expected: str = "", *, may_create: bool = False) -> None:
    """Read the file; raises NotFound or Refused where it may not be written as it is."""
    is_plain = all(patch.is_plain for patch in job.patches)
    if is_plain and os.path.realpath(job.path) != job.path:
        raise Refused(
            f"{job.path} is a link, or below one", "put the words into the file that is meant by yourself"
        )
    is_outside = board.home and not job.path.startswith(f"{board.home}/")
    if is_plain and may_create and not os.path.lexists(job.path) and not is_outside:
        job.opened, job.creates = prompt_files.absent(job.path), True
    else:
        job.opened = open_target(board, job.path, target_of(job.patches[0], job.path))
    job.after = job.opened.text
    if expected and expected != (ABSENT if job.creates else job.opened.sha256):
        message = f"{job.path} changed since it was previewed"
        raise Refused(message, "look at it again: learn patches preview")
    if not job.creates and not prompt_files.writable(job.opened.real):
        raise Refused(f"{job.path} cannot be written", "check the permissions of file and folder")


def work_out_revert(board: "Board", job: Job, resolution: steps.Resolution) -> None:
    """Fill the job with the file's text without the blocks."""
    try:
        _open(board, job)
    except NotFound as error:
        _work_out_missing(board, job, resolution, error)
        return
    except LearnloopError as error:
        _refuse(job, error)
        return
    unedited, frame = set[str](), board.frame_of(job.path)
    if resolution not in ("keep", "restore"):  # blocks as they were written go together
        unedited = {patch.id for patch in job.patches if not patch.is_plain} - steps.edited(job.after)
    job.after = blocks.remove(job.after, *unedited) if unedited else job.after
    for patch in job.patches:
        job.results[patch.id] = (
            _result(patch, job, "reverted")
            if patch.id in unedited
            else _revert_edited(board, job, patch, resolution, frame)
        )
    job.removes = not job.after and plain_bullets.NEW_FILE in frame


def _revert_edited(
    board: "Board", job: Job, patch: Patch, resolution: steps.Resolution, frame: frozenset[str]
) -> PatchResult:
    target = target_of(patch, job.path)
    data = prompt_files.backup(board.ws.root, target.backup)
    before = data.decode("utf-8", "replace") if data is not None else None
    try:
        if patch.is_plain:
            job.after = plain_bullets.revert(job.path, job.after, patch, target, frame, before, resolution)
        else:
            words = target.block or patch.block
            job.after = steps.revert(job.path, job.after, patch.id, words, before, resolution)
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
        data = prompt_files.backup(board.ws.root, target.backup) if resolution == "restore" else None
        if data is not None:
            real = target.real or job.path
            job.creates, job.after = True, data.decode("utf-8")
            job.opened = prompt_files.PromptFile(
                job.path, real, b"", target.mode or 0o644, os.geteuid(), os.getegid()
            )
        if data is not None or resolution == "remove":
            job.results[patch.id] = _result(patch, job, "reverted")
        else:
            job.results[patch.id] = _missing(board, job, patch, error)


def _missing(board: "Board", job: Job, patch: Patch, error: LearnloopError) -> PatchResult:
    message, way_out = error.message, "--restore brings the backup back"
    for file in board.files:
        if any(block.id == patch.id for block in file.blocks):
            message = f"{job.path} is gone; its block is in {file.path} now"
            way_out = f"--file {quote(file.path)} takes it out there"
            break
    return _result(patch, job, "missing", message, f"{way_out}, --remove forgets the block")


def _refuse(job: Job, error: LearnloopError) -> None:
    did = "missing" if isinstance(error, NotFound) else "refused"
    for patch in job.patches:
        job.results[patch.id] = _result(patch, job, did, error.message, error.hint)


def _result(patch: Patch, job: Job, did: str, error: str = "", hint: str = "", **more: Any) -> PatchResult:
    before = job.before.sha256 if job.before is not None else ""
    return PatchResult(
        patch=patch.id, path=job.path, did=did, error=error, hint=hint, sha256_before=before, **more
    )


_NAMES = ("CLAUDE.md", "AGENTS.md", "GEMINI.md")
_MODE = 0o644


def path_in(project: str, home: str = "") -> str:
    """The file that most of the person's agents would read there; CLAUDE.md of several that do."""
    hosts = agent_files.used_hosts(home)
    paths = (f"{project}/{name}" for name in _NAMES)
    return max(paths, key=lambda path: len(hosts.intersection(instruction_files.readers(path, project))))


def create(ws: Workspace, patch_id: str) -> str:
    """Create an empty instruction file in the project of a patch; return its path.

    Raises Refused where the project has an instruction file, or something of that name.
    """
    board = Board(ws)
    patch = board.find(patch_id)
    path = Path(path_in(patch.project, board.home))

    def check() -> None:
        if not board.lacks_file(patch) or path.exists() or path.is_symlink():
            raise Refused(f"{path} cannot be created: the project has such a file", "learn patches shows it")

    check()
    foreign.replace(path.parent, path.name, b"", mode=_MODE, check=check)
    return str(path)

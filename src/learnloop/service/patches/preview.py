"""Previews of files before a person decides, and the state of each block in its file.

The hash of each file at its last preview is stored: a file that changed since is not written to.
"""

import contextlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from learnloop.errors import LearnloopError
from learnloop.models.base import Document
from learnloop.models.patch import APPLIED_STATES, Patch, PatchTarget
from learnloop.patch import diff, plain_bullets, prompt_files, steps
from learnloop.service.patches.board import Board
from learnloop.service.patches.commit import Report
from learnloop.service.patches.file_jobs import ABSENT, Job, PatchResult, open_target
from learnloop.store import files as store_files

_HASHES = "patching/previewed"


class FilePreview(Document):
    """The effect of applying patches to one file."""

    path: str
    sha256: str = ""
    patches: tuple[str, ...] = ()
    """Those that would change it."""
    diff: str = ""
    before: str = ""
    after: str = ""
    results: tuple[PatchResult, ...] = ()

    @property
    def expected(self) -> str:
        """What applying may rely on: the hash of the file, or that there is none."""
        return self.sha256 or ABSENT

    @property
    def rows(self) -> list[tuple[str, str, str]]:
        """The diff side by side: (mark, left, right); the mark is ` `, `-`, `+`, `~` or `@`."""
        return diff.side_by_side(self.before, self.after)

    def as_json(self) -> dict[str, Any]:
        """The fields as JSON values, without the texts: the diff shows what is different."""
        return self.model_dump(mode="json", exclude={"before", "after"})


class TargetStatus(Document):
    """The present state of a patch in one file."""

    path: str
    standing: steps.TargetState
    host: str = ""
    note: str = ""
    readers: tuple[str, ...] = ()
    """The hosts that read the file."""


def preview_of(job: Job) -> FilePreview:
    """The preview of a job that was worked out."""
    before = job.before.text if job.before is not None else ""
    results = tuple(job.results.values())
    return FilePreview(
        path=job.path, sha256=job.before.sha256 if job.before is not None else "",
        patches=tuple(result.patch for result in results if result.ok and result.did != "unchanged"),
        diff=diff.unified(job.path, before, job.after), before=before, after=job.after, results=results,
    )  # fmt: skip


def statuses(now: Board, patch: Patch) -> list[TargetStatus]:
    """The present state of a patch in each of its files."""
    statuses = []
    for target in patch.targets:
        file = now.by_path.get(target.path)
        standing, note = _standing(now, patch, target, now.latest_hashes.get(target.path, ""))
        host, readers = (file.host, file.readers) if file is not None else ("", ())
        statuses.append(
            TargetStatus(path=target.path, standing=standing, host=host, note=note, readers=readers)
        )
    return statuses


def _standing(now: Board, patch: Patch, target: PatchTarget, latest: str) -> tuple[steps.TargetState, str]:
    """The state of a block and a note; `latest` is the hash of the file after its last change by us."""
    try:
        opened = open_target(now, target.path, target)
    except LearnloopError as error:
        return "missing" if target.is_applied else "planned", error.message
    if target.state not in APPLIED_STATES:
        return "planned", "reverted" if target.state == "reverted" else ""
    if patch.is_plain:
        standing = plain_bullets.target_state(opened.text, opened.sha256, patch, target, latest)
    else:
        standing = steps.target_state(opened.text, opened.sha256, patch, latest)
    return standing, "" if prompt_files.writable(opened.real) else "cannot be written"


def expected(root: str, chosen: Sequence[Patch]) -> dict[str, str]:
    """The hash of each file at the last preview of any of these patches, by path."""
    hashes = _hashes(root)
    return {path: digest for patch in chosen for path, digest in hashes.get(patch.id, {}).items()}


def remember(root: str, chosen: Sequence[Patch], previews: Sequence[FilePreview]) -> None:
    """Store the hashes of the files that were previewed."""
    hashes = _hashes(root)
    for patch in chosen:
        own = {
            preview.path: preview.expected
            for preview in previews
            if any(result.patch == patch.id for result in preview.results)
        }
        hashes[patch.id] = {**hashes.get(patch.id, {}), **own}
    _save(root, hashes)


def update_hashes(root: str, report: Report) -> None:
    """Replace the hashes of files that we changed: that is no change since the preview."""
    moved = {
        (result.path, result.sha256_before): result.sha256_after
        for result in report.results
        if result.ok and result.sha256_after
    }
    hashes = _hashes(root)
    if moved and hashes:
        for hash_by_path in hashes.values():
            for path, digest in hash_by_path.items():
                hash_by_path[path] = moved.get((path, digest), digest)
        _save(root, hashes)


def _hashes(root: str) -> dict[str, dict[str, str]]:
    """By patch and path, the hash of the file when it was previewed."""
    try:
        hashes = json.loads(store_files.read(Path(root, _HASHES)) or b"{}")
    except (OSError, ValueError):
        return {}
    return hashes if isinstance(hashes, dict) else {}


def _save(root: str, hashes: Mapping[str, Any]) -> None:
    with contextlib.suppress(OSError):  # without it a later change is noticed only while it is written
        store_files.replace(Path(root, _HASHES), [json.dumps(hashes).encode("ascii")], sync=False)

"""Previews of files before a person decides, and the state of each block in its file."""

from collections.abc import Mapping
from typing import Any

from learnloop.errors import LearnloopError
from learnloop.models.base import Document
from learnloop.models.patch import Patch, PatchTarget
from learnloop.patch import diff, files, steps
from learnloop.service.patches.board import Board
from learnloop.service.patches.file_jobs import Job, PatchResult, open_target


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


def preview_of(job: Job) -> FilePreview:
    """The preview of a job that was worked out."""
    before = job.opened.text if job.opened is not None and not job.creates else ""
    results = tuple(job.results.values())
    return FilePreview(
        path=job.path,
        sha256=job.opened.sha256 if job.opened is not None and not job.creates else "",
        patches=tuple(result.patch for result in results if result.ok and result.did != "unchanged"),
        diff=diff.unified(job.path, before, job.after) if job.opened is not None else "",
        before=before,
        after=job.after if job.opened is not None else "",
        results=results,
    )


def statuses(now: Board, patch: Patch) -> list[TargetStatus]:
    """The present state of a patch in each of its files."""
    latest = _latest(now)
    return [_status(now, patch, target, latest) for target in patch.targets]


def _latest(now: Board) -> dict[str, str]:
    """The hash of each file after its last change by us, by path."""
    latest: dict[str, tuple[str, str]] = {}
    for patch in now.patches:
        for target in patch.targets:
            if target.sha256_after:
                latest[target.path] = max(latest.get(target.path, ("", "")), (target.at, target.sha256_after))
    return {path: digest for path, (_, digest) in latest.items()}


def _status(now: Board, patch: Patch, target: PatchTarget, latest: Mapping[str, str]) -> TargetStatus:
    file = now.by_path.get(target.path)
    host = file.host if file is not None else ""
    try:
        opened = open_target(now, target.path, target)
    except LearnloopError as error:
        is_applied = target.state in ("applied", "conflict", "missing")
        return TargetStatus(
            path=target.path, standing="missing" if is_applied else "planned", host=host, note=error.message
        )
    if target.state in ("planned", "reverted"):
        note = "reverted" if target.state == "reverted" else ""
        return TargetStatus(path=target.path, standing="planned", host=host, note=note)
    standing = steps.target_state(opened.text, opened.sha256, patch, latest.get(target.path, ""))
    note = "" if files.writable(opened.real) else "cannot be written"
    return TargetStatus(path=target.path, standing=standing, host=host, note=note)

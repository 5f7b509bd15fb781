"""Queries of the patches' pane, and what it does with patches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from learnloop_tui.view.patch_state import Candidate, PatchDetail, PatchesSnapshot, PatchItem

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from learnloop.models.patch import Patch
    from learnloop.service.patches.board import Board
    from learnloop.service.patches.commit import Report
    from learnloop.service.patches.fact_imports import ImportChoice
    from learnloop.service.patches.preview import FilePreview, TargetStatus
    from learnloop.service.workspace import Workspace

    ImportChoices = Sequence[tuple[ImportChoice, Sequence[FilePreview]]]
    Resolution = Literal["", "keep", "remove", "restore"]

_WORST = ("missing", "conflict", "removed", "outdated", "changed", "clean", "planned")
_HISTORY = 500


def here() -> list[str]:
    """The project that the console was started in: its prompt files count too."""
    import os

    from learnloop.wire import project

    return [project.find(os.path.realpath("."))]


def snapshot(ws: Workspace, current: str) -> PatchesSnapshot:
    """Everything the pane shows, and all about the patch under the cursor."""
    from learnloop.service.patches import board, patch_history, patches, preview

    now = board.Board(ws, here())
    items, first = [], ""
    audiences = patches.audiences(now.patches)
    for patch in now.patches:
        statuses = preview.statuses(now, patch) if patch.state == "active" else []
        items.append(PatchItem(patch.id, patch, worst(statuses), audiences[patch.id]))
        first = first or (patch.id if patch.state == "proposed" else "")
    entries = [
        PatchItem(f"{at}", None, entry=entry)
        for at, entry in enumerate(patch_history.history(ws, None, _HISTORY))
    ]
    chosen = now.by_id.get(current or first)
    detail = _detail(ws, now, chosen) if chosen is not None else None
    why = "" if first else patches.why_nothing(ws, here()).removeprefix("Nothing to propose: ")
    return PatchesSnapshot(tuple(items), tuple(entries), tuple(patches.watched_folders(now)), detail, why)


def worst(statuses: Sequence[TargetStatus]) -> str:
    """The standing that most needs a look."""
    standings = {status.standing for status in statuses}
    return next((standing for standing in _WORST if standing in standings), "")


def _detail(ws: Workspace, now: Board, patch: Patch) -> PatchDetail:
    from learnloop.service.patches import file_jobs, patch_outcomes, patches, preview

    statuses = tuple(preview.statuses(now, patch))
    previews = tuple(patches.preview_on(now, [patch])) if patch.state != "dismissed" else ()
    reverting = bool(previews) and not any(preview.diff for preview in previews)
    if reverting:
        previews = tuple(patches.preview_on(now, [patch], reverting=True))
    ticked = {target.path for target in patch.targets}
    candidates = tuple(
        Candidate(file.path, ", ".join(file.readers), file.scope, file.kind, file.name, file.refusal)
        for file in now.candidates(patch)
        if file.path not in ticked
    )
    lacks = file_jobs.path_in(patch.project, now.home) if now.lacks_file(patch) else ""
    outcome = patch_outcomes.summary(ws, patch)
    return PatchDetail(patch.id, statuses, previews, reverting, outcome, candidates, lacks)


def import_choices(ws: Workspace, ids: Sequence[str]) -> ImportChoices:
    """Where the lines may go that make agents read files of facts, with previews; empty if none is needed."""
    from learnloop.service.patches import patches

    return patches.import_choices(ws, ids, here())


def create_file(ws: Workspace, patch_id: str) -> str:
    """Create the instruction file that the project of a patch lacks; return its path."""
    from learnloop.service.patches import file_jobs

    return file_jobs.create(ws, patch_id)


def apply(
    ws: Workspace, ids: Sequence[str], paths: Sequence[str] | None, expected: Mapping[str, str],
    imports: Sequence[str],
) -> Report:  # fmt: skip
    """Put the blocks in, if the files are still what was shown."""
    from learnloop.service.patches import patches

    return patches.apply(ws, ids, paths, here(), expected=expected, imports=imports)


def revert(ws: Workspace, ids: Sequence[str], paths: Sequence[str] | None, resolution: Resolution) -> Report:
    """Take the blocks out."""
    from learnloop.service.patches import patches

    return patches.revert(ws, ids, paths, here(), resolution=resolution)

"""Everything that the patches' pane shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from learnloop_tui.view.patch_state import Candidate, PatchDetail, PatchesSnapshot, PatchItem

if TYPE_CHECKING:
    from collections.abc import Sequence

    from learnloop.models.patch import Patch
    from learnloop.service.patches.board import Board
    from learnloop.service.patches.preview import TargetStatus
    from learnloop.service.workspace import Workspace

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

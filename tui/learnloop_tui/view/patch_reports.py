"""What a verdict on patches will do, and what it did, in words. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from learnloop_tui.view import bulk, fence

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from learnloop.models.patch import Patch
    from learnloop.service.patches.commit import Report
    from learnloop_tui.view.patch_state import PatchesView, PatchItem

UNDECIDED = ("conflict", "missing")
"""Results after which the person is asked what becomes of the block."""
_MOST_ERRORS = 3


def appliable(patches: list[Patch]) -> list[Patch]:
    """Those that may be applied together: of several only those in the person's words."""
    return patches if len(patches) < 2 else [patch for patch in patches if patch.trust == "user"]


def plan(view: PatchesView, verb: str, will: str, *states: str) -> bulk.Plan:
    """What a verdict on the targets will do to those in one of the states."""
    patches = [row.patch for row in view.targets if row.patch is not None]
    fitting = [patch for patch in patches if patch.state in states]
    chosen = appliable(fitting) if verb == "Apply" else fitting
    foreign = [patch for patch in fitting if patch not in chosen]
    others = tuple(patch.block for patch in patches if patch.state not in states)
    parts = (("in another state", others), ("not your words", tuple(patch.block for patch in foreign)))
    left = tuple(bulk.Part(f"stay as they are: {why}", words) for why, words in parts if words)
    hidden = sum(patch.id not in view.positions for patch in chosen)
    blocks = bulk.Part(will, tuple(patch.block for patch in chosen))
    return bulk.Plan(verb, (), blocks, left, hidden, ("patch", "patches"))


def outside(rows: Iterable[PatchItem], ticks: Mapping[str, Sequence[str]]) -> str:
    """A question with the files that are not below the project of their patch; empty where there are none."""
    files = [
        path
        for row in rows
        if row.patch is not None
        for path in (*(target.path for target in row.patch.targets), *ticks.get(row.id, ()))
        if not row.patch.project or not path.startswith(f"{row.patch.project}/")
    ]
    return "\n".join(("This writes outside of the project:", *fence.listed(files))) if files else ""


def notices(done: str, report: Report) -> Iterator[tuple[str, str]]:
    """Words and severity of each message about what became of the files."""
    changed = [result for result in report.results if result.ok and result.did != "unchanged"]
    places = len({result.path for result in changed})
    if changed:
        yield f"{done} in {places} {'file' if places == 1 else 'files'}. z takes it back.", "information"
    failed = [result for result in report.failed if result.did not in UNDECIDED]
    for result in failed[:_MOST_ERRORS]:
        yield with_hint(result.error, result.hint), "error"
    if not report.results:
        yield "No file was found for it: s chooses one.", "warning"


def with_hint(message: str, hint: str) -> str:
    """An error with what to do about it."""
    return f"{message}. {hint}" if hint else message

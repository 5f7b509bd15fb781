"""Applying and reverting plain lines in a text: pure steps over `plain_bullets`."""

from collections.abc import Collection
from typing import Literal

from learnloop.errors import Refused
from learnloop.models.patch import APPLIED_STATES, Patch, PatchTarget
from learnloop.patch import placement, plain_bullets
from learnloop.patch.steps import ApplyStep, Conflict, ConflictSides, Resolution, TargetState

_WHY = "its line was edited by hand"


def apply(
    path: str, text: str, patch: Patch, target: PatchTarget, frame: Collection[str]
) -> tuple[str, ApplyStep]:
    """The text with a patch's lines in place of those that it has there by now, and the step.

    `frame` is what came with the lines that are in the file.
    """
    state = _state(text, patch, target)
    if state == "conflict":
        way_out = "revert it first, and decide what becomes of the words"
        return text, ApplyStep(None, Refused(_WHY, way_out))
    if state == "clean" and target.block in ("", patch.block):
        return text, ApplyStep("unchanged", heading=target.heading, frame=target.frame)
    before = text
    if state == "clean":
        before = plain_bullets.remove(text, target.block, target.heading, ())
    elif plain_bullets.holds(text, patch.block, ""):
        return text, ApplyStep(None, Refused("it says so already", "nothing is to be done"))
    try:
        inserted = plain_bullets.insert(before, patch.block, placement.title(path))
    except Refused as error:
        return text, ApplyStep(None, error)
    did: Literal["applied", "updated"] = "updated" if state == "clean" else "applied"
    return inserted.text, ApplyStep(did, None, inserted.heading, tuple(sorted({*frame, *inserted.frame})))


def revert(
    path: str, text: str, patch: Patch, target: PatchTarget, frame: Collection[str], before: str | None,
    resolution: Resolution = "",
) -> str:  # fmt: skip
    """The text without the lines; raises Conflict if they were edited and no resolution is given."""
    words = target.block or patch.block
    if resolution == "restore":
        if before is None:
            raise Refused(f"{path}: its backup is gone", "use --keep or --remove")
        return before
    changed = "" if plain_bullets.holds(text, words, target.heading) else plain_bullets.edited(text, words)
    if changed and not resolution:
        raise Conflict(path, ConflictSides("", words, changed, _WHY))
    if resolution == "keep":
        return text
    return plain_bullets.remove(text, changed or words, "" if changed else target.heading, frame)


def target_state(text: str, sha256: str, patch: Patch, target: PatchTarget, sha256_after: str) -> TargetState:
    """The state of applied lines in a file."""
    state = _state(text, patch, target)
    if state != "clean":
        return state
    if target.block not in ("", patch.block):
        return "outdated"
    return "clean" if sha256 == sha256_after else "changed"


def _state(text: str, patch: Patch, target: PatchTarget) -> TargetState:
    """Whether lines of ours stand in a text as they were written, were edited, or are not there."""
    words = target.block or patch.block
    if target.state not in APPLIED_STATES:
        return "planned"
    if plain_bullets.holds(text, words, target.heading):
        return "clean"
    return "conflict" if plain_bullets.edited(text, words) else "removed"

"""Applying and reverting a patch in a text: pure steps over `blocks`."""

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Literal

from learnloop.errors import Refused
from learnloop.models.patch import Patch
from learnloop.patch import blocks

Resolution = Literal["", "keep", "remove", "restore"]
TargetState = Literal["clean", "changed", "outdated", "conflict", "removed", "missing", "planned"]
_AROUND = 3


@dataclass(frozen=True)
class ConflictSides:
    """The three sides of a conflict: the text around the block in each."""

    before: str
    ours: str
    now: str
    why: str


class Conflict(Refused):
    """Our block was edited by hand: the person decides."""

    def __init__(self, path: str, sides: ConflictSides) -> None:
        super().__init__(
            f"{path}: {sides.why}",
            "decide: --keep the words as yours, --remove them, or --restore the backup",
        )
        self.sides = sides


@dataclass(frozen=True)
class ApplyStep:
    """The result of applying one patch to a text."""

    did: Literal["applied", "updated", "unchanged"] | None
    refusal: Refused | None = None
    heading: str = ""
    """Of plain lines: the heading that they stand under, and what came with them."""
    frame: tuple[str, ...] = ()


def apply_all(
    text: str, patches: Sequence[Patch], rank: Mapping[str, tuple[str, str]]
) -> tuple[str, dict[str, ApplyStep]]:
    """The text with the patches' blocks, and the result of each patch; the text is parsed once.

    A block that was edited by hand, or has no place in the text, is refused alone.
    """
    pieces = blocks.parse(text)
    steps: dict[str, ApplyStep] = {}
    requests = []
    for patch in patches:
        step = steps[patch.id] = _step(pieces, patch)
        if step.did in ("applied", "updated"):
            requests.append(blocks.BlockRequest(patch.id, patch.block, patch.placement))
    if not requests:
        return text, steps

    def order(block_id: str) -> tuple[str, str]:
        return rank.get(block_id, ("", ""))

    with suppress(Refused):
        return blocks.insert_all(text, requests, order), steps
    for request in requests:  # singly: one without a place must not stop the others
        try:
            text = blocks.insert_all(text, [request], order)
        except Refused as error:
            steps[request.id] = ApplyStep(None, error)
    return text, steps


def _step(pieces: Sequence[blocks.Piece], patch: Patch) -> ApplyStep:
    held = [at for at, piece in enumerate(pieces) if piece.id == patch.id]
    try:
        body = blocks.safe_body(patch.block)
    except Refused as error:
        return ApplyStep(None, error)
    if len(held) > 1 or any(not pieces[at].intact for at in held):
        way_out = "revert it first, and decide what becomes of the words"
        return ApplyStep(None, Refused("its block there was edited by hand", way_out))
    if not held:
        return ApplyStep("applied")
    same = pieces[held[0]].body == body
    is_placed = blocks.placement_at(pieces, held[0]) in (patch.placement, "")
    return ApplyStep("unchanged" if same and is_placed else "updated")


def edited(text: str) -> frozenset[str]:
    """The ids of blocks in a text that were edited by hand, are torn, or occur twice."""
    held = blocks.blocks(text)
    once = Counter(piece.id for piece in held)
    return frozenset(piece.id for piece in held if not piece.intact or once[piece.id] > 1)


def revert(
    path: str, text: str, block_id: str, ours: str, before: str | None, resolution: Resolution = ""
) -> str:
    """The text without the block; raises Conflict if the block was edited and no resolution is given.

    `before` is the backup's text where there is one; restoring it needs one.
    """
    if resolution == "restore":
        if before is None:
            raise Refused(f"{path}: its backup is gone", "use --keep or --remove")
        return before
    held = _held(text, block_id)
    is_edited = len(held) > 1 or any(not piece.intact for piece in held)
    if is_edited and not resolution:
        raise Conflict(path, sides(text, block_id, ours, before))
    if resolution == "keep":
        return blocks.unmark(text, block_id)
    return blocks.remove(text, block_id)


def target_state(text: str, sha256: str, patch: Patch, sha256_after: str) -> TargetState:
    """The state of an applied block in a file."""
    held = _held(text, patch.id)
    if not held:
        return "removed"
    if len(held) > 1 or not held[0].intact:
        return "conflict"
    if held[0].body != blocks.safe_body(patch.block):
        return "outdated"
    return "clean" if sha256 == sha256_after else "changed"


def sides(text: str, block_id: str, ours: str, before: str | None) -> ConflictSides:
    """The three sides around the block."""
    held = _held(text, block_id)
    torn = any(piece.kind == "torn" for piece in held)
    why = (
        "one of the marks of its block is gone" if torn
        else "its block is in it more than once" if len(held) > 1
        else "its block was edited by hand"
    )  # fmt: skip
    now = "\n".join(
        piece.body if piece.kind == "block" else piece.text.replace("\r\n", "\n").rstrip("\n")
        for piece in held
    )
    return ConflictSides(_around(text, block_id, before), ours, now, why)


def _held(text: str, block_id: str) -> list[blocks.Piece]:
    return [piece for piece in blocks.blocks(text) if piece.id == block_id]


def _around(text: str, block_id: str, before: str | None) -> str:
    """The lines at the place of the block: from the backup, else those around it today."""
    pieces = blocks.parse(text)
    at = next((at for at, piece in enumerate(pieces) if piece.id == block_id), 0)
    above = blocks.outside(pieces[:at]).replace("\r\n", "\n")
    below = blocks.outside(pieces[at:]).replace("\r\n", "\n")
    around = [*above.rstrip("\n").split("\n")[-_AROUND:], *below.strip("\n").split("\n")[:_AROUND]]
    remaining = around if before is None else [line for line in around if line in before]
    return "\n".join(remaining).strip("\n")

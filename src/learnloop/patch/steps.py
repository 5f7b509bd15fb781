"""What a patch does to a text, and what taking it out does: pure steps over `blocks`."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from learnloop.errors import Refused
from learnloop.models.patch import Patch
from learnloop.patch import blocks

Resolution = Literal["", "keep", "remove", "restore"]
Standing = Literal["clean", "changed", "outdated", "conflict", "removed", "missing", "planned"]
_AROUND = 3


@dataclass(frozen=True)
class Sides:
    """The three sides of a conflict, each as it reads around the block."""

    before: str
    ours: str
    now: str
    why: str


class Conflict(Refused):
    """Our block was edited by hand: the person decides."""

    def __init__(self, path: str, sides: Sides) -> None:
        super().__init__(
            f"{path}: {sides.why}",
            "decide: --keep the words as yours, --remove them, or --restore the backup",
        )
        self.sides = sides


@dataclass(frozen=True)
class Step:
    """What applying one patch to a text comes to."""

    did: Literal["applied", "updated", "unchanged"] | None
    refusal: Refused | None = None


def apply_all(
    text: str, patches: Sequence[Patch], rank: Mapping[str, tuple[str, str]]
) -> tuple[str, dict[str, Step]]:
    """The text with the patches' blocks, and what each came to; the text is read and written once.

    A block that was edited by hand, or has no place in the text, is refused by itself.
    """
    pieces = blocks.parse(text)
    steps: dict[str, Step] = {}
    wanted = []
    for patch in patches:
        step = steps[patch.id] = _step(pieces, patch)
        if step.did in ("applied", "updated"):
            wanted.append(blocks.Wanted(patch.id, patch.block, patch.placement))
    if not wanted:
        return text, steps
    order = _order(rank)
    try:
        return blocks.insert_all(text, wanted, order), steps
    except Refused:
        return _one_by_one(text, wanted, steps, order)


def _step(pieces: Sequence[blocks.Piece], patch: Patch) -> Step:
    held = [at for at, piece in enumerate(pieces) if piece.id == patch.id]
    try:
        body = blocks.safe_body(patch.block)
    except Refused as error:
        return Step(None, error)
    if len(held) > 1 or any(not pieces[at].intact for at in held):
        way_out = "revert it first, and decide what becomes of the words"
        return Step(None, Refused("its block there was edited by hand", way_out))
    if not held:
        return Step("applied")
    same = pieces[held[0]].body == body
    is_placed = blocks.placement_at(pieces, held[0]) in (patch.placement, "")
    return Step("unchanged" if same and is_placed else "updated")


def _one_by_one(
    text: str, wanted: Sequence[blocks.Wanted], steps: dict[str, Step], order: blocks.Rank
) -> tuple[str, dict[str, Step]]:
    """Where one of them has no place, the others may have."""
    for one in wanted:
        try:
            text = blocks.insert_all(text, [one], order)
        except Refused as error:
            steps[one.id] = Step(None, error)
    return text, steps


def _order(rank: Mapping[str, tuple[str, str]]) -> blocks.Rank:
    return lambda block_id: rank.get(block_id, ("", ""))


def edited(text: str) -> frozenset[str]:
    """The blocks of a text that were edited by hand, are torn, or stand there twice."""
    held = blocks.blocks(text)
    once = Counter(one.id for one in held)
    return frozenset(one.id for one in held if not one.intact or once[one.id] > 1)


def revert(
    path: str, text: str, block_id: str, ours: str, before: str | None, resolution: Resolution = ""
) -> str:
    """The text without the block; raises Conflict where the block was edited and nobody has decided.

    `before` is the backup's text where there is one; restoring it needs one.
    """
    if resolution == "restore":
        if before is None:
            raise Refused(f"{path}: its backup is gone", "use --keep or --remove")
        return before
    held = _held(text, block_id)
    is_edited = len(held) > 1 or any(not one.intact for one in held)
    if is_edited and not resolution:
        raise Conflict(path, sides(text, block_id, ours, before))
    if resolution == "keep":
        return blocks.unmark(text, block_id)
    return blocks.remove(text, block_id)


def standing(text: str, sha256: str, patch: Patch, sha256_after: str) -> Standing:
    """How an applied block stands in a file now."""
    held = _held(text, patch.id)
    if not held:
        return "removed"
    if len(held) > 1 or not held[0].intact:
        return "conflict"
    if held[0].body != blocks.safe_body(patch.block):
        return "outdated"
    return "clean" if sha256 == sha256_after else "changed"


def sides(text: str, block_id: str, ours: str, before: str | None) -> Sides:
    """The three sides around the block."""
    held = _held(text, block_id)
    torn = any(one.kind == "torn" for one in held)
    why = (
        "one of the marks of its block is gone" if torn
        else "its block stands there more than once" if len(held) > 1
        else "its block was edited by hand"
    )  # fmt: skip
    now = "\n".join(_inner(one) for one in held)
    return Sides(_around(text, block_id, before), ours, now, why)


def _held(text: str, block_id: str) -> list[blocks.Piece]:
    return [one for one in blocks.blocks(text) if one.id == block_id]


def _inner(piece: blocks.Piece) -> str:
    return piece.body if piece.kind == "block" else piece.text.replace("\r\n", "\n").rstrip("\n")


def _around(text: str, block_id: str, before: str | None) -> str:
    """The lines that stood where the block stands: from the backup, else those around it today."""
    pieces = blocks.parse(text)
    at = next((at for at, piece in enumerate(pieces) if piece.id == block_id), 0)
    above = "".join(piece.text for piece in pieces[:at] if piece.kind == "outside").replace("\r\n", "\n")
    below = "".join(piece.text for piece in pieces[at:] if piece.kind == "outside").replace("\r\n", "\n")
    wanted = [*above.rstrip("\n").split("\n")[-_AROUND:], *below.strip("\n").split("\n")[:_AROUND]]
    known = wanted if before is None else [line for line in wanted if line in before]
    return "\n".join(known).strip("\n")

"""What a patch does to a text, and what taking it out does: pure steps over `blocks`."""

from collections.abc import Mapping
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


def apply(text: str, patch: Patch, rank: Mapping[str, tuple[str, str]]) -> str:
    """The text with the patch's block; the same text where it stands there already.

    Raises Refused where the block was edited by hand, or the text has no place for it.
    """
    held = _held(text, patch.id)
    if len(held) > 1 or any(not one.intact for one in held):
        raise Refused(
            "its block there was edited by hand", "revert it first, and decide what becomes of the words"
        )
    body = blocks.safe_body(patch.block)
    if held and held[0].body == body and blocks.insert(text, patch.id, body, patch.placement) == text:
        return text
    return blocks.insert(text, patch.id, body, patch.placement, lambda one: rank.get(one, ("", "")))


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

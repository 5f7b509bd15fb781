"""Marked blocks in a text: what is ours, what is not, and how one goes in and out.

A text is cut into pieces: those of ours (the frame of a region, and the blocks in it) and everything else,
the text *outside*. Inserting, replacing and removing a block move pieces of ours only, so what stands outside
is the same before and after, to the byte. Pure; texts keep their newlines, U+FEFF in front, and a missing
last newline.

    <!-- learnloop:begin append 1 · learned from your feedback; learn patches shows and reverts it -->
    ## Learned from feedback

    - Integration tests are run before a change is called done. <!-- learnloop:k7q2m3/5d41aa -->
    <!-- learnloop:m2x4pq/81b0c2 -->
    - Two lines stand
      between marks of their own.
    <!-- /learnloop:m2x4pq -->
    <!-- learnloop:end append 1 -->

The number at `begin` says how many newlines before it are ours, the one at `end` how many after it. The six
hex digits are the checksum of a block's body: what does not fit was edited by hand. A block of one line has
its mark behind the words. Earlier versions put it between two marks; that form is read as well.
"""

import hashlib
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal, NamedTuple

from learnloop.errors import Refused

Placement = Literal["append", "prepend"]
Kind = Literal["outside", "begin", "block", "end", "torn"]

HEADING = "## Learned from feedback"
_ABOUT = "learned from your feedback; learn patches shows and reverts it"
_BOM = "\ufeff"
_ID = r"[a-z2-7]{4,26}"
_TOKEN = re.compile(
    rf"<!-- learnloop:begin (?P<begin>append|prepend) (?P<lead>\d)[^\r\n]*? -->"
    rf"|<!-- learnloop:end (?P<end>append|prepend) (?P<tail>\d) -->"
    rf"|<!-- learnloop:(?P<open>{_ID})/(?P<sum>[0-9a-f]{{6}}) -->"
    rf"|<!-- /learnloop:(?P<close>{_ID}) -->"
)
_HEAD = re.compile(rf"\r?\n(?:{re.escape(HEADING)}\r?\n(?:\r?\n)?)?")
_NEWLINE = re.compile(r"\r?\n")
_FENCE = re.compile(r"^ {0,3}(```+|~~~+)", re.M)


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a text."""

    kind: Kind
    text: str
    id: str = ""
    body: str = ""
    """Of a block: what stands between its marks, with plain newlines."""
    checksum: str = ""
    """Of a block: what its mark says of the body."""
    placement: str = ""

    @property
    def intact(self) -> bool:
        """Whether a block's body is what was written there."""
        return self.kind == "block" and checksum(self.body) == self.checksum


def checksum(body: str) -> str:
    """What a block's mark carries of its body."""
    return hashlib.sha256(body.encode("utf-8", "surrogatepass")).hexdigest()[:6]


@lru_cache(maxsize=4096)
def safe_body(words: str) -> str:
    """Words that can stand in a block: they can neither end a comment nor begin one.

    Raises Refused where nothing is left, or a code fence in them is not closed.
    """
    body = "\n".join(line.rstrip() for line in words.replace("\r\n", "\n").replace("\r", "\n").split("\n"))
    body = _inert(body.replace("<!--", "< !--").replace("-->", "-- >").strip("\n"))
    if not body.strip():
        raise Refused("a block needs words", "write at least one sentence")
    if _open_fence(body):
        raise Refused("a code fence in the block is not closed", "close it with the same marks")
    return body


_ACTIVE = re.compile(r"(`[^`\n]*`)|(?<!\S)@[^\s`]+|(?:[^\s`<>]*</?[A-Za-z][^<>`\n]*>)+")


def _inert(body: str) -> str:
    """The words with each `@file` and `<tag>` as code, outside of fences: clients put else in their place."""
    lines, is_open = [], False
    for line in body.split("\n"):
        is_open ^= line.lstrip().startswith(("```", "~~~"))
        lines.append(line if is_open else _ACTIVE.sub(lambda match: match[1] or f"`{match[0]}`", line))
    return "\n".join(lines)


def parse(text: str) -> list[Piece]:
    """The pieces of a text; put together they are the text again."""
    pieces: list[Piece] = []
    at = 0
    while (token := _TOKEN.search(text, at)) is not None:
        start, end, piece = _piece(text, token, at)
        if start > at:
            pieces.append(Piece("outside", text[at:start]))
        pieces.append(piece)
        at = end
    if at < len(text):
        pieces.append(Piece("outside", text[at:]))
    return pieces


def _piece(text: str, token: re.Match[str], at: int) -> tuple[int, int, Piece]:
    start, end = token.span()
    if token["begin"]:
        start = _without_lead(text, start, at, int(token["lead"]))
        head = _HEAD.match(text, end)
        end = head.end() if head else end
        return start, end, Piece("begin", text[start:end], placement=token["begin"])
    if token["end"]:
        end = _with_tail(text, end, int(token["tail"]))
        return start, end, Piece("end", text[start:end], placement=token["end"])
    line = max(at, text.rfind("\n", at, start) + 1)
    if token["open"] and text[line:start].strip():
        end = _with_tail(text, end, 1)
        body = text[line:start].removesuffix(" ")
        return line, end, Piece("block", text[line:end], token["open"], body, token["sum"])
    if token["close"]:
        end = _with_tail(text, end, 1)
        return start, end, Piece("torn", text[start:end], token["close"])
    close = _TOKEN.search(text, end)
    if close is None or close["close"] != token["open"]:
        end = _with_tail(text, end, 1)
        return start, end, Piece("torn", text[start:end], token["open"])
    inner = text[token.end() : close.start()].replace("\r\n", "\n")
    end = _with_tail(text, close.end(), 1)
    body = inner.removeprefix("\n").removesuffix("\n")
    return start, end, Piece("block", text[start:end], token["open"], body, token["sum"])


def _without_lead(text: str, start: int, at: int, count: int) -> int:
    """Where the newlines before a region begin that are ours; the one that ends a line of text is not."""
    for taken in range(count):
        newline = 2 if text[max(at, start - 2) : start] == "\r\n" else 1
        before = start - newline
        if before < at or text[before:start] not in ("\n", "\r\n"):
            break
        if count == 1 and not taken and before > at and text[before - 1] not in ("\n", _BOM):
            break
        start = before
    return start


def _with_tail(text: str, end: int, count: int) -> int:
    for _ in range(count):
        newline = _NEWLINE.match(text, end)
        if newline is None:
            break
        end = newline.end()
    return end


def join(pieces: Sequence[Piece]) -> str:
    """The text of pieces."""
    return "".join(piece.text for piece in pieces)


def outside(pieces: Sequence[Piece]) -> str:
    """What is not ours in a text."""
    return "".join(piece.text for piece in pieces if piece.kind == "outside")


def blocks(text: str) -> list[Piece]:
    """The blocks of a text, in their order; torn ones are those whose other mark is gone."""
    return [piece for piece in parse(text) if piece.kind in ("block", "torn")] if "learnloop:" in text else []


class BlockRequest(NamedTuple):
    """A block that is to stand in a text."""

    id: str
    words: str
    placement: Placement


Rank = Callable[[str], Any]
"""What blocks of a region are ordered by."""


def insert(text: str, block_id: str, words: str, placement: Placement, rank: Rank = str) -> str:
    """The text with a block in the region of its placement, in order of `rank`.

    One that is there already is replaced. Raises Refused where the text has no place for a block. The text
    outside stays as it is.
    """
    return insert_all(text, [BlockRequest(block_id, words, placement)], rank)


def insert_all(text: str, requests: Sequence[BlockRequest], rank: Rank = str) -> str:
    """The same for several blocks, read and put together once."""
    pieces = parse(text)
    nl = newline_of(text)
    new: dict[Placement, list[Piece]] = {}
    places = {piece.id: at for at, piece in enumerate(pieces) if piece.kind == "block"}
    for request in requests:
        block = _block(request.id, safe_body(request.words), nl)
        at = places.get(request.id)
        if at is not None and placement_at(pieces, at) in (request.placement, ""):
            pieces[at] = block
            continue
        if at is not None:
            return insert_all(remove(text, request.id), requests, rank)
        new.setdefault(request.placement, []).append(block)
    for placement, added in new.items():
        pieces = _placed(pieces, sorted(added, key=lambda piece: rank(piece.id)), placement, nl, rank)
    return join(pieces)


def _placed(
    pieces: list[Piece], added: list[Piece], placement: Placement, nl: str, rank: Rank
) -> list[Piece]:
    """The pieces with new blocks, which come in order, in their region; it is made where there is none."""
    for begin, end in _frames(pieces):
        inside = [at for at in range(begin + 1, end) if pieces[at].kind == "block"]
        if pieces[begin].placement == placement and inside:
            break
    else:
        return _with_region(pieces, added, placement, nl)
    placed, waiting = pieces[: begin + 1], list(added)
    for at in range(begin + 1, end):
        while pieces[at].kind == "block" and waiting and rank(waiting[0].id) < rank(pieces[at].id):
            placed.append(waiting.pop(0))
        placed.append(pieces[at])
        if at == inside[-1]:
            placed += waiting
            waiting = []
    return [*placed, *pieces[end:]]


def remove(text: str, *block_ids: str) -> str:
    """The text without blocks, and without a frame that holds no other; unchanged where none is there."""
    gone = frozenset(block_ids)
    rest = [piece for piece in parse(text) if piece.id not in gone]
    return join(_without_empty_frames(rest))


def unmark(text: str, block_id: str) -> str:
    """The text with a block's words left as they are, outside of any block: a person's own from now on."""
    rest: list[Piece] = []
    for piece in parse(text):
        if piece.id != block_id:
            rest.append(piece)
        elif piece.kind == "block":
            nl = "\r\n" if "\r\n" in piece.text else "\n"
            rest.append(Piece("outside", piece.body.replace("\n", nl) + nl))
    return join(_without_empty_frames(rest))


def newline_of(text: str) -> str:
    """The newline that most lines of a text end in."""
    crlf = text.count("\r\n")
    return "\r\n" if crlf > text.count("\n") - crlf else "\n"


@lru_cache(maxsize=4096)
def _block(block_id: str, body: str, nl: str) -> Piece:
    inner = nl.join(body.split("\n"))
    mark = f"<!-- learnloop:{block_id}/{checksum(body)} -->"
    text = f"{body} {mark}{nl}"
    if "\n" in body:
        text = f"{mark}{nl}{inner}{nl}<!-- /learnloop:{block_id} -->{nl}"
    return Piece("block", text, block_id, body, checksum(body))


def _frames(pieces: Sequence[Piece]) -> list[tuple[int, int]]:
    frames = []
    begun = -1
    for at, piece in enumerate(pieces):
        if piece.kind == "begin":
            begun = at
        elif piece.kind == "end" and begun >= 0:
            if pieces[begun].placement == piece.placement:
                frames.append((begun, at))
            begun = -1
    return frames


def placement_at(pieces: Sequence[Piece], at: int) -> str:
    """The placement of the region that a piece is in, empty where it is in none."""
    return next((pieces[first].placement for first, last in _frames(pieces) if first < at < last), "")


def _without_empty_frames(pieces: Sequence[Piece]) -> list[Piece]:
    """Without frames that hold no block; where no block is left at all, without any part of one."""
    if not any(piece.id for piece in pieces):
        return [piece for piece in pieces if piece.kind == "outside"]
    gone = {
        at
        for frame in _frames(pieces)
        if not any(piece.id for piece in pieces[frame[0] : frame[1]])
        for at in frame
    }
    return [piece for at, piece in enumerate(pieces) if at not in gone]


def _with_region(pieces: list[Piece], added: list[Piece], placement: Placement, nl: str) -> list[Piece]:
    beyond = outside(pieces)
    check_place(beyond, placement)
    at, pieces = _place(pieces, below_title(beyond)) if placement == "prepend" else (len(pieces), pieces)
    before, after = join(pieces[:at]), join(pieces[at:])
    own = outside(pieces[:at])
    if nl == "\n" and (before.endswith("\r") or own.endswith("\r")):
        nl = "\r\n"
        added = [_block(block.id, block.body, nl) for block in added]
    lead, tail = _lead(own), _tail(before, after)  # other regions before it may go, the text stays
    heading = f"{HEADING}{nl}{nl}" if placement == "append" else ""
    begin = f"{nl * lead}<!-- learnloop:begin {placement} {lead} · {_ABOUT} -->{nl}{heading}"
    end = f"<!-- learnloop:end {placement} {tail} -->{nl * tail}"
    frame = (Piece("begin", begin, placement=placement), Piece("end", end, placement=placement))
    return [*pieces[:at], frame[0], *added, frame[1], *pieces[at:]]


def _place(pieces: list[Piece], offset: int) -> tuple[int, list[Piece]]:
    """The pieces cut at an offset of the text outside, and where the cut is."""
    if not offset:
        return 0, pieces
    for at, piece in enumerate(pieces):
        if piece.kind != "outside":
            continue
        if offset < len(piece.text):
            halves = [Piece("outside", piece.text[:offset]), Piece("outside", piece.text[offset:])]
            return at + 1, [*pieces[:at], *halves, *pieces[at + 1 :]]
        if offset == len(piece.text):
            return at + 1, pieces
        offset -= len(piece.text)
    return len(pieces), pieces


def _lead(before: str) -> int:
    """How many newlines set a region apart from what stands before it."""
    text = before.removeprefix(_BOM)
    if not text.strip("\r\n") or re.search(r"\n\r?\n\Z", text):
        return 0 if not text or text.endswith("\n") else 2
    return 1 if text.endswith("\n") else 2


def _tail(before: str, after: str) -> int:
    if after:
        return 1 if _NEWLINE.match(after) else 2
    text = before.removeprefix(_BOM)
    return 1 if not text or text.endswith("\n") else 0


def front_matter_end(text: str) -> int:
    """Where what follows the front matter begins, 0 where there is none; raises Refused where it is open."""
    start = len(_BOM) if text.startswith(_BOM) else 0
    opening = re.compile(r"---[ \t]*(?:\r?\n|\Z)").match(text, start)
    if opening is None:
        return 0
    closing = re.compile(r"^---[ \t]*(?:\r?\n|\Z)", re.M).search(text, opening.end())
    if closing is None:
        raise Refused("its front matter is not closed", "close it with a line of three dashes")
    return closing.end()


def below_title(text: str) -> int:
    """Where a block goes that stands first: below front matter and title."""
    start = front_matter_end(text) or (len(_BOM) if text.startswith(_BOM) else 0)
    title = re.compile(
        r"(?:[ \t]*\r?\n)*(?: {0,3}#(?:[ \t][^\n]*)?(?:\n|\Z)|[^\s<`~>|\-*+#][^\n]*\n=+[ \t]*\r?(?:\n|\Z))"
    ).match(text, start)
    return title.end() if title else start


def check_place(text: str, placement: Placement) -> None:
    """Raise Refused where what is added would be in front matter, or in a comment or fence that is open."""
    front_matter_end(text)
    if placement == "prepend":
        return
    if text.rfind("<!--") > text.rfind("-->"):
        raise Refused("a comment in it is not closed", "close it, so that what follows can be read")
    if _open_fence(text):
        raise Refused("a code fence in it is not closed", "close it, so that what follows can be read")


def _open_fence(text: str) -> bool:
    fence = ""
    for match in _FENCE.finditer(text):
        marks = match[1]
        if not fence:
            fence = marks
        elif marks[0] == fence[0] and len(marks) >= len(fence):
            line = text[match.end() : text.find("\n", match.end()) % (len(text) + 1)]
            fence = "" if not line.strip() else fence
    return bool(fence)

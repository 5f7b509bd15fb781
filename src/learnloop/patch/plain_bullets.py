"""Plain list items and import lines in a text, and the files for them: ours by words, without marks. Pure.

A new item goes under the nearest heading that is there, else under a new one. Only whole lines go in, and the
same lines come out, so everything else stays to the byte. A `frame` names what came with items, and goes with
the last of them.
"""

import difflib
import re
from collections.abc import Collection, Iterable, Sequence
from typing import Literal, NamedTuple

from learnloop.errors import Refused
from learnloop.learn.language import bullets
from learnloop.learn.language.bullets import TextLine
from learnloop.learn.lessons import fact_summary, meaning
from learnloop.models.patch import APPLIED_STATES, Patch, PatchTarget
from learnloop.patch import blocks
from learnloop.patch.steps import ApplyStep, Conflict, ConflictSides, Resolution, TargetState

NEW_FILE = ""
"""In a frame: the file itself. Other entries are headings, and lines before which a blank line came too."""
_NEAR = 0.6
"""From this share of equal characters on an item of the same file is ours, reworded by hand."""

_SUBJECT = re.compile(r"^(?:the )?user(?:'s)?\s+(\w)", re.I)
_SIGNS = re.compile(r"^(?:(?:[#>*+=~|-]+|\d+[.)])\s+)+")
_FULL_STOP = re.compile(r"(?<!\.)\.$")


class Inserted(NamedTuple):
    """A text with new lines, the heading they stand under, and what came with them."""

    text: str
    heading: str
    frame: tuple[str, ...]


def item_of(words: str) -> str:
    """Words as one list item: no marks of Markdown before them, no "User"; raises Refused without words."""
    bare = _SUBJECT.sub(lambda match: match[1].upper(), _SIGNS.sub("", " ".join(words.split())))
    return f"- {blocks.safe_body(_FULL_STOP.sub('', bare))}"


def insert(text: str, body: str, title: str) -> Inserted:
    """The text with an item under the nearest heading, or with import lines at its end.

    An empty text gets the title too. Raises Refused where what is added would not be read.
    """
    blocks.check_place(text, "append")
    inserted = _inserted(text, body, title)
    if not holds(inserted.text, body, inserted.heading):
        raise Refused("its words would not be read there", "put them into the file yourself")
    return inserted


def _inserted(text: str, body: str, title: str) -> Inserted:
    lead = [] if not text.strip("\ufeff") or text.endswith(("\n\n", "\r\n\r\n")) else [""]
    if not body.startswith("- "):
        placed = _put(text, len(text), [*lead, *body.split("\n")])
        return Inserted(placed, "", (f"\n{body}",) if lead else ())
    lines = bullets.read(text)
    at = _nearest(lines, body)
    if at is not None:
        placed = _put(text, _offset(lines, _end(lines, at)), [body])
        return Inserted(placed, lines[at].words, ())
    name = fact_summary.category_of(body)
    above = lead if text else [title, ""]
    frame = ("\n" * bool(above) + f"## {name}", *(() if text else (title,)))
    return Inserted(_put(text, len(text), [*above, f"## {name}", body]), name, frame)


def _nearest(lines: Sequence[TextLine], body: str) -> int | None:
    """The heading, below a title, whose words the item has, else the one that names what it is about."""
    headings = [at for at, line in enumerate(lines) if line.kind == "heading" and line.level > 1]
    words, category = set(meaning.normalise(body).split()), fact_summary.category_of(body)
    for at in headings:
        own = set(meaning.normalise(lines[at].words).split())
        if own and own <= words:
            return at
    return next((at for at in headings if fact_summary.names(lines[at].words, category)), None)


def _end(lines: Sequence[TextLine], at: int) -> int:
    """Where a heading's own lines end: after the last that is not blank.

    A hidden heading outside of code is one of a section that is called obsolete.
    """
    end, is_code = at + 1, False
    for other, line in enumerate(lines[at + 1 :], at + 1):
        is_code ^= line.kind == "hidden" and line.text.lstrip().startswith(("```", "~~~"))
        if line.kind == "heading" or (line.kind == "hidden" and not is_code and line.text.startswith("#")):
            break
        end = end if line.kind == "blank" else other + 1
    return end


def holds(text: str, body: str, heading: str) -> bool:
    """Whether the text has an item under its heading, or import lines, as they were written."""
    return _find(bullets.read(text), body, heading) is not None


def _find(lines: Sequence[TextLine], body: str, heading: str) -> int | None:
    searched, current = body.split("\n"), ""
    for at, line in enumerate(lines):
        current = line.words if line.kind == "heading" else current
        own = [other.text.rstrip("\r\n") for other in lines[at : at + len(searched)]]
        if own == searched and line.kind in ("bullet", "text") and heading in ("", current):
            return at
    return None


def edited(text: str, body: str) -> str:
    """What a person has made of an item, moved or reworded; empty where it is gone."""
    items = [line.text.strip() for line in bullets.read(text) if line.kind == "bullet"]
    if body in items or not body.startswith("- "):
        return body if body in items else ""
    return next(iter(difflib.get_close_matches(body, items, n=1, cutoff=_NEAR)), "")


def remove(text: str, body: str, heading: str, frame: Collection[str]) -> str:
    """The text without an item or import lines, and without what of the frame is empty then."""
    at = _find(bullets.read(text), body, heading)
    if at is None:
        return text
    for _ in body.split("\n"):
        text = _without_line(text, at)
    lines = bullets.read(text)
    if not heading and f"\n{body}" in frame and _is_blank(lines, at - 1):
        text, at = _without_line(text, at - 1), at - 1
        lines = bullets.read(text)
    text = _without_heading(text, lines, at, frame)
    is_bare = text.strip("\r\n") in frame and text.startswith("# ")
    return "" if is_bare else text


def _without_heading(text: str, lines: Sequence[TextLine], at: int, frame: Collection[str]) -> str:
    """The text without the heading above a line, where it is of the frame and nothing is left below it."""
    above = max((other for other in range(min(at, len(lines))) if lines[other].kind == "heading"), default=-1)
    mark = lines[above].text.rstrip("\r\n") if above >= 0 else ""
    is_ours = mark in frame or f"\n{mark}" in frame
    if not mark or not is_ours or _end(lines, above) > above + 1:
        return text
    is_led = f"\n{mark}" in frame and _is_blank(lines, above - 1)
    text = _without_line(text, above)
    return _without_line(text, above - 1) if is_led else text


def _is_blank(lines: Sequence[TextLine], at: int) -> bool:
    """Whether a line is blank; the one after a last newline is."""
    return 0 <= at <= len(lines) and (at == len(lines) or lines[at].kind == "blank")


def _put(text: str, at: int, added: Sequence[str]) -> str:
    """The text with whole lines at the beginning of a line, or at its end."""
    newline = blocks.newline_of(text)
    if at == len(text) and text and not text.endswith("\n"):
        newline = "\r\n" if text.endswith("\r") else newline
        return text + "".join(newline + line for line in added)
    return text[:at] + "".join(line + newline for line in added) + text[at:]


def _without_line(text: str, at: int) -> str:
    lines = bullets.read(text)
    start, own = _offset(lines, at), lines[at].text if at < len(lines) else ""
    if own.endswith("\n"):
        return text[:start] + text[start + len(own) :]
    return text[:start].removesuffix("\n").removesuffix("\r")


def _offset(lines: Sequence[TextLine], at: int) -> int:
    return sum(len(line.text) for line in lines[:at])


# The steps of a patch

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
        before = remove(text, target.block, target.heading, ())
    elif holds(text, patch.block, ""):
        return text, ApplyStep(None, Refused("it says so already", "nothing is to be done"))
    try:
        inserted = insert(before, patch.block, title_of(path))
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
    changed = "" if holds(text, words, target.heading) else edited(text, words)
    if changed and not resolution:
        raise Conflict(path, ConflictSides("", words, changed, _WHY))
    if resolution == "keep":
        return text
    return remove(text, changed or words, "" if changed else target.heading, frame)


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
    if holds(text, words, target.heading):
        return "clean"
    return "conflict" if edited(text, words) else "removed"


# The file that a fact belongs into: the project's own, or that of a folder in which was written

PROJECT_FILE, FOLDER_FILE = "LEARNED.md", "AGENTS.md"
_TITLE = "# Learned Preferences"


def fact_file(project: str, folder: str, written: Iterable[str]) -> str:
    """The file for a fact about a folder of a project; that of the project where nothing was written there.

    `written` are files, absolute or below the project. Whatever the folder is, the file is in the project.
    """
    parts = folder.split("/")
    is_plain = all(
        part and not part.startswith(".") and part.isprintable() and "\\" not in part for part in parts
    )
    below = f"{project}/{folder}/"
    inside = (name if name.startswith("/") else f"{project}/{name}" for name in written)
    if is_plain and any(name.startswith(below) and "/../" not in name for name in inside):
        return f"{below}{FOLDER_FILE}"
    return f"{project}/{PROJECT_FILE}"


def title_of(path: str) -> str:
    """The title of a file that is made for facts."""
    folder, _, name = path.rpartition("/")
    return _TITLE if name == PROJECT_FILE else f"# {folder.rpartition('/')[2].replace('_', ' ').capitalize()}"

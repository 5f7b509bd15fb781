"""Whose words a prompt is: what a person typed, and what somebody else wrote. Pure.

A prompt is read line by line. Some lines are never typed, such as a log's; others open a text of somebody
else, such as the head of a mail, and all below it belongs to that text. What stands above is the person's.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from learnloop.learn.language import block_chance, foreign_forms
from learnloop.learn.language.pasted import without_pasted

PRINTED = "print"
"""Of a session in print mode, or of an SDK."""
_LIKELY = "they read like a text of somebody else"
_WORD = re.compile(r"[^\W\d_]{2,}")
_LONGEST_REQUEST, _LEAST_BLOCK = 240, 600
_LONG_LINE = 400
_ENDS = tuple(":?.!,")


class Authorship(NamedTuple):
    """The words of a prompt that count, and whose they are."""

    words: str
    """What the person typed; all of it where somebody else may have written it."""
    reason: str
    """Why somebody else may have written it; empty where it is the person's."""
    judges: bool = True
    """Whether it says something about the turn before it, whoever wrote it."""


def read(prompt: str, payload: Mapping[str, Any]) -> Authorship:
    """The typed part of a prompt, or the reason why none of it is surely typed.

    Print mode is used by people and by programs, and the client tells no difference.
    """
    started = payload.get("headless")
    if started and started != PRINTED:
        return Authorship(prompt, "another program started the session that got them", judges=False)
    authorship = _read(prompt)
    if started and not authorship.reason:
        return Authorship(authorship.words, "nobody sat at the session that got them")
    return authorship


def _read(prompt: str) -> Authorship:
    authorship = by_form(prompt)
    lines = authorship.words.split("\n")
    if authorship.reason or (at := block_chance.opening(lines)) is None:
        return authorship
    typed = "\n".join(lines[:at]).rstrip()
    return Authorship(typed, "") if _is_typed(typed) else Authorship(prompt, _LIKELY, judges=False)


def by_form(prompt: str) -> Authorship:
    """The typed part of a prompt as far as forms tell, before any weighing."""
    lines = prompt.split("\n")
    opened, reason = _opening(lines)
    if opened is None:
        return _without_lines(prompt, lines)
    opened = _with_title(lines, opened)
    typed = "\n".join(lines[:opened]).rstrip()
    typed = _without_lines(typed, lines[:opened]).words
    return Authorship(typed, "") if _is_typed(typed) else Authorship(prompt, reason, judges=False)


def _opening(lines: Sequence[str]) -> tuple[int | None, str]:
    """Where somebody else's text begins, and its form."""
    cut = [line[:_LONG_LINE] for line in lines]
    if (at := _long_block(lines)) is not None:
        return at, "they stand in a long text below a short request"
    openings = [(at, reason) for reason, test in foreign_forms.OPENINGS if (at := test(cut)) is not None]
    return min(openings, default=(None, ""), key=lambda opening: opening[0])


def _with_title(lines: Sequence[str], opened: int) -> int:
    """Where a text begins with the lines that stand right above it; a line that leads over to it is typed."""
    while opened and lines[opened].strip() and lines[opened - 1].strip():
        if lines[opened - 1].rstrip().endswith(_ENDS):
            break
        opened -= 1
    return opened


def _long_block(lines: Sequence[str]) -> int | None:
    """Where a long paragraph begins below a short one."""
    blank = next((at for at, line in enumerate(lines) if not line.strip()), None)
    head = "\n".join(lines[:blank]).rstrip()
    if blank is None or len(head) > _LONGEST_REQUEST or not head.endswith(_ENDS):
        return None
    rest = "\n".join(lines[blank:])
    return blank if len(rest) >= _LEAST_BLOCK and not foreign_forms.addresses_the_agent(rest) else None


def _without_lines(prompt: str, lines: Sequence[str]) -> Authorship:
    """The prompt without the lines that nobody types; the reason where no line is left."""
    kept: list[str] = []
    is_foreign = False
    has_code = any(foreign_forms.is_copied(line[:_LONG_LINE]) for line in lines)
    for line in lines:
        starts = foreign_forms.is_copied(line[:_LONG_LINE])
        is_foreign = starts or (is_foreign and bool(line.strip()))
        is_left_out = is_foreign or foreign_forms.is_quoted(line)
        kept.append("" if is_left_out or (has_code and foreign_forms.is_beside_code(line)) else line)
    typed = "\n".join(kept)
    if _is_typed(without_pasted(typed)[0]):
        return Authorship(typed, "")
    is_foreign = _is_typed(prompt)
    return Authorship(prompt, "they are output, code or a log" if is_foreign else "", judges=not is_foreign)


def _is_typed(text: str) -> bool:
    return _WORD.search(text) is not None

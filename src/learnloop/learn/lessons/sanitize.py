"""Sanitises lessons before agents see them, and detects text that would need it when it is typed.

Agents get lessons as one line each under a heading, with a short id at the end. A text could try to close
the element around it, to start a lesson of its own, to speak as somebody else, or to carry another lesson's
id. The forms are looked for in letters that look alike folded into one.
"""

import html
import re
import unicodedata
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import NamedTuple

from learnloop.wire import render, text

_ALIKE = {
    alike: plain
    for plain, group in {
        "a": "аαɑΑАꓮ", "b": "вΒВƄ", "c": "сϲСꓚ", "d": "ԁɗ", "e": "еεΕЕꓰ℮", "g": "ɡց", "h": "һНΗ",
        "i": "іιıɩΙІӀ", "j": "јЈ", "k": "кκΚК", "l": "ӏǀ", "m": "мΜМ", "n": "нηΝ", "o": "оοσΟОօ", "p": "рρΡР",
        "q": "ԛ", "s": "ѕЅꓢ", "t": "тτΤТ", "u": "υս",
        "v": "ѵν", "w": "ԝωѡ", "x": "хχΧХ", "y": "уγΥУ", "z": "ΖᴢƵ",
        "-": "‐‑‒–—−", "/": "⁄∕⧸", "|": "∣❘¦ǀ", ":": "∶꞉",
    }.items()
    for alike in group
}  # fmt: skip
_LEET = str.maketrans("013457@$", "oieastas")
_LEET_WORD = re.compile(r"\b(?=\w*[^\W\d_]{2}|\w*[^\W\d_][013457][^\W\d_])[\w@$]*[013457@$][\w@$]*\b")
_DOTTED, _SPACED = (
    re.compile(rf"(?<=(?<![^\W_])[^\W_]){between}(?=[^\W_](?![^\W_]))") for between in ("[.*_-]", " ")
)
"""What stands between letters that stand alone."""
_GAPS = re.compile(r"[\s_]+")


def fold(value: str) -> str:
    """The text in small plain letters; every character stays in its place."""
    return value.lower() if value.isascii() else "".join(map(_plain, value))


def fold_words(value: str) -> str:
    """The words of a text in plain letters: what shows nothing is dropped, digits in words become letters."""
    folded = fold(
        unicodedata.normalize("NFC", html.unescape(_SPACED.sub("", _DOTTED.sub("", drop_unseen(value)))))
    )
    folded = "".join(char for char in folded if unicodedata.category(char) != "Mn")
    return _GAPS.sub(" ", _LEET_WORD.sub(lambda word: word[0].translate(_LEET), folded))


def drop_unseen(value: str) -> str:
    """The text without characters that show nothing."""
    if value.isascii():
        return value
    return "".join(char for char in value if char in "\n\t" or unicodedata.category(char) not in _UNSEEN)


_UNSEEN = ("Cf", "Cc", "Co", "Cn")


@lru_cache(4096)
def _plain(character: str) -> str:
    if character.isascii():
        return character.lower()
    if alike := _ALIKE.get(character):
        return alike
    plain = unicodedata.normalize("NFKD", character)[:1]
    return plain.lower() if plain.isascii() and plain.strip() else character.lower()[:1] or character


_WRAPPERS = (
    "system", "assistant", "human", "user", "developer", "reminder", "instruction", "lesson",
    "learnloop", "antml", "function", "function_call", "function_result", "tool", "tool_call",
    "tool_use", "tool_result", "background", "invoke", "parameter", "hook", "command", "task",
    "teammate", "local", "thinking", "message", "im_start", "im_end", "start_of_turn", "end_of_turn",
    "start_of_text", "end_of_text", "bos", "eos", "s", "sys",
)  # fmt: skip
_ROLES = "system|assistant|human|user|developer|instructions?"
_NAME = rf"(?:[\w.]*[-_:])?(?:{'|'.join(_WRAPPERS)})s?(?:[-_:\ufffd][\w.:\ufffd-]*)?"
_PLACEHOLDER = (
    r"(?:task|message|command|tool|function|parameter|hook|lesson|background|local|user)"
    r"(?: (?:id|name|number|title))?>(?!.*</)"
)
"""Words in angle brackets that nothing closes stand for a value: `<task>`, `<task id>`."""
_FORMS: tuple[tuple[str, str], ...] = (
    ("tag", rf"(?:<|&lt;)(?!{_PLACEHOLDER})(?=[/\s<]{{0,9}}{_NAME}(?:[\s/>=|]|&gt;|$))"),
    ("tag", r"(?:<|&lt;)(?=\s*(?:[|!]|/\s*>))"),
    ("sign", rf"(?:<|&lt;)(?=\s*\?)|<(?=user>)(?={_PLACEHOLDER})"),
    ("end", r"(?<=--)>"),
    ("bracket", r"\[(?=\s*/?\s*(?:inst|sys|system\b[^\]]{0,60})\s*\])"),
    ("speaker", rf"(?<![^\s*_>])(?:\#{{1,6}}\s*(?:{_ROLES})\b:?|(?:{_ROLES})\s?[*_]*:)(?!\S*\()"),
    ("speaker", r"(?<![\w“])[a-z]+ hook (?:success|feedback|additional context|error)\s?:"),
    ("heading", re.escape(fold(render.HEADING.partition(",")[0]))),
)  # fmt: skip
_RULES = tuple((kind, re.compile(pattern)) for kind, pattern in _FORMS)
_SIGNS = ("sign", "end")
"""Kinds that a person may well mean as they stand: `<?php`, `-->`."""
_MARK = re.compile(r"\(([a-z2-7]{4,26})\)")
_HEADING = render.HEADING.partition(",")[0]


class _Hit(NamedTuple):
    start: int
    end: int
    kind: str


def sanitize_line(words: str, is_id: Callable[[str], bool]) -> str:
    """The text on one line, changed so that it closes no element, starts no lesson and carries no id of one.

    `is_id` says whether a short id belongs to a lesson.
    """
    line = _line(words)
    pieces, at = [], 0
    for hit in _hits(line):
        pieces += [line[at : hit.start], _harmless(line[hit.start : hit.end], hit.kind)]
        at = hit.end
    line = "".join((*pieces, line[at:]))
    return _MARK.sub(lambda match: f"[{match[1]}]" if is_id(match[1]) else match[0], line)


def _harmless(part: str, kind: str) -> str:
    signs = {"tag": "‹", "sign": "‹", "end": "›", "bracket": "⟦"}
    return signs.get(kind) or f"“{part}”"


def _line(words: str) -> str:
    return " ".join(text.clean(words).split())


def _hits(line: str) -> Iterator[_Hit]:
    """The places in a line that could be read as ours or the client's, from left to right."""
    folded = fold(line)
    hits = sorted(
        _Hit(match.start(), match.end(), kind) for kind, rule in _RULES for match in rule.finditer(folded)
    )
    at = 0
    for hit in hits:
        is_name = (
            hit.kind == "speaker" and hit.start and not line[hit.start : hit.end].lstrip("# ")[:1].isupper()
        )
        if hit.start >= at and not is_name:
            yield hit
            at = hit.end


def hazard(words: str, is_id: Callable[[str], bool]) -> str:
    """What poses as something else, as a message; empty if nothing, and for single signs made harmless."""
    line = _line(words)
    if hit := next((hit for hit in _hits(line) if hit.kind not in _SIGNS), None):
        if hit.kind == "heading":
            return f"{_HEADING!r} is the heading of Learnloop's own text"
        what = "somebody else's words" if hit.kind == "speaker" else "the end of Learnloop's text"
        return f"{text.cut(line[hit.start :], 30)!r} could be read as {what}"
    if mark := next((match[0] for match in _MARK.finditer(line) if is_id(match[1])), ""):
        return f"{mark} is the mark of a lesson"
    if words.strip() and not any(map(str.isalnum, line)):
        return "there is nothing to read in it"
    return ""

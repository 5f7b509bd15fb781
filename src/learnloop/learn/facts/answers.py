"""The strict reader of answers: whatever comes, facts with clean words, or one reason why not. Pure."""

import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from learnloop.learn.facts.requests import KINDS
from learnloop.models.fact import TEXT_MAX
from learnloop.wire import redact, text

MOST_BYTES = 256 << 10
"""Of an answer; a longer one is refused whole."""
MOST = 60
"""Facts that are read of one answer."""
_NONE = re.compile(r"\bNONE\b")
_LINE = re.compile(r"^(?:(?P<name>[pf]\d{1,4}):\s*)?(?P<text>.+)$")
_PAIR = re.compile(r"^(FILE|FACT):\s*(.*)$")
_MARK = re.compile(r"^(?:[-*+•>]\s+|\d{1,3}[.)]\s+|#{1,6}\s+|`{3,}|-{3,}$|<!--)")
"""A mark of Markdown: one of a list is left out, with any other the line is no fact."""
_BULLET = re.compile(r"^(?:[-*+•]|\d{1,3}[.)])\s+")


class BadAnswer(ValueError):
    """An answer that cannot be read; its text says why, in words."""


class ReadFact(NamedTuple):
    """A fact as an answer has it."""

    text: str
    kind: str = "preference"
    names: tuple[str, ...] = ()
    """What it comes from, as the request calls it; empty where the answer does not say."""
    file: str = ""


def parse(answer: object, *, has_schema: bool) -> list[ReadFact]:
    """The facts of an answer: an object of the schema, or text; raises BadAnswer where it is neither."""
    if isinstance(answer, bytes):
        answer = _decoded(answer)
    if isinstance(answer, str):
        if len(answer) > MOST_BYTES:
            raise BadAnswer(f"the answer is longer than {MOST_BYTES >> 10} KiB")
        answer = _object(answer) if has_schema or answer.lstrip().startswith("{") else answer
    if isinstance(answer, dict):
        return _bounded(_of_object(answer))
    if isinstance(answer, str) and not has_schema:
        return _bounded(_of_text(answer))
    raise BadAnswer("the answer is no object of the schema")


def _decoded(data: bytes) -> str:
    if len(data) > MOST_BYTES:
        raise BadAnswer(f"the answer is longer than {MOST_BYTES >> 10} KiB")
    if b"\0" in data:
        raise BadAnswer("the answer is binary")
    return data.decode("utf-8", "replace")


def _object(answer: str) -> object:
    if not answer.strip():
        raise BadAnswer("the answer is empty")
    try:
        value: object = json.loads(answer)
    except (ValueError, RecursionError):
        raise BadAnswer("the answer is words instead of JSON") from None
    return value


def _bounded(facts: Iterator[ReadFact]) -> list[ReadFact]:
    """The first facts, each once."""
    seen: dict[str, ReadFact] = {}
    for fact in facts:
        seen.setdefault(fact.text.casefold(), fact)
        if len(seen) >= MOST:
            break
    return list(seen.values())


def _of_object(answer: dict[str, Any]) -> Iterator[ReadFact]:
    facts = answer.get("facts")
    if not isinstance(facts, list) or set(answer) != {"facts"}:
        raise BadAnswer("the answer does not fit the schema")
    return (fact for item in facts if (fact := _of_item(item)) is not None)


def _of_item(item: object) -> ReadFact | None:
    if not isinstance(item, dict) or not isinstance(item.get("text"), str):
        return None
    source = item.get("from", "")
    names = source if isinstance(source, list) else [source]
    if not names or not all(isinstance(name, str) and 0 < len(name) <= 8 for name in names):
        return None
    kind, file = item.get("kind"), item.get("file", "")
    words = statement(item["text"])
    if not words or kind not in KINDS or not isinstance(file, str):
        return None
    return ReadFact(words, kind, tuple(names), file)


def _of_text(answer: str) -> Iterator[ReadFact]:
    lines = [line.strip() for line in answer.split("\n") if line.strip()]
    if not lines:
        raise BadAnswer("the answer is empty")
    if len(lines) == 1 and _NONE.search(lines[0]):
        return iter(())
    return _of_pairs(lines) if any(map(_PAIR.match, lines)) else _of_lines(lines)


def _of_pairs(lines: list[str]) -> Iterator[ReadFact]:
    file = ""
    for line in lines:
        pair = _PAIR.match(line)
        if pair and pair[1] == "FILE":
            file = pair[2].strip().strip("`")
        elif pair and file and (words := statement(pair[2])):
            yield ReadFact(words, file=file)
            file = ""


def _of_lines(lines: list[str]) -> Iterator[ReadFact]:
    for line in lines:
        match = _LINE.match(_BULLET.sub("", line))
        if match and (words := statement(match["text"])):
            yield ReadFact(words, names=(match["name"],) if match["name"] else ())


def statement(words: str) -> str:
    """The words of a fact on one line; empty where they are too long, or no mere words in a file."""
    if len(words) > 4 * TEXT_MAX:
        return ""
    line = _BULLET.sub("", " ".join(redact.cleaned(words).split())).strip("\"'“” ")
    is_words = any(map(str.isalpha, line)) and not _MARK.match(line) and text.REPLACEMENT not in line
    return line if is_words and len(line) <= TEXT_MAX else ""

"""The strict reader of answers: whatever comes, facts with clean words, or one reason why not. Pure."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from learnloop.learn.facts.requests import JUDGEMENTS, KINDS, MOST_MOMENTS
from learnloop.models.fact import TEXT_MAX, FactKind
from learnloop.wire import redact, text

MOST_BYTES = 256 << 10
"""Of an answer; a longer one is refused whole."""
SURE, SUREST = 65, 100
"""How sure a fact is of which no model says it, and the most."""
MOST = 60
"""Facts that are read of one answer."""
_FENCED = re.compile(r"\A\s*```(?:json)?\s*\n|\n```\s*\Z")
_MARK = re.compile(r"^(?:[-*+•>]\s+|\d{1,3}[.)]\s+|#{1,6}\s+|`{3,}|-{3,}$|<!--)")
"""A mark of Markdown: one of a list is left out, with any other the line is no fact."""
_BULLET = re.compile(r"^(?:[-*+•]|\d{1,3}[.)])\s+")


class BadAnswer(ValueError):
    """An answer that cannot be read; its text says why, in words."""


class ReadFact(NamedTuple):
    """A fact as an answer has it."""

    text: str
    kind: FactKind = "preference"
    names: tuple[str, ...] = ()
    """What it comes from, as the request calls it."""
    file: str = ""
    sure: int = SURE
    """Of 100, that the person approves it as it is worded."""
    scope: str = "project"
    """project, everywhere, or a folder."""
    when: tuple[str, ...] = ()
    """Moments, as the request names them."""
    place: str = "new"
    """Where it belongs among what is known, as the request names it."""


class Answer(NamedTuple):
    """What a model said."""

    facts: list[ReadFact]
    judged: Mapping[str, tuple[str, ...]] = {}
    """By message what it says of the turn before it, each of `JUDGEMENTS`."""
    given: Mapping[str, Any] = {}
    """A check, acts to try one on, or what a turn broke, as they came."""


def parse(answer: object) -> Answer:
    """Read an object of a schema, today's or an earlier one, or its text; raises BadAnswer for all else."""
    if isinstance(answer, bytes):
        answer = _decoded(answer)
    if isinstance(answer, str):
        if len(answer) > MOST_BYTES:
            raise BadAnswer(f"the answer is longer than {MOST_BYTES >> 10} KiB")
        answer = _object(_FENCED.sub("", answer))
    if isinstance(answer, dict):
        return _of_object(answer)
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


def _of_object(answer: dict[str, Any]) -> Answer:
    if set(answer) in ({"check"}, {"breaks", "keeps"}, {"broken"}):
        return Answer([], given=answer)
    for name, read, others in (("lessons", _of_lesson, {"turns"}), ("facts", _of_item, set[str]())):
        items, turns = answer.get(name), answer.get("turns", [])
        if isinstance(items, list) and isinstance(turns, list) and set(answer) <= {name, *others}:
            judged = dict(pair for item in reversed(turns) if (pair := _judgement(item)))
            return Answer(_bounded(fact for item in items if (fact := read(item)) is not None), judged)
    raise BadAnswer("the answer does not fit the schema")


def _judgement(item: object) -> tuple[str, tuple[str, ...]] | None:
    if not isinstance(item, dict) or not isinstance(item.get("says"), list):
        return None
    says = tuple(word for word in JUDGEMENTS if word in item["says"])
    return (item["message"], says) if says and isinstance(item.get("message"), str) else None


def _of_lesson(item: object) -> ReadFact | None:
    fact = _of_item(item)
    if fact is None or not isinstance(item, dict):
        return None
    sure, scope, place, when = (item.get(name) for name in ("sure", "scope", "place", "when"))
    if not isinstance(sure, int) or isinstance(sure, bool) or not 0 <= sure <= SUREST:
        return None
    if not (isinstance(scope, str) and isinstance(place, str) and isinstance(when, list)):
        return None
    if max(len(scope), len(place)) > TEXT_MAX:
        return None
    moments = [word for word in when if isinstance(word, str) and len(word) <= TEXT_MAX]
    return fact._replace(sure=sure, scope=scope, place=place, when=tuple(moments[:MOST_MOMENTS]))


def _of_item(item: object) -> ReadFact | None:
    if not isinstance(item, dict) or not isinstance(item.get("text"), str):
        return None
    source = item.get("from", "")
    names = source if isinstance(source, list) else [source]
    if not names or not all(isinstance(name, str) and 0 < len(name) <= 8 for name in names):
        return None
    kind, file = item.get("kind", "preference"), item.get("file", "")
    words = statement(item["text"])
    if not words or kind not in KINDS or not isinstance(file, str):
        return None
    return ReadFact(words, kind, tuple(names), file)


def statement(words: str) -> str:
    """The words of a fact on one line; empty where they are too long, or no mere words in a file."""
    if len(words) > 4 * TEXT_MAX:
        return ""
    line = _BULLET.sub("", " ".join(redact.cleaned(words).split())).strip("\"'“” ")
    is_words = any(map(str.isalpha, line)) and not _MARK.match(line) and text.REPLACEMENT not in line
    return line if is_words and len(line) <= TEXT_MAX else ""

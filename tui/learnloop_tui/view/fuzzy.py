"""Finding by a few typed characters: how well a text fits them, and which of many rows fit best. Pure."""

import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from heapq import nlargest
from operator import itemgetter
from typing import TypeVar

from learnloop_tui.view.state import Row

T = TypeVar("T")

MOST = 80
_LOOSE = 2
"""Characters in order may take up so many times their own length; further apart they are chance."""
_LEAST_LOOSE = 2
"""From so many characters on, letters in order count where no word fits."""
_BESIDE = 0.5
"""The score of words that are in the rest of a lesson, not in its statement."""


def asked(query: str) -> str:
    """What is looked for: lower case, runs of white space as one space."""
    return " ".join(query[:MOST].lower().split())


def score(query: str, text: str) -> float:
    """How well a text in lower case fits what is asked: 0 (not at all) to 1 (begins with it)."""
    at = text.find(query)
    if at == 0:
        return 1.0
    if at > 0:
        return 0.85 if text[at - 1].isalnum() else 0.95
    if all(word in text for word in query.split()):
        return 0.75
    positions = _in_order(query, text)
    return 0.3 + 0.3 * len(query) / (positions.end() - positions.start()) if positions else 0.0


def _in_order(query: str, text: str) -> re.Match[str] | None:
    """The letters of the query in their order, near each other."""
    if len(query) < _LEAST_LOOSE:
        return None
    positions = _pattern(query).search(text)
    near = positions is not None and positions.end() - positions.start() <= _LOOSE * len(query)
    return positions if near else None


@lru_cache(maxsize=8)
def _pattern(query: str) -> re.Pattern[str]:
    letters = [letter for letter in query if letter != " "]
    gaps = [f"[^{re.escape(letter)}]*{re.escape(letter)}" for letter in letters[1:]]
    return re.compile(re.escape(letters[0]) + "".join(gaps), re.S)


def spans(query: str, text: str) -> list[tuple[int, int]]:
    """Start and end of each match in a text, to be highlighted; empty where there is no one place."""
    low = text.lower()
    if not query or len(low) != len(text):
        return []
    if (at := low.find(query)) >= 0:
        return [(at, at + len(query))]
    words = [(low.find(word), len(word)) for word in query.split()]
    if all(at >= 0 for at, _ in words):
        return [(at, at + size) for at, size in words]
    positions = _in_order(query, low)
    return [] if positions is None else list(_letters(query, low, positions.start()))


def _letters(query: str, low: str, at: int) -> Iterable[tuple[int, int]]:
    for letter in query:
        if letter != " ":
            at = low.index(letter, at) + 1
            yield at - 1, at


def lessons(query: str, rows: Sequence[Row], most: int) -> list[tuple[float, Row]]:
    """The rows that fit best, best first; equals in their own order.

    Words are looked for in all that a filter searches; letters in order only in statements, and only
    where words leave room.
    """
    asked_words = asked(query)
    if not asked_words:
        return []
    words = asked_words.split()
    scored: list[tuple[float, int]] = []
    for at, row in enumerate(rows):
        if all(word in row.haystack for word in words):
            scored.append((max(score(asked_words, row.statement.lower()), _BESIDE), -at))
    if len(scored) < most and len(asked_words) >= _LEAST_LOOSE:
        ids = {at for _, at in scored}
        scored += [
            (score(asked_words, low), -at)
            for at, row in enumerate(rows)
            if -at not in ids and _in_order(asked_words, low := row.statement.lower())
        ]
    return [(good, rows[-at]) for good, at in nlargest(most, scored, key=itemgetter(0, 1))]


def best(query: str, items: Sequence[T], text_of: Callable[[T], str], most: int) -> list[tuple[float, T]]:
    """Those of anything else that fit best, by a text in lower case; equals in their own order."""
    scored = ((score(query, text_of(item)), -at) for at, item in enumerate(items))
    fitting = nlargest(most, (pair for pair in scored if pair[0]), key=itemgetter(0, 1))
    return [(good, items[-at]) for good, at in fitting]

"""Finds stored lessons that say the same as a draft, without comparing the draft with each."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from learnloop.learn.lessons import fingerprint

Doc = dict[str, Any]
NORMAL = "_normal"
"""The stored field with the words that a lesson is compared by."""


class StatementIndex:
    """An index of lessons by fingerprint and word 3-grams."""

    def __init__(self, documents: dict[str, Doc]) -> None:
        self._by_fingerprint: dict[str, list[str]] = {}
        self._by_gram: dict[fingerprint.Gram, list[str]] = {}
        self._sizes: dict[str, int] = {}
        self._denies: dict[str, bool] = {}
        for lesson_id, doc in documents.items():
            self.add(lesson_id, doc)

    def add(self, lesson_id: str, doc: Doc) -> None:
        """Add a lesson, or its new words."""
        grams = fingerprint.grams(normal(doc))
        self._sizes[lesson_id] = len(grams)
        self._denies[lesson_id] = fingerprint.denies(normal(doc))
        self._by_fingerprint.setdefault(doc.get("fingerprint", ""), []).append(lesson_id)
        for gram in grams:
            self._by_gram.setdefault(gram, []).append(lesson_id)

    def similar(self, lesson: Doc) -> Iterator[str]:
        """Yield the ids of lessons that say the same, the surest first."""
        yield from self._by_fingerprint.get(lesson["fingerprint"], ())
        grams = fingerprint.grams(normal(lesson))
        shared = Counter(lesson_id for gram in grams for lesson_id in set(self._by_gram.get(gram, ())))
        denies = fingerprint.denies(normal(lesson))
        for lesson_id, count in shared.most_common():
            is_near = fingerprint.is_near(count, len(grams), self._sizes[lesson_id])
            if is_near and self._denies[lesson_id] == denies:
                yield lesson_id


def normal(doc: Doc) -> str:
    """Return the words that a lesson is compared by."""
    return doc[NORMAL] if NORMAL in doc else fingerprint.normalise(words_of(doc))


def words_of(doc: Doc) -> str:
    """Return what a lesson says: its statement, else its title."""
    return str(doc.get("statement") or doc.get("title", ""))

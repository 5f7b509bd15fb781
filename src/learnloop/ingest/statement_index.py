"""Finds stored lessons that say the same as a draft, without comparing the draft with each."""

from collections.abc import Iterator
from typing import Any

from learnloop.learn.lessons import meaning, similarity

Doc = dict[str, Any]
NORMAL = "_meaning"
"""The stored field with the meaning that a lesson is compared by."""

ORIGIN = "_origin"
"""The stored field with the project in which a draft was said first, also of one that holds everywhere."""
BRIEF = 300
"""A remark of at most so many characters is about one thing."""


class StatementIndex:
    """An index of lessons by fingerprint and meaning."""

    def __init__(self, documents: dict[str, Doc]) -> None:
        self._by_fingerprint: dict[str, list[str]] = {}
        self._meanings = similarity.MeaningIndex()
        for lesson_id, doc in documents.items():
            self.add(lesson_id, doc)

    def add(self, lesson_id: str, doc: Doc) -> None:
        """Add a lesson, or its new words."""
        same = self._by_fingerprint.setdefault(doc.get("fingerprint", ""), [])
        if lesson_id not in same:
            same.append(lesson_id)
        self._meanings.add(lesson_id, meaning.parse(normal(doc)))

    def similar(self, lesson: Doc) -> Iterator[str]:
        """Yield the ids of lessons that say the same, the surest first."""
        yield from self._by_fingerprint.get(lesson["fingerprint"], ())
        for _, lesson_id in self._meanings.nearest(meaning.parse(normal(lesson))):
            yield lesson_id


def normal(doc: Doc) -> str:
    """Return the meaning that a lesson is compared by."""
    return doc[NORMAL] if NORMAL in doc else meaning.read(words_of(doc)).normal


def marks(lesson: Doc) -> list[str]:
    """Return texts of which the line of a lesson that says the same contains at least one."""
    handles = meaning.parse(normal(lesson)).handles
    return [lesson["fingerprint"], *(f"{handle}=" for handle in handles)]


def words_of(doc: Doc) -> str:
    """Return what a lesson says: its statement, else the brief words that it was heard in, else its title."""
    quote = next((str(item["quote"]) for item in doc.get("evidence", ())), "")
    heard = quote if len(quote) <= BRIEF else ""
    return str(doc.get("statement") or heard or doc.get("title", ""))

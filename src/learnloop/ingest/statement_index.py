"""An inverted index of statements: finds lessons that say the same as a draft without a look at each."""

from collections.abc import Iterator
from itertools import chain
from typing import Any

from learnloop.learn.lessons import meaning, similarity
from learnloop.wire import origin

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
        yield from chain.from_iterable(self._by_fingerprint.get(print_, ()) for print_ in _prints(lesson))
        for _, lesson_id in self._meanings.nearest(meaning.parse(normal(lesson))):
            yield lesson_id


def normal(doc: Doc) -> str:
    """Return the meaning that a lesson is compared by."""
    return doc[NORMAL] if NORMAL in doc else meaning.read(words_of(doc)).normal


def marks(lesson: Doc) -> list[str]:
    """Return texts of which the line of a lesson that says the same contains at least one."""
    handles = meaning.parse(normal(lesson)).handles
    return [*_prints(lesson), *(f"{handle}=" for handle in handles)]


def is_same_place(stored: Doc, lesson: Doc) -> bool:
    """Whether a stored lesson holds where a new one was said, or in another checkout of that repository."""
    here, there = (str(doc.get(ORIGIN) or doc.get("project", "")) for doc in (stored, lesson))
    is_same_folder = stored.get("project", "") == lesson.get("project", "")
    is_there = is_same_folder or origin.is_same(here, there, stored.get("repo", ""))
    return bool(stored) and (stored.get("scope") == "global" or is_there)


def placed(doc: Doc) -> Doc:
    """A lesson with the name of its project that travels, and with the fingerprint of its words there."""
    place = origin.key(str(doc.get("project", "")), str(doc.get("repo", "")))
    if place[:1] in ("", "/"):
        return {**doc, "repo": ""} if doc.get("repo") else doc
    return {**doc, "repo": place, "fingerprint": _print(doc, place)}


def _print(doc: Doc, place: str) -> str:
    return meaning.fingerprint_of(words_of(doc), str(doc.get("scope", "project")), place)


def _prints(doc: Doc) -> list[str]:
    """The fingerprints that a lesson which says the same may have, also the one from before it was named."""
    prints = [doc["fingerprint"], placed(doc)["fingerprint"], _print(doc, str(doc.get("project", "")))]
    return list(dict.fromkeys(prints))


def words_of(doc: Doc) -> str:
    """Return what a lesson says: its statement, else the brief words that it was heard in, else its title."""
    quote = next((str(item["quote"]) for item in doc.get("evidence", ())), "")
    heard = quote if len(quote) <= BRIEF else ""
    return str(doc.get("statement") or heard or doc.get("title", ""))

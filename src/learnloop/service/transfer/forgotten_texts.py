"""What was said in forgotten events, to prove by the words themselves that none of it is left. Pure."""

import json
from collections.abc import Iterable, Iterator

_SHORTEST, _COMPARED = 24, 60
"""Shorter texts are elsewhere by chance; of longer ones the beginning is compared: copies are cut."""


def texts_in(values: Iterable[object]) -> set[str]:
    """The beginnings of the longer texts in JSON values."""
    return {text.strip()[:_COMPARED] for value in values for text in _texts(value) if _is_telling(text)}


def are_in(data: bytes, texts: frozenset[str]) -> bool:
    """Whether a file of JSON, or of a JSON value a line, contains one of the texts.

    What is no JSON is searched as it is.
    """
    if not texts:
        return False
    decoded = data.decode("utf-8", "replace")
    for piece in (decoded, *decoded.splitlines()):
        try:
            value = json.loads(piece.strip().removesuffix(",") or "null")
        except (ValueError, RecursionError):
            continue
        if not texts.isdisjoint(texts_in([value])):
            return True
        if piece is decoded:
            return False
    return any(text in decoded or json.dumps(text)[1:-1] in decoded for text in texts)


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _texts(inner)


def _is_telling(text: str) -> bool:
    return len(text.strip()) >= _SHORTEST and " " in text.strip()

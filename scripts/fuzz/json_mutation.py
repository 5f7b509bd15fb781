"""Mutation of JSON inputs as values: what comes of it is JSON still, with anything anywhere."""

import json
import random
from collections.abc import Sequence
from typing import Any

ODD: tuple[Any, ...] = (
    None, True, 0, -1, 1e308, 10**40, "", "\ud800", "\0", "x" * 3_000, [], {}, [[[[]]]], {"a": {"b": [None]}},
)  # fmt: skip


def mutated(data: bytes, chance: random.Random, words: Sequence[str]) -> bytes:
    """The same document with some of its values changed; what is no JSON is returned as it is."""
    try:
        document = json.loads(data)
    except (ValueError, RecursionError):
        return data
    for _ in range(chance.randrange(1, 4)):
        document = _changed(document, chance, words)
    return json.dumps(document, ensure_ascii=chance.random() < 0.5).encode("utf-8", "surrogatepass")


def _changed(value: Any, chance: random.Random, words: Sequence[str]) -> Any:
    """The value with one change, here or further in."""
    if isinstance(value, dict) and value and chance.random() < 0.8:
        name = chance.choice(list(value))
        if chance.random() < 0.1:
            return {other: inner for other, inner in value.items() if other != name}
        return {**value, name: _changed(value[name], chance, words)}
    if isinstance(value, list) and value and chance.random() < 0.8:
        at = chance.randrange(len(value))
        if chance.random() < 0.2:
            return value * chance.choice((0, 2, 40))
        return [*value[:at], _changed(value[at], chance, words), *value[at + 1 :]]
    return _other(value, chance, words)


def _other(value: Any, chance: random.Random, words: Sequence[str]) -> Any:
    word = chance.choice(words)
    if isinstance(value, str) and chance.random() < 0.6:
        at = chance.randrange(len(value) + 1)
        return value[:at] + word * chance.choice((1, 1, 100)) + value[at:]
    return chance.choice((*ODD, word, [value, value], {word: value}))

"""Seeded mutation: inputs of a target without end, the same for the same seed."""

import random
from collections.abc import Callable, Iterator, Sequence

from scripts.fuzz import corpus, json_mutation

LARGEST = 4_096
_JSON = ("payload", "journal_line", "transcript", "settings", "imported")
_ODD = (
    b"\0",
    b"\xff",
    b"\xed\xa0\x80",
    b"\xe2\x80\x8b",
    b"\xf0\x9f\x92\xa9",
    b"\\u0000",
    b"9" * 40,
    b"-1",
    b"\x1b[2J",
)
Mutation = Callable[[bytearray, random.Random, Sequence[bytes]], None]


def inputs(name: str, seed: int) -> Iterator[bytes]:
    """Seeds of the target, each mutated a few times."""
    chance = random.Random(f"{name} {seed}")
    seeds = corpus.seeds(name)
    while True:
        data = bytearray(chance.choice(seeds))
        if name in _JSON and chance.random() < 0.7:
            yield _lines_mutated(bytes(data), chance, corpus.WORDS[name])
            continue
        while chance.random() < 0.8:
            chance.choice(_MUTATIONS)(data, chance, seeds)
        yield bytes(data[:LARGEST])


def _lines_mutated(data: bytes, chance: random.Random, words: Sequence[str]) -> bytes:
    """Values changed in each line, or in the document where it is one."""
    lines = data.split(b"\n") if data[:1] == b"{" and b"\n{" in data else [data]
    return b"\n".join(json_mutation.mutated(line, chance, words) for line in lines)


def _slice(data: bytearray, chance: random.Random) -> slice:
    start = chance.randrange(len(data) + 1)
    return slice(start, start + chance.randrange(1 + min(64, len(data))))


def _insert(data: bytearray, chance: random.Random, seeds: Sequence[bytes]) -> None:
    at = chance.randrange(len(data) + 1)
    data[at:at] = chance.choice(seeds)[:256]


def _insert_odd(data: bytearray, chance: random.Random, seeds: Sequence[bytes]) -> None:
    at = chance.randrange(len(data) + 1)
    data[at:at] = chance.choice(_ODD)


def _remove(data: bytearray, chance: random.Random, seeds: Sequence[bytes]) -> None:
    del data[_slice(data, chance)]


def _change(data: bytearray, chance: random.Random, seeds: Sequence[bytes]) -> None:
    if data:
        data[chance.randrange(len(data))] = chance.randrange(256)


def _repeat(data: bytearray, chance: random.Random, seeds: Sequence[bytes]) -> None:
    part = _slice(data, chance)
    data[part] = data[part] * chance.choice((2, 3, 50))


def _nest(data: bytearray, chance: random.Random, seeds: Sequence[bytes]) -> None:
    before, after = chance.choice(seeds)[:16], chance.choice(seeds)[:16]
    depth = chance.choice((1, 2, 60))
    data[:] = before * depth + data + after * depth


def _move(data: bytearray, chance: random.Random, seeds: Sequence[bytes]) -> None:
    part = _slice(data, chance)
    moved = data[part]
    del data[part]
    at = chance.randrange(len(data) + 1)
    data[at:at] = moved


_MUTATIONS: tuple[Mutation, ...] = (_insert, _insert, _insert_odd, _remove, _change, _repeat, _nest, _move)

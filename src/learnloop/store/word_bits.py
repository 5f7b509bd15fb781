"""Which words some texts may hold: a bit for every three signs in a row, of which a word has all. Pure."""

import zlib
from collections.abc import Iterable

_BITS = 1 << 14


def of(texts: Iterable[str]) -> bytes:
    """The bits of some texts."""
    numbers = {zlib.crc32(three.encode("utf-8", "replace")) % _BITS for three in _threes(texts)}
    bits = bytearray(_BITS // 8)
    for number in numbers:
        bits[number >> 3] |= 1 << (number & 7)
    return bytes(bits)


def may_hold(bits: bytes, words: bytes) -> bool:
    """Whether texts with these bits may hold all words with those."""
    own, asked = int.from_bytes(bits, "big"), int.from_bytes(words, "big")
    return own & asked == asked


def _threes(texts: Iterable[str]) -> set[str]:
    threes: set[str] = set()
    for text in texts:
        low = text.lower()
        threes.update([low[at : at + 3] for at in range(len(low) - 2)])
    return threes

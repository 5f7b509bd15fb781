"""How often chances came true, as the table of docs/detection.md; needs nothing but Python."""

from collections.abc import Iterator, Sequence

STEP = 10
FEWEST = 12
"""Bands of fewer rows are joined with the one below them; the lowest with the one above."""


def bands(chances: Sequence[float], truths: Sequence[bool]) -> Iterator[tuple[int, int, int, float]]:
    """For each band of chances, in percent: from, to, how many, and the share of them that were true."""
    judged = list(zip(chances, truths, strict=True))
    high, found = 100, list[bool]()
    joined: list[tuple[int, int, list[bool]]] = []
    for low in range(100 - STEP, -STEP, -STEP):
        found += [true for chance, true in judged if low <= 100 * chance < low + STEP + (low + STEP == 100)]
        if len(found) >= FEWEST:
            joined.append((low, high, found))
            high, found = low, []
    if found:
        _, high, above = joined.pop() if joined else (0, high, [])
        joined.append((0, high, [*above, *found]))
    for low, high, true in reversed(joined):
        yield low, high, len(true), sum(true) / len(true)


def table(title: str, chances: Sequence[float], truths: Sequence[bool]) -> Iterator[str]:
    """The lines of a table, as Markdown."""
    yield f"| {title} | how many | came true |"
    yield "|---|---|---|"
    for low, high, count, share in bands(chances, truths):
        yield f"| {low}–{high} % | {count} | {share:.0%} |"

"""How often chances came true, as the table of docs/detection.md; needs nothing but Python."""

from collections.abc import Iterator, Sequence

STEP = 10
FEWEST = 8
"""Bands of fewer rows are joined with the one below them."""


def bands(chances: Sequence[float], truths: Sequence[bool]) -> Iterator[tuple[int, int, int, float]]:
    """For each band of chances, in percent: from, to, how many, and the share of them that were true."""
    judged = list(zip(chances, truths, strict=True))
    high, found = 100, list[bool]()
    joined: list[tuple[int, int, int, float]] = []
    for low in range(100 - STEP, -STEP, -STEP):
        found += [true for chance, true in judged if low <= 100 * chance < low + STEP + (low + STEP == 100)]
        if len(found) >= FEWEST or (found and not low):
            joined.append((low, high, len(found), sum(found) / len(found)))
            high, found = low, []
    yield from reversed(joined)


def table(title: str, chances: Sequence[float], truths: Sequence[bool]) -> Iterator[str]:
    """The lines of a table, as Markdown."""
    yield f"| {title} | how many | came true |"
    yield "|---|---|---|"
    for low, high, count, share in bands(chances, truths):
        yield f"| {low}–{high} % | {count} | {share:.0%} |"

"""Reciprocal rank fusion of several rankings: what stands high in several comes first. Pure."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeVar

from learnloop.wire import earlier, nearness

if TYPE_CHECKING:
    from learnloop.wire.index import RecordSection
    from learnloop.wire.nearness import Nearness, Record

K = 60
"""How little the very first places count more than the next ones."""
T = TypeVar("T", bound=Hashable)


def fused(*rankings: Sequence[T]) -> list[T]:
    """All that is in some rankings; what is equal stays in the order of the first."""
    points: dict[T, float] = {}
    for ranking in rankings:
        for place, each in enumerate(ranking, 1):
            points[each] = points.get(each, 0.0) + 1 / (K + place)
    return sorted(points, key=lambda each: -points[each])


def ranked(parts: Mapping[T, Nearness], by_score: Sequence[T], in_meaning: Sequence[T]) -> list[T]:
    """Tasks that were ranked by their score, and those near in meaning, in one order.

    Files count in a ranking of their own as well: they say more than meaning does.
    """
    by_files = sorted(
        (each for each in by_score if parts[each][1]),
        key=lambda each: parts[each][1] * parts[each][2],
        reverse=True,
    )
    return fused(by_score, by_files, in_meaning) if in_meaning else list(by_score)


def nearest(
    sections: Sequence[RecordSection], prompt: str, files: Sequence[str], in_meaning: Sequence[int],
    count: int,
) -> list[tuple[Record, Nearness]]:  # fmt: skip
    """The tasks nearest to words and files, `count` of them, and as many of those near in meaning.

    `in_meaning`: the numbers of the latter, the nearest first. Without them the result is that of
    `wire.earlier.nearest`; with them nothing of it is missing.
    """
    total = sum(section.count for section in sections)
    parts = earlier.scored(sections, prompt, files)
    points = {number: nearness.score(each) for number, each in parts.items()}
    by_score = sorted(filter(points.get, points), key=lambda number: (points[number], number), reverse=True)
    return [
        (earlier.record(sections, number), parts.get(number, (0, 0, earlier.age(number, total))))
        for number in ranked(parts, by_score[:count], in_meaning[:count])
    ]

"""The rows nearest to a vector, by a look at every row."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from learnloop.vectors.embedder import Vectors
    from learnloop.vectors.row_file import RowFile

_MOST = 1.01
"""The cosine of two unit vectors is not larger: a row with more is damaged."""


class Hit(NamedTuple):
    """A task near to a vector."""

    similarity: float
    """The cosine of the angle between them."""
    part: str
    """The name of its part of the index."""
    project: str
    number: int
    """Its number in the project's section of the part."""
    key: bytes


def nearest(
    by_part: Mapping[str, RowFile], vector: Vectors, count: int, project: str | None = None
) -> list[Hit]:
    """The nearest tasks of some parts, of one project if named; damaged rows are near to nothing."""
    hits = [hit for part, file in by_part.items() for hit in _best(part, file, vector, count, project)]
    return sorted(hits, key=lambda hit: -hit.similarity)[:count]


def _best(part: str, file: RowFile, vector: Vectors, count: int, project: str | None) -> Iterator[Hit]:
    first, held = (0, file.head.rows) if project is None else file.head.projects.get(project, (0, 0))
    rows = np.frombuffer(file.data, np.float32, held * file.head.dim, file.begin + first * file.width)
    with np.errstate(all="ignore"):
        similarities = rows.reshape(held, file.head.dim) @ vector
        similarities[~(np.abs(similarities) <= _MOST)] = 0
    best = np.argpartition(-similarities, count)[:count] if held > count else range(held)
    for place in best:
        if similarities[place] > 0:
            name, number = file.place(first + int(place))
            yield Hit(float(similarities[place]), part, name, number, file.key(first + int(place)))

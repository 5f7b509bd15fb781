"""The rows nearest to a vector, by a look at every row."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from learnloop.store.vector_table import VectorBlock
    from learnloop.vectors.embedder import Vectors

_MOST = 1.01
"""The cosine of two unit vectors is not larger: a row with more is damaged."""


class Hit(NamedTuple):
    """A task near to a vector."""

    similarity: float
    """The cosine of the angle between them."""
    number: int
    """Its number among the tasks that were looked at."""
    id: str


def nearest(
    blocks: Iterable[VectorBlock], vector: Vectors, count: int, project: int | None = None
) -> list[Hit]:
    """The nearest tasks of some blocks, of one project by its number; odd rows are near to nothing."""
    hits, before = list[Hit](), 0
    for block in blocks:
        rows = np.frombuffer(block.rows, np.float32).reshape(len(block.ids), -1)
        if rows.shape[1] != len(vector):
            continue
        numbers = np.frombuffer(block.projects, np.int32)
        chosen = np.arange(len(block.ids)) if project is None else np.flatnonzero(numbers == project)
        near = _best(rows if project is None else rows[chosen], vector, count)
        hits += (Hit(cosine, before + at, block.ids[chosen[at]]) for at, cosine in near)
        before += len(chosen)
    return sorted(hits, key=lambda hit: -hit.similarity)[:count]


def _best(rows: Vectors, vector: Vectors, count: int) -> Iterator[tuple[int, float]]:
    """The places of the nearest rows, with their cosines."""
    with np.errstate(all="ignore"):
        similarities = rows @ vector
        similarities[~(np.abs(similarities) <= _MOST)] = 0
    best = np.argpartition(-similarities, count)[:count] if len(rows) > count else range(len(rows))
    return ((int(at), float(similarities[at])) for at in best if similarities[at] > 0)

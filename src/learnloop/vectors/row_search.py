"""The nearest neighbours of a vector, by a look at every row."""

from __future__ import annotations

import bisect
import json
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from learnloop.store.vector_table import VectorBlock

    Vectors = NDArray[np.float32]

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
    cosines, starts = [np.zeros(0, np.float32)], [0]
    places: list[tuple[str, NDArray[np.intp]]] = []
    for block in blocks:
        numbers = np.frombuffer(block.projects, np.int32)
        rows = np.frombuffer(block.rows, np.float32).reshape(len(numbers), -1)
        if rows.shape[1] == len(vector):
            chosen = np.arange(len(rows)) if project is None else np.flatnonzero(numbers == project)
            cosines.append(_cosines(rows, vector)[chosen])
            places.append((block.ids, chosen))
            starts.append(starts[-1] + len(chosen))
    every = np.concatenate(cosines)
    best = np.argpartition(-every, count)[:count] if len(every) > count else np.arange(len(every))
    hits = []
    for number in sorted(best[every[best] > 0].tolist(), key=lambda each: -every[each]):
        of_block = bisect.bisect_right(starts, number) - 1
        ids, chosen = places[of_block]
        hits.append(Hit(float(every[number]), number, json.loads(ids)[chosen[number - starts[of_block]]]))
    return hits


def _cosines(rows: Vectors, vector: Vectors) -> Vectors:
    with np.errstate(all="ignore"):
        cosines = rows @ vector
        cosines[~(np.abs(cosines) <= _MOST)] = 0
    return cosines

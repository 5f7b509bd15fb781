"""The vectors nearest to another are found by a look at each, and odd ones are near to nothing."""

import json
import struct

import pytest

from learnloop.store.vector_table import VectorBlock
from tests.vectors import tiny_model

tiny_model.needs_extra()
np = pytest.importorskip("numpy")
from learnloop.vectors import row_search  # noqa: E402  # the extra may be missing

SHOP, TILL = 3, 4


def block(*rows: tuple[str, int, float, float]) -> VectorBlock:
    ids, projects, *numbers = zip(*rows, strict=True)
    packed = b"".join(struct.pack("<2f", *row) for row in zip(*numbers, strict=True))
    return VectorBlock(json.dumps(ids), struct.pack(f"={len(ids)}i", *projects), packed)


def nearest(*blocks: VectorBlock, count: int = 9, project: int | None = None) -> list[tuple[str, int]]:
    hits = row_search.nearest(blocks, np.array([1, 0], np.float32), count, project)
    return [(hit.id, hit.number) for hit in hits]


def test_the_nearest_rows_come_first_of_all_projects_or_one() -> None:
    blocks = (
        block(("a", SHOP, 0.6, 0.8), ("b", TILL, -1, 0), ("c", SHOP, 1, 0)),
        block(("d", TILL, 0.8, 0.6), ("e", SHOP, 0.28, 0.96)),
    )
    assert nearest(*blocks) == [("c", 2), ("d", 3), ("a", 0), ("e", 4)]
    assert nearest(*blocks, count=1) == [("c", 2)]
    assert nearest(*blocks, project=TILL) == [("d", 1)]
    assert nearest(*blocks, project=SHOP) == [("c", 1), ("a", 0), ("e", 2)]
    assert nearest(*blocks, project=5) == nearest() == []


@pytest.mark.parametrize("number", [float("nan"), float("inf"), 1e30, 0.0])
def test_rows_that_are_no_unit_vectors_are_near_to_nothing(number: float) -> None:
    assert nearest(block(("odd", SHOP, number, 0), ("b", SHOP, 0.1, 0.99))) == [("b", 1)]


def test_rows_of_another_width_are_left_out() -> None:
    other = VectorBlock('["odd"]', struct.pack("=i", SHOP), struct.pack("<3f", 1, 0, 0))
    assert nearest(other, block(("b", SHOP, 1, 0))) == [("b", 0)]


def test_a_look_at_every_row_gives_the_same() -> None:
    vectors = np.random.default_rng(17).normal(size=(500, 2)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    rows = [(f"task {n}", SHOP, float(a), float(b)) for n, (a, b) in enumerate(vectors)]
    best = sorted(range(500), key=lambda n: -vectors[n][0])[:20]
    assert nearest(block(*rows[:300]), block(*rows[300:]), count=20) == [(f"task {n}", n) for n in best]

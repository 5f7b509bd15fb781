"""Rows are read as they were written, found by their nearness, and never lead to another task."""

import struct
from pathlib import Path

import pytest

from learnloop.vectors import row_file
from learnloop.vectors.row_file import KeyedRow, RowFile
from tests.vectors import tiny_model

tiny_model.needs_extra()
np = pytest.importorskip("numpy")
from learnloop.vectors import row_search  # noqa: E402  # the extra may be missing

MODEL = ("tiny", "d" * 64, 2)


def row(number: int, *numbers: float) -> KeyedRow:
    vector = struct.pack(f"<{len(numbers)}f", *numbers) if numbers else None
    return KeyedRow(row_file.key_of(f"task {number}", "text"), vector)


def written(path: Path, **projects: list[KeyedRow]) -> RowFile:
    row_file.write(path, MODEL, projects)
    return RowFile(path)


def found(file: RowFile, count: int = 9, project: str | None = None) -> list[tuple[str, int]]:
    hits = row_search.nearest({"part": file}, np.array([1, 0], np.float32), count, project)
    assert [hit.key[:16] for hit in hits] == [
        file.key(file.head.projects[hit.project][0] + hit.number)[:16] for hit in hits
    ]
    return [(hit.project, hit.number) for hit in hits]


def test_the_nearest_rows_come_first_of_all_projects_or_one(tmp_path: Path) -> None:
    file = written(
        tmp_path / "rows", shop=[row(1, 0.6, 0.8), row(2, 1, 0)], till=[row(3, 0.8, 0.6), row(4, -1, 0)]
    )
    assert (file.head.model, file.head.digest, file.head.dim, file.head.rows) == (*MODEL, 4)
    assert file.begin % 64 == 0
    assert file.is_whole()
    assert found(file) == [("shop", 1), ("till", 0), ("shop", 0)]
    assert found(file, 1) == [("shop", 1)]
    assert found(file, project="till") == [("till", 0)]
    assert found(file, project="elsewhere") == []


def test_tasks_that_were_not_read_and_odd_ones_are_counted_and_never_near(tmp_path: Path) -> None:
    file = written(tmp_path / "rows", shop=[row(1), row(2, 0, 0), row(3, 1, 0)])
    assert (file.head.unread, file.head.odd) == (1, 1)
    assert [key for key, _ in file.rows()] == [row(2).key, row(3).key]
    assert found(file) == [("shop", 2)]
    assert found(written(tmp_path / "none")) == []


@pytest.mark.parametrize("number", [float("nan"), float("inf"), 1e30])
def test_rows_that_are_no_unit_vectors_are_near_to_nothing(number: float, tmp_path: Path) -> None:
    file = written(tmp_path / "rows", shop=[row(1, number, 0), row(2, 0.1, 0.99)])
    assert found(file) == [("shop", 1)]


def test_a_look_at_every_row_gives_the_same(tmp_path: Path) -> None:
    chance = np.random.default_rng(17)
    vectors = chance.normal(size=(500, 2)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    file = written(tmp_path / "rows", shop=[row(n, *vectors[n]) for n in range(500)])
    best = sorted(range(500), key=lambda n: -vectors[n][0])[:20]
    assert found(file, 20) == [("shop", n) for n in best]


@pytest.mark.parametrize("damage", ["empty", "foreign", "head", "short", "long"])
def test_a_damaged_file_is_not_opened(damage: str, tmp_path: Path) -> None:
    path = tmp_path / "rows"
    written(path, shop=[row(1, 1, 0)])
    data = path.read_bytes()
    path.write_bytes({
        "empty": b"", "foreign": b"LLIX " + data[5:], "head": data.replace(b'"dim":2', b'"dim":1'),
        "short": data[:-1], "long": data + b"x",
    }[damage])  # fmt: skip
    assert row_file.opened(path) is None


def test_a_changed_row_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "rows"
    begin = written(path, shop=[row(1, 1, 0)]).begin
    data = bytearray(path.read_bytes())
    data[begin] ^= 1
    path.write_bytes(data)
    file = row_file.opened(path)
    assert file is not None
    assert not file.is_whole()

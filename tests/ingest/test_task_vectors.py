"""Tasks have their vectors beside the index, made once, gone with the tasks, and nothing waits for them."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from learnloop.ingest import background, retention, task_vectors
from learnloop.service.transfer import forget
from learnloop.service.workspace import open_workspace
from learnloop.store import history
from learnloop.store.task_table import TaskTable
from learnloop.vectors import model_folder, near, opening
from learnloop.wire import clock, earlier, paths
from tests.ingest.session_scene import write
from tests.vectors import tiny_model
from tests.vectors.stores import DAY_MS, NOON, PROJECT, add, asked, corrected, set_model, with_model

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from learnloop.vectors.model_folder import ModelFolder
    from learnloop.vectors.row_search import Vectors

tiny_model.needs_extra()

GUEST, BOOK = "Let a guest through the checkout of the shop", "Translate the handbook of the shop into Dutch"


class Counting:
    """The tiny model; counts the texts that it is given."""

    def __init__(self, folder: ModelFolder) -> None:
        self._model = opening.embedder(folder)
        self.name, self.dim = self._model.name, self._model.dim
        self.texts: list[str] = []

    def embed(self, texts: Sequence[str]) -> Vectors:
        self.texts += texts
        return self._model.embed(texts)


@pytest.fixture
def counting(root: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Counting]:
    counting = Counting(model_folder.read(str(with_model(root))))
    monkeypatch.setattr(opening, "embedder", lambda _folder: counting)
    yield counting
    assert counting.texts


def similar(root: str, text: str, project: str | None = None) -> list[tuple[str, int]]:
    """Session and number of the tasks near to a text."""
    model = model_folder.read(str(Path(root).parent / "tiny"))
    hits = near.nearest(root, model, text, 9, project)
    with history.opened(root) as connection:
        sessions = {task.id: task.session_id for task in TaskTable(connection).newest()}
    return [(sessions[hit.id], hit.number) for hit in hits]


def rows(root: str) -> int:
    """How many tasks have a vector."""
    return near.counts(root, model_folder.read(str(Path(root).parent / "tiny"))).read


def test_tasks_are_near_to_words_that_they_do_not_have(root: str) -> None:
    with_model(root)
    book = asked("s2", BOOK, "book.md", day=1)
    add(root, asked("s1", GUEST, "a.ts"), book, asked("s3", GUEST, "b.ts", project="/code/till"))
    assert {session for session, _ in similar(root, "visitor pay")} == {"s1", "s3"}
    assert similar(root, "visitor pay", "/code/till") == [("s3", 0)]
    assert similar(root, "Translate") == [("s2", 2)]
    assert similar(root, "Translate", PROJECT) == [("s2", 1)]
    assert similar(root, " ") == similar(root, "zebrafish") == []


def test_each_task_is_read_once_whatever_comes_later(root: str, counting: Counting) -> None:
    for day in range(4):
        add(root, *(asked(f"s{day}-{n}", f"{GUEST}, part {n}", f"{n}.ts", day=day) for n in range(3)))
    read = [text for text in counting.texts if text.startswith(GUEST)]
    assert rows(root) == 12
    names = [f"{GUEST}, part {n} {n}.ts" for n in range(3)]
    assert {name: read.count(name) for name in names} == dict.fromkeys(names, 4)
    before = len(counting.texts)
    add(root)
    assert len(counting.texts) == before


def test_what_is_forgotten_leaves_no_row(root: str) -> None:
    canary = (0.6, 0.0, 0.0, 0.8)
    with_model(root, {**tiny_model.WORDS, "zebrafish": canary})
    add(root, asked("s1", "zebrafish", "canary.ts"), asked("s2", GUEST, "b.ts", day=1))
    packed = struct.pack("<4f", *canary)

    def holding() -> list[Path]:
        return [path for path in Path(root).rglob("*") if path.is_file() and packed in path.read_bytes()]

    assert {path.name.partition("-")[0] for path in holding()} == {"history.db"}
    forget.forget(open_workspace(root), session="s1")
    assert holding() == []
    assert rows(root) == 0
    add(root)
    assert holding() == []
    assert similar(root, "visitor") == [("s2", 0)]


def test_rows_go_when_their_events_go(root: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with_model(root)
    add(root, asked("s1", GUEST, "a.ts"), asked("s2", BOOK, "b.ts", day=80))
    monkeypatch.setattr(clock, "now_ms", lambda: NOON + 100 * DAY_MS)
    retention.retire(root)
    add(root)
    assert similar(root, "visitor") == []
    assert similar(root, "translate") == [("s2", 0)]
    assert rows(root) == 1


def test_another_model_of_the_same_name_is_used_once_a_person_asks(root: str) -> None:
    with_model(root)
    add(root, asked("s1", GUEST, "a.ts"), asked("s2", BOOK, "b.ts", day=1))
    folder = str(with_model(root, {"guest": (1, 0), "visitor": (1, 0), "handbook": (0, 1)}))
    add(root)
    assert similar(root, "visitor") == []
    assert task_vectors.rebuild(root, folder, lambda *_: None) == 2
    assert similar(root, "visitor") == [("s1", 0)]


def test_a_rebuild_reads_all_that_the_background_has_no_time_for_and_says_how_far_it_is(
    root: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = str(with_model(root))
    monkeypatch.setattr(task_vectors, "BACKGROUND_S", -1.0)
    add(root, *(asked(f"s{n}", GUEST, f"{n}.ts") for n in range(3)))
    model = model_folder.read(folder)
    assert near.counts(root, model) == (3, 0, 0)
    monkeypatch.setattr(task_vectors, "BACKGROUND_S", 5.0)
    steps: list[tuple[int, int]] = []
    assert task_vectors.rebuild(root, folder, lambda done, total: steps.append((done, total))) == 3
    assert steps == [(3, 3), (1, 1)]
    assert near.counts(root, model) == (3, 3, 0)


@pytest.mark.parametrize("damage", ["gone", "torn", "nonsense"])
def test_a_model_that_cannot_be_used_stops_nothing(damage: str, root: str) -> None:
    folder = with_model(root)
    if damage == "gone":
        set_model(folder / "elsewhere")
    else:
        (folder / "model.onnx").write_bytes(b"" if damage == "torn" else b"\x08nonsense")
    others = [asked(f"other{n}", f"Water plant number{n} of the garden", f"{n}.md") for n in range(60)]
    add(root, *others, corrected("s1", GUEST, "a.ts"), asked("s2", GUEST, "a.ts", day=1))
    assert earlier.nearest(earlier.sections(root, PROJECT), GUEST, (), 9)


def test_a_row_that_belongs_to_another_task_by_now_leads_nowhere(root: str) -> None:
    with_model(root)
    add(root, asked("s1", GUEST, "a.ts"), asked("s2", BOOK, "b.ts", day=1))
    one, other = sorted(Path(paths.earlier_tasks(root)).glob("*_*"))
    data = one.read_bytes()
    one.write_bytes(other.read_bytes())
    other.write_bytes(data)
    assert similar(root, "visitor", PROJECT) == []


def test_the_background_ingest_makes_them_and_removes_them_once_no_model_is_named(root: str) -> None:
    with_model(root)
    today = (clock.now_ms() - NOON) // DAY_MS
    write(root, asked("s1", GUEST, "a.ts", day=today))
    background.run(root)
    assert rows(root) == 1
    set_model("")
    background.run(root)
    assert rows(root) == 0

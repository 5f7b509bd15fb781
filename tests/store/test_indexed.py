"""Lessons that are read when they are looked at: what a process that lives long sees of the store."""

import json
from pathlib import Path

import pytest

from learnloop.errors import Unreadable
from learnloop.service.history import undo
from learnloop.service.lessons import documents, rows
from learnloop.service.review import verdicts
from learnloop.service.workspace import Workspace, open_workspace
from learnloop.store import indexed, tinydb_file
from learnloop.store.store import Store
from tests.generated_drafts import seed_queue
from tests.store.scenes import NOW_MS


@pytest.fixture
def ws(root: str) -> Workspace:
    """A store with some lessons, of which nothing is kept but where they stand."""
    seed_queue(root, 40, now_ms=NOW_MS)
    documents.spare_memory(root, rows.row_of)
    return open_workspace(root)


def _file(ws: Workspace) -> Path:
    return tinydb_file.path(ws.root, "lessons")


def _found(ws: Workspace) -> indexed.Indexed:
    found = indexed.read(ws.root, "lessons")
    assert found is not None
    return found


def test_they_are_those_that_the_store_has(ws: Workspace) -> None:
    found, whole = _found(ws), Store(ws.root).lesson_docs()
    assert dict(found) == whole == dict(documents.lessons(ws.root))
    assert list(found) == list(whole)
    assert "nonsense" not in found
    assert found.stamp("nonsense") is None
    with pytest.raises(KeyError):
        found["nonsense"]


def test_a_verdict_is_there_at_once_and_the_others_are_not_told_of_again(ws: Workspace) -> None:
    asked: list[str] = []

    def tell(key: str, doc: documents.Document) -> str:
        asked.append(key)
        return str(doc["status"])

    every = documents.lessons(ws.root)
    assert set(every.each(tell).values()) == {"draft"}
    assert sorted(asked) == sorted(every)
    asked.clear()
    chosen = rows.rows(ws)[0].id
    verdicts.promote(ws, chosen, statement="uv is used, not pip.")
    now = documents.lessons(ws.root)
    assert now is not every
    assert [key for key, state in now.each(tell).items() if state == "active"] == [chosen]
    assert set(asked) == {chosen}
    undo.undo(ws)
    assert set(documents.lessons(ws.root).each(tell).values()) == {"draft"}


def test_rows_of_what_is_as_it_was_are_the_same_objects(ws: Workspace) -> None:
    before = {row.id: row for row in rows.rows(ws, None)}
    chosen = next(iter(before))
    verdicts.reject(ws, chosen)
    after = {row.id: row for row in rows.rows(ws, None)}
    assert [key for key, row in after.items() if row is not before[key]] == [chosen]


def test_an_open_file_stays_as_it_was_when_it_is_replaced(ws: Workspace) -> None:
    found = _found(ws)
    chosen = next(iter(found))
    verdicts.reject(ws, chosen)
    assert found[chosen]["status"] == "draft"
    assert _found(ws)[chosen]["status"] == "rejected"


def test_a_line_that_is_damaged_brings_the_last_good_copy_back(ws: Workspace) -> None:
    whole = Store(ws.root).lesson_docs()
    data = _file(ws).read_bytes()
    at = data.rindex(b'"statement"')
    _file(ws).write_bytes(data[:at] + b"xxxxxxxx" + data[at + 8 :])
    assert indexed.read(ws.root, "lessons") is not None, "where the lines stand is as it was"
    assert dict(documents.lessons(ws.root)) == whole
    assert "lessons.json was unreadable" in Store(ws.root).damage()[0]


def test_a_file_written_over_while_it_is_open_is_said_so(ws: Workspace) -> None:
    every = documents.lessons(ws.root)
    chosen = list(every)[-1]
    data = _file(ws).read_bytes()
    _file(ws).write_bytes(data.replace(b'"status":"draft"', b'"status":"DRAFT"'))
    with pytest.raises(Unreadable, match="written over"):
        every[chosen]
    assert documents.lessons(ws.root)[chosen]["status"] == "DRAFT"


def test_a_file_of_another_form_is_read_whole(ws: Workspace) -> None:
    whole = Store(ws.root).lesson_docs()
    _file(ws).write_text(json.dumps(json.loads(_file(ws).read_bytes()), indent=1))
    assert indexed.read(ws.root, "lessons") is None
    assert dict(documents.lessons(ws.root)) == whole
    assert len(rows.rows(ws, None)) == len(whole)


def test_a_file_that_has_a_lesson_twice_is_read_whole(ws: Workspace) -> None:
    head, first, *rest = _file(ws).read_bytes().split(b"\n")
    _file(ws).write_bytes(b"\n".join((head, first, first, *rest)))
    assert indexed.read(ws.root, "lessons") is None
    assert len(documents.lessons(ws.root)) == 40


def test_a_store_that_vanishes_has_no_lessons(ws: Workspace) -> None:
    assert documents.lessons(ws.root)
    _file(ws).unlink()
    assert not documents.lessons(ws.root)


def test_doctor_counts_them_and_tells_of_those_that_fit_no_lesson(ws: Workspace) -> None:
    assert Store(ws.root).count_lessons() == 40
    data = _file(ws).read_bytes()
    _file(ws).write_bytes(data.replace(b'"status":"draft"', b'"status":"weird"', 1))
    store = Store(ws.root)
    assert store.count_lessons() == 39
    assert "does not fit its model" in store.damage()[0]


def test_of_lessons_not_in_use_publishing_reads_the_id_alone(ws: Workspace) -> None:
    chosen = rows.rows(ws)[0].id
    verdicts.promote(ws, chosen, statement="uv is used, not pip.")
    found = Store(ws.root).recallable()
    assert len(found) == 40
    assert [doc["id"] for doc in found if len(doc) > 1] == [chosen]

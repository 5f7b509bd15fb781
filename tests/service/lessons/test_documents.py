"""Lessons as a process that lives long sees them: read again when the store changed."""

import json
from pathlib import Path

import pytest

from learnloop.service.history import undo
from learnloop.service.lessons import documents, rows
from learnloop.service.review import verdicts
from learnloop.service.workspace import Workspace, open_workspace
from learnloop.store import tinydb_file
from learnloop.store.store import Store
from tests.generated_drafts import seed_queue
from tests.store.small_stores import NOW_MS


@pytest.fixture
def ws(root: str) -> Workspace:
    """A store with some lessons."""
    seed_queue(root, 40, now_ms=NOW_MS)
    return open_workspace(root)


def _file(ws: Workspace) -> Path:
    return tinydb_file.path(ws.root, "lessons")


def test_a_verdict_is_there_at_once_and_the_others_are_the_same_documents(ws: Workspace) -> None:
    before = documents.lessons(ws.root)
    assert dict(before) == Store(ws.root).documents("lessons")
    assert documents.lessons(ws.root) is before
    chosen = rows.rows(ws)[0].id
    verdicts.promote(ws, chosen, statement="uv is used, not pip.")
    now = documents.lessons(ws.root)
    assert [key for key, doc in now.items() if doc is not before[key]] == [chosen]
    assert (before[chosen]["status"], now[chosen]["status"]) == ("draft", "active")
    undo.undo(ws)
    assert {doc["status"] for doc in documents.lessons(ws.root).values()} == {"draft"}


def test_rows_of_what_is_as_it_was_are_the_same_objects(ws: Workspace) -> None:
    before = {row.id: row for row in rows.rows(ws, None)}
    chosen = next(iter(before))
    verdicts.reject(ws, chosen)
    after = {row.id: row for row in rows.rows(ws, None)}
    assert [key for key, row in after.items() if row is not before[key]] == [chosen]


def test_a_file_of_another_form_is_read(ws: Workspace) -> None:
    whole = Store(ws.root).documents("lessons")
    _file(ws).write_text(json.dumps(json.loads(_file(ws).read_bytes()), indent=1))
    assert dict(documents.lessons(ws.root)) == whole
    assert len(rows.rows(ws, None)) == len(Store(ws.root).recallable()) == len(whole)


def test_doctor_counts_them_and_reports_those_that_fit_no_lesson(ws: Workspace) -> None:
    assert len(Store(ws.root).lessons()) == 40
    data = _file(ws).read_bytes()
    _file(ws).write_bytes(data.replace(b'"status":"draft"', b'"status":"weird"', 1))
    store = Store(ws.root)
    assert len(store.lessons()) == 39
    assert "does not fit its model" in store.damage()[0]

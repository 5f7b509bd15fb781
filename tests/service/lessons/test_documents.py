"""Lessons as a process that lives long sees them: read again when the store changed."""

import pytest

from learnloop.service.history import undo
from learnloop.service.lessons import documents, rows
from learnloop.service.review import verdicts
from learnloop.service.workspace import Workspace, open_workspace
from learnloop.store.store import Store
from tests.generated_drafts import seed_queue
from tests.store.small_stores import NOW_MS


@pytest.fixture
def ws(root: str) -> Workspace:
    """A store with some lessons."""
    seed_queue(root, 40, now_ms=NOW_MS)
    return open_workspace(root)


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

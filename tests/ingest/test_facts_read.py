"""Facts are events: read twice, read anew, forgotten and retired they stay what they are."""

from pathlib import Path

import pytest

from learnloop.distill import budget
from learnloop.errors import Busy
from learnloop.ingest import analyze, retention
from learnloop.service import workspace
from learnloop.service.facts import listing
from learnloop.service.lessons import documents
from learnloop.service.transfer import exchange, forget
from learnloop.service.workspace import Workspace
from learnloop.store import locks
from learnloop.store.store import Store
from learnloop.wire import event, journal
from tests.fact_scene import PROJECT, answer, fact, facts, read_session, say


@pytest.fixture
def read(ws: Workspace) -> Workspace:
    """A store in which two sessions were read."""
    read_session(ws)
    say(ws.root, "the handlers log with structlog, as we agreed", session="s2")
    answer(ws, facts(fact("Handlers log with structlog")))
    return ws


def test_history_read_anew_has_the_same_facts_runs_and_drafts(read: Workspace) -> None:
    names = ("facts", "fact_runs")
    before = {name: Store(read.root).documents(name) for name in names}
    lessons = {key: doc["statement"] for key, doc in documents.lessons(read.root).items()}
    analyze.analyze(read.root)
    assert {name: Store(read.root).documents(name) for name in names} == before
    assert {key: doc["statement"] for key, doc in documents.lessons(read.root).items()} == lessons


def test_a_forgotten_session_takes_its_facts_along(read: Workspace) -> None:
    report = forget.forget(read, session="s1")
    assert report.remaining == 0, report.remaining_in
    assert {each.session_id for each in listing.facts(read)} == {"s2"}
    assert {each.session_id for each in listing.runs(read)} == {"s2"}
    assert forget.forget(read, everything=True).remaining == 0


def test_nothing_is_forgotten_while_a_model_reads(read: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("learnloop.service.transfer.forget.LOCK_WAIT_S", 0.0)
    with locks.held(Path(read.root, budget.LOCK), wait_s=0, what="it"), pytest.raises(Busy):
        forget.forget(read, session="s1")


def test_facts_go_with_what_they_were_read_in(read: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("learnloop.wire.clock.now_ms", lambda: 4_000_000_000_000)
    retention.retire(read.root)
    assert (listing.facts(read), listing.runs(read)) == ([], [])


def test_the_export_has_the_facts(read: Workspace) -> None:
    exported = exchange.export_document(read, quotes=True)
    assert [item["status"] for item in exported["facts"]] == ["draft", "draft"]
    assert exchange.import_document(read, exported).known == len(exported["lessons"])


@pytest.mark.parametrize(
    "payload", [{}, {"run": {}}, {"run": None, "facts": [1]}, {"run": "x", "facts": "y"}, {"facts": {}}]
)
def test_an_event_that_is_none_changes_nothing(read: Workspace, payload: dict[str, object]) -> None:
    before = listing.facts(read)
    record = event.record(
        "facts", host="claude", session_id="s1", cwd=PROJECT, project=PROJECT, payload=payload
    )
    assert journal.append(read.root, [record])
    workspace.ingest(read)
    assert len(listing.facts(read)) == len(before)


def test_nothing_of_a_fact_is_in_files_that_hooks_load(read: Workspace) -> None:
    index = Path(read.root, "recall", "index")
    assert not index.exists() or b"session branch" not in index.read_bytes()

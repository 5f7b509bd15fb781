"""One way to append decisions, with one rule for errors."""

from pathlib import Path

import pytest

from learnloop.errors import LearnloopError, Refused, Unreadable
from learnloop.service import event_log, workspace
from learnloop.service.lessons import documents
from learnloop.service.workspace import open_workspace
from learnloop.store import locks
from learnloop.wire import journal


def test_decision_is_returned_as_it_was_appended(root: str) -> None:
    decision = event_log.decide(open_workspace(root), "trust", [], {"project": "/p", "trusted": True})
    assert documents.decisions(root) == [decision]
    assert (decision.by, decision.action) == ("cli", "trust")


def test_busy_store_is_no_error_and_the_decision_is_seen(root: str) -> None:
    ws = open_workspace(root, by="console")
    with locks.held(Path(root, "store.lock"), wait_s=1, what="the store"):
        decision = event_log.decide(ws, "trust", [], {"project": "/p", "trusted": True})
        assert documents.decisions(root) == [decision]


@pytest.mark.parametrize("error", [Unreadable("the store is damaged", "run learn doctor"), OSError("full")])
def test_failed_ingest_is_reported_and_the_decision_is_kept(
    root: str, monkeypatch: pytest.MonkeyPatch, error: LearnloopError | OSError
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(workspace, "ingest", fail)
    with pytest.raises(Refused, match="it is kept, but agents do not get it yet"):
        event_log.decide(open_workspace(root), "trust", [], {"project": "/p", "trusted": True})
    assert [decision.action for decision in documents.decisions(root)] == ["trust"]


def test_unwritable_root_is_refused(root: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal, "append", lambda *_, **__: False)
    with pytest.raises(Refused, match="nothing could be written"):
        event_log.decide(open_workspace(root), "trust", [], {})

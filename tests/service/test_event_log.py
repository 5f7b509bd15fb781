"""One way to append decisions, with one rule for errors."""

import contextvars
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from learnloop.errors import LearnloopError, Refused, Unreadable
from learnloop.ingest import decided
from learnloop.service import event_log, workspace
from learnloop.service.lessons import documents
from learnloop.service.workspace import open_workspace
from learnloop.store import locks
from learnloop.wire import journal


def test_decision_is_returned_as_it_was_appended(root: str) -> None:
    decision = event_log.decide(open_workspace(root), "trust", [], {"project": "/p", "trusted": True})
    assert documents.decisions(root) == [decision]
    assert (decision.by, decision.action) == ("cli", "trust")


def test_busy_store_is_waited_for(root: str) -> None:
    ws, waits = open_workspace(root, by="console"), threading.Event()
    workspace.announce_waits(lambda *_: waits.set())
    with ThreadPoolExecutor(1) as other, locks.held(Path(root, "store.lock"), wait_s=1, what="the store"):
        args = {"project": "/p", "trusted": True}
        deciding = other.submit(contextvars.copy_context().run, event_log.decide, ws, "trust", [], args)
        assert waits.wait(30)
        assert documents.decisions(root) == []
    assert documents.decisions(root) == [deciding.result()]


def test_what_waited_in_vain_is_kept_and_taken_along_by_the_next(
    root: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(event_log, "WAIT_S", 0.01)
    ws = open_workspace(root)
    with locks.held(Path(root, "store.lock"), wait_s=1, what="the store"):
        event_log.decide(ws, "trust", [], {"project": "/p", "trusted": True})
    assert documents.decisions(root) == []
    event_log.decide(ws, "trust", [], {"project": "/q", "trusted": True})
    assert [decision.args["project"] for decision in documents.decisions(root)] == ["/p", "/q"]


@pytest.mark.parametrize("error", [Unreadable("the store is damaged", "run learn doctor"), OSError("full")])
def test_failed_publish_is_reported_and_the_decision_is_kept(
    root: str, monkeypatch: pytest.MonkeyPatch, error: LearnloopError | OSError
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(decided, "publish", fail)
    with pytest.raises(Refused, match="it is kept, but agents do not get it yet"):
        event_log.decide(open_workspace(root), "trust", [], {"project": "/p", "trusted": True})
    assert [decision.action for decision in documents.decisions(root)] == ["trust"]


def test_unwritable_root_is_refused(root: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal, "append", lambda *_, **__: False)
    with pytest.raises(Refused, match="nothing could be written"):
        event_log.decide(open_workspace(root), "trust", [], {})

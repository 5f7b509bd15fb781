"""A task names the later sessions that were told of it."""

from pathlib import Path
from typing import Any

import pytest

from learnloop.ingest import analyze, retention
from learnloop.ingest.run import ingest
from learnloop.service.tasks import task_list
from learnloop.service.transfer import forget
from learnloop.service.workspace import open_workspace
from tests.ingest.session_scene import Scene, write
from tests.ingest.test_earlier_tasks import NOON, scene


def told(session: str, task: str, at_ms: int = NOON + 3_600_000, **agent: Any) -> Scene:
    """A session whose prompt was told of a task."""
    receipt = {"moment": "prompt", "lessons": [], "chars": 90, "tasks": [{"id": task, "score": 77}]}
    started = Scene(session, start=at_ms).prompt("Go on with the guests", "p1")
    return started.add("recall", receipt, prompt_id="p1", **agent).stop(prompt_id="p1")


@pytest.fixture
def task(root: str, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr("learnloop.wire.clock.now_ms", lambda: NOON + 7_200_000)
    write(root, scene("s1"))
    ingest(root)
    (only,) = task_list.newest(open_workspace(root))
    return only.id


def sessions(root: str, task: str) -> list[tuple[str, str, int]]:
    return [
        (each.session_id, each.agent, each.score) for each in task_list.primed(open_workspace(root), task)
    ]


def test_sessions_and_subagents_that_were_told_are_named_once(root: str, task: str) -> None:
    later = told("s2", task, agent_id="a1", agent_type="reviewer")
    write(root, later, told("s3", task, NOON + 5_000_000), told("s3", task, NOON + 5_060_000))
    ingest(root)
    ingest(root)
    assert sessions(root, task) == [("s3", "main", 77), ("s2", "reviewer", 77)]
    assert sessions(root, "f" * 32) == []


@pytest.mark.parametrize(
    "tasks", [None, 5, [7], [{}], [{"id": 3}], [{"id": ""}], [{"id": "../x", "score": "y"}]]
)
def test_odd_receipts_harm_nothing(tasks: object, root: str, task: str) -> None:
    odd = Scene("s2", start=NOON + 3_600_000).prompt("Go on", "p1")
    write(root, odd.add("recall", {"moment": "prompt", "lessons": [], "tasks": tasks}), told("s3", task))
    ingest(root)
    assert [session for session, _, _ in sessions(root, task)] == ["s3"]


def test_they_go_with_their_session_and_are_made_anew_with_history(root: str, task: str) -> None:
    write(root, told("s2", task), told("s3", task, NOON + 5_000_000))
    ingest(root)
    analyze.analyze(root)
    assert [session for session, _, _ in sessions(root, task)] == ["s3", "s2"]
    forget.forget(open_workspace(root), session="s3")
    assert [session for session, _, _ in sessions(root, task)] == ["s2"]


def test_they_go_after_their_time(root: str, task: str, monkeypatch: pytest.MonkeyPatch) -> None:
    write(root, told("s2", task))
    ingest(root)
    assert sessions(root, task)
    monkeypatch.setattr("learnloop.wire.clock.now_ms", lambda: NOON + 400 * 86_400_000)
    retention.retire(root)
    assert sessions(root, task) == []
    assert not list(Path(root, "store", "primed").glob("*.json"))

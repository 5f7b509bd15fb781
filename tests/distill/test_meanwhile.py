"""What a person decides while a model is asked counts for what the run records."""

import contextlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from learnloop.distill import bounded_call, runner
from learnloop.errors import Busy
from learnloop.service import event_log, workspace
from learnloop.service.facts import listing, modes
from learnloop.service.lessons import documents
from learnloop.service.workspace import Workspace, open_workspace
from tests.distill.model_scene import FakeModel, allow
from tests.fact_scene import PROJECT, fact, facts, item, reading, say

RULED = "No, don't add docstrings to handlers"
AGAIN = "you added docstrings to the handlers again"
SAME = "No docstrings in the handlers"
_call = bounded_call.call


@pytest.fixture
def model(ws: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakeModel:
    model = FakeModel(tmp_path / "model", monkeypatch)
    allow(ws.root)
    return model


def _during(monkeypatch: pytest.MonkeyPatch, number: int, act: Callable[[], object]) -> None:
    """Let a person act while the call of a number is under way."""
    calls: list[None] = []

    def call(*args: Any, **more: Any) -> bounded_call.CallResult:
        calls.append(None)
        if len(calls) == number:
            act()
        return _call(*args, **more)

    monkeypatch.setattr("learnloop.distill.bounded_call.call", call)


def _reject(root: str) -> None:
    """Another process rejects the only draft, and dies before it ingests that."""
    [lesson] = documents.lessons(root).values()
    record = event_log.decision_record("cli", "reject", [lesson["id"]], {})
    event_log.append(open_workspace(root), [record])


def test_what_is_rejected_meanwhile_stays_rejected(
    ws: Workspace, model: FakeModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    say(ws.root, "write the client", RULED)
    say(ws.root, AGAIN, session="s2")
    workspace.ingest(ws)
    model.answers(facts(), facts(fact(SAME)))
    _during(monkeypatch, 3, lambda: _reject(ws.root))
    outcome = runner.run(ws.root, by_hand=True)
    assert [run.stage for run in outcome.runs][:2] == ["extract", "extract"]
    [lesson] = documents.lessons(ws.root).values()
    assert (lesson["status"], lesson.get("held_back")) == ("rejected", 1)
    assert {each.status for each in listing.facts(ws)} == {"refused"}


def test_after_consent_is_withdrawn_nothing_more_is_sent_and_what_was_answered_counts(
    ws: Workspace, model: FakeModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(3):
        say(ws.root, f"{AGAIN} in part {number}", session=f"s{number}")
    model.answers(reading(item(SAME)), reading(), reading())
    _during(monkeypatch, 2, lambda: modes.set_mode(open_workspace(ws.root), PROJECT, "off"))
    assert len(runner.run(ws.root, by_hand=True).runs) == 1
    assert [each.status for each in listing.facts(ws)] == ["draft"]
    assert len(model.asked) == 1


def test_two_consoles_and_a_background_read_each_prompt_once(ws: Workspace, model: FakeModel) -> None:
    for number in range(4):
        say(ws.root, f"{AGAIN} in part {number}", session=f"s{number}")
    model.answers(*[facts()] * 8)

    def read(_: int) -> bool:
        workspace.ingest(open_workspace(ws.root), wait_s=5)
        with contextlib.suppress(Busy):
            runner.run(ws.root, by_hand=True)
            return True
        return False

    with ThreadPoolExecutor(3) as pool:
        assert any(pool.map(read, range(3)))
    asked = "".join(model.asked)
    assert [asked.count(f"in part {number}") for number in range(4)] == [1] * 4
    assert runner.run(ws.root, by_hand=True).runs == []
    assert len(listing.runs(ws)) == 4

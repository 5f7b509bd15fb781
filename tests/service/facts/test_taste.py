"""What was typed before the yes is read at once, where the person has it read."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from learnloop.distill import bounded_call, work
from learnloop.service import workspace
from learnloop.service.facts import asking, by_hand, listing, modes
from learnloop.service.workspace import Workspace, open_workspace
from learnloop.wire import event, journal
from tests.distill.model_scene import FakeModel
from tests.fact_scene import IMPLIED, PROJECT, facts, item, reading, say

BRANCH = "Commit to a session branch, never to main"
_call = bounded_call.call


@pytest.fixture
def model(ws: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakeModel:
    return FakeModel(tmp_path / "model", monkeypatch)


def _history(ws: Workspace, prompts: int, session: str = "s1", project: str = PROJECT) -> None:
    common: dict[str, Any] = {"host": "claude", "session_id": session, "cwd": project, "project": project}
    records = [
        event.record("prompt", **common, payload={"prompt": f"keep part {number} of the shop small"})
        for number in range(prompts)
    ]
    assert journal.append(ws.root, records)
    workspace.ingest(ws)


def _meanwhile(monkeypatch: pytest.MonkeyPatch, act: Callable[[], object]) -> None:
    """Let a person act while the first call after the trial is under way."""
    calls: list[None] = []

    def call(*args: Any, **more: Any) -> bounded_call.CallResult:
        calls.append(None)
        if len(calls) == 2:
            act()
        return _call(*args, **more)

    monkeypatch.setattr("learnloop.distill.bounded_call.call", call)


def test_it_reads_what_was_typed_before_and_counts_what_is_new(ws: Workspace, model: FakeModel) -> None:
    say(ws.root, "add the order endpoint", "No, don't add docstrings to handlers")
    say(ws.root, IMPLIED, session="s2")
    workspace.ingest(ws)
    modes.set_mode(ws, PROJECT, "draft")
    assert list(by_hand.requests(ws)) == []
    model.answers(reading(), reading(item(BRANCH)))
    steps: list[tuple[int, int]] = []
    report = asking.taste(ws, PROJECT, lambda done, total: steps.append((done, total)))
    assert (report.by_rules, report.by_model, report.stopped) == (1, 1, "")
    assert str(report) == "Rules found 1, the model 1 more."
    assert steps == [(0, 2), (1, 2), (2, 2)]
    assert asking.taste(ws, PROJECT).runs == ()


@pytest.mark.slow
def test_the_newest_two_hundred_of_two_thousand_are_read(ws: Workspace, model: FakeModel) -> None:
    _history(ws, 2_000)
    modes.set_mode(ws, PROJECT, "draft")
    model.answers(*[facts()] * 10)
    assert len(asking.taste(ws, PROJECT).runs) == work.MOST_HISTORY / 20
    assert "part 1999 of" in model.asked[-1]
    assert "part 1800 of" in model.asked[0]
    assert "part 1799 of" not in "".join(model.asked)


def test_without_a_yes_nothing_of_it_is_sent(ws: Workspace, model: FakeModel) -> None:
    _history(ws, 3)
    assert asking.taste(ws, PROJECT).runs == ()
    modes.set_mode(ws, "/code/other", "draft")
    assert asking.taste(ws, modes.EVERYWHERE).runs == ()
    assert model.seen == []


def test_a_yes_that_is_withdrawn_meanwhile_ends_it(
    ws: Workspace, model: FakeModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    _history(ws, 60)
    modes.set_mode(ws, PROJECT, "draft")
    model.answers(*[facts()] * 3)
    _meanwhile(monkeypatch, lambda: modes.set_mode(open_workspace(ws.root), modes.EVERYWHERE, "off"))
    assert len(asking.taste(ws, PROJECT).runs) == 1
    assert len(model.asked) == 1


def test_one_that_is_cut_off_goes_on_where_it_was(
    ws: Workspace, model: FakeModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    _history(ws, 40)
    modes.set_mode(ws, PROJECT, "draft")
    model.answers(*[facts()] * 3)

    def dies() -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        _meanwhile(patch, dies)
        with pytest.raises(KeyboardInterrupt):
            asking.taste(ws, PROJECT)
    assert len(asking.taste(ws, PROJECT).runs) == 2
    assert "".join(model.asked).count("keep part 7 of") == 1
    assert [run.error for run in listing.runs(ws)].count("it was interrupted") == 1

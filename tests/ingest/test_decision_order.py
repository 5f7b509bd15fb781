"""Decisions count in the order in which they were made, whatever the clock of their process said."""

from collections.abc import Mapping
from typing import Any

import pytest

from learnloop.distill import work
from learnloop.service import event_log, workspace
from learnloop.service.lessons import documents
from learnloop.service.review import trust, verdicts
from learnloop.service.workspace import Workspace
from learnloop.wire import clock

HOUR_MS = 3_600_000
PROJECT = "/code/shop"
BACK = pytest.mark.parametrize("back_ms", [0, HOUR_MS], ids=["same instant", "clock set back"])
BATCHES = pytest.mark.parametrize("is_whole", [True, False], ids=["one batch", "two batches"])


class Clock:
    """Decisions of one process after the other, each with an id that sorts before those before it."""

    def __init__(self, ws: Workspace, back_ms: int, *, is_whole: bool) -> None:
        self._ws, self._back_ms, self._is_whole = ws, back_ms, is_whole
        self._ms, self._number = clock.now_ms(), 99

    def decide(self, action: str, lessons: list[str], args: Mapping[str, Any]) -> str:
        """A decision at the present time of the clock, which then goes back."""
        name = f"{self._ms:012x}{self._number:020x}"
        record = event_log.decision_record("cli", action, lessons, args, event_id=name, ms=self._ms)
        event_log.append(self._ws, [record])
        self._ms, self._number = self._ms - self._back_ms, self._number - 1
        if not self._is_whole:
            workspace.ingest(self._ws)
        return name


@BACK
@BATCHES
def test_the_last_word_counts(
    ws: Workspace, monkeypatch: pytest.MonkeyPatch, back_ms: int, *, is_whole: bool
) -> None:
    monkeypatch.setenv("LEARNLOOP_FACTS_MODE", "draft")
    process = Clock(ws, back_ms, is_whole=is_whole)
    for mode in ("draft", "off"):
        process.decide("facts", [], {"project": PROJECT, "mode": mode})
    workspace.ingest(ws)
    assert PROJECT not in work.consents(ws.root, workspace.open_workspace(ws.root).settings)


@BACK
@BATCHES
def test_trust_that_was_taken_back_is_gone(ws: Workspace, back_ms: int, *, is_whole: bool) -> None:
    process = Clock(ws, back_ms, is_whole=is_whole)
    for trusted in (True, False):
        process.decide("trust", [], {"project": PROJECT, "trusted": trusted})
    workspace.ingest(ws)
    assert not trust.is_trusted(ws.root, PROJECT)


@BACK
@BATCHES
def test_an_undo_takes_back_what_was_before_it(ws: Workspace, back_ms: int, *, is_whole: bool) -> None:
    verdicts.add(ws, "Use uv for packages")
    [lesson_id] = documents.lessons(ws.root)
    process = Clock(ws, back_ms, is_whole=is_whole)
    name = process.decide("archive", [lesson_id], {"reason": "unused"})
    process.decide("undo", [], {"decision": name})
    assert documents.lessons(ws.root)[lesson_id]["status"] == "active"
    workspace.ingest(ws)
    assert documents.lessons(ws.root)[lesson_id]["status"] == "active"
    assert [each.action for each in documents.decisions(ws.root)] == ["add", "archive", "undo"]

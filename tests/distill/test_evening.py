"""An evening of play: 200 prompts in three projects, two modes, and a service that fails for an hour."""

import itertools
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from learnloop.distill import runner, work
from learnloop.distill.bounded_call import CallResult
from learnloop.distill.model_clients import ModelClient
from learnloop.ingest.facts_read import READ, RUNS
from learnloop.service.facts import listing, modes, taking_in
from learnloop.service.facts.reading_status import reading_status
from learnloop.service.lessons import documents
from learnloop.service.workspace import Workspace, open_workspace
from learnloop.settings import load
from learnloop.store.store import Store
from learnloop.wire import clock, event, journal, paths, provenance
from tests.auto_scene import AutoProject

SHOP, HOME = "/code/shop", "/code/home"
STAGES = {"message": "extract", "fact": "merge", "document": "summary"}
"""By what a line of the data calls its text."""
MINUTE_MS = 60_000
PROMPTS, A_SESSION = 200, 10
FAILS = range(70, 130)
"""The minutes in which the service answers nothing but 529."""


class ScriptedModel:
    """Claude Code's command line as it answers, at a price, or fails."""

    def __init__(self) -> None:
        self.minute = 0
        self.calls: list[tuple[str, float | None]] = []
        """The stage of each, and what it cost."""
        self.read: Counter[str] = Counter()
        """How often each prompt was answered about."""

    def call(self, argv: list[str], text: str, **_: object) -> CallResult:
        """Answer about each line of the data."""
        del argv
        lines = [json.loads(line) for line in text.split("\n")[1:-1]]
        stage = next(stage for name, stage in STAGES.items() if any(name in line for line in lines))
        said: dict[str, Any] = {"is_error": False, "usage": {"input_tokens": 100, "output_tokens": 10}}
        if self.minute in FAILS:
            self.calls.append((stage, None))
            failed = {**said, "is_error": True, "api_error_status": 529}
            return CallResult(1, json.dumps(failed).encode(), b"")
        named = {line.get("message") or line.get("fact"): line["text"] for line in lines if "text" in line}
        self.read.update(named.values() if stage == "extract" else ())
        cost = 0.001 if stage == "extract" else 0.004
        self.calls.append((stage, cost))
        items = [{"from": [name], "text": words} for name, words in named.items()]
        more = {"scope": "project", "when": ["start"], "sure": 90, "place": "new"}
        output = {"lessons": [{**each, **more} for each in items], "turns": []}
        output = (
            output if stage == "extract" else {"facts": [{**each, "file": "LEARNED.md"} for each in items]}
        )
        answer = {**said, "total_cost_usd": cost, "structured_output": output}
        return CallResult(0, json.dumps(answer).encode(), b"")


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch, home: Path) -> ScriptedModel:
    """A model in the place of the real one, and a clock that it shares."""
    del home
    scripted = ScriptedModel()
    start_ms = clock.parse_ms("2026-03-02T12:00:00.000Z")
    ticks = itertools.count(start_ms)
    monkeypatch.setattr("learnloop.wire.clock.now_ms", lambda: next(ticks) + scripted.minute * MINUTE_MS)
    monkeypatch.setattr("learnloop.distill.bounded_call.call", scripted.call)
    monkeypatch.setattr(
        "learnloop.distill.model_clients.chosen", lambda *_: ModelClient("claude", program="/bin/claude")
    )
    file = Path(paths.config_file())
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text('[facts]\nmode = "auto"\n')
    return scripted


def _words(number: int) -> str:
    return f"always do check-{number} before the report-{number} goes out"


def _type(root: str, number: int, project: str, session: str = "", *, is_last: bool = False) -> None:
    is_last = is_last or (not session and number % A_SESSION == A_SESSION - 1)
    session = session or f"s{number // A_SESSION}"
    common: dict[str, Any] = {"host": "claude", "session_id": session, "cwd": project, "project": project}
    records = [event.record("prompt", **common, payload={"prompt": _words(number)}, ts_ms=clock.now_ms())]
    if is_last:
        records.append(event.record("session_end", **common, payload={}, ts_ms=clock.now_ms()))
    provenance.mark(root, records)
    assert journal.append(root, records)


@pytest.mark.slow
def test_the_figures_are_those_of_the_model_and_no_prompt_is_lost(
    ws: Workspace, model: ScriptedModel, tmp_path: Path
) -> None:
    blog = AutoProject(ws.root, tmp_path / "blog")
    modes.set_mode(ws, SHOP, "draft")
    blog.allow()
    project_of = {number: (SHOP, blog.name, HOME)[number // A_SESSION % 3] for number in range(PROMPTS)}
    rests = set()
    for number, project in project_of.items():
        model.minute = number + 1
        _type(ws.root, number, project)
        if number % 5 == 4:
            _read(ws.root)
            rests.add(reading_status(open_workspace(ws.root)).rests)
    model.minute = PROMPTS + 120
    _read(ws.root)
    ws = open_workspace(ws.root)
    status = reading_status(ws)
    assert status.projects == {SHOP: "draft", blog.name: "auto"}
    assert (status.calls, status.unpriced) == (len(model.calls), sum(cost is None for _, cost in model.calls))
    assert status.cost_usd == pytest.approx(sum(cost or 0.0 for _, cost in model.calls))
    assert Counter(run.stage for run in listing.runs(ws)) == Counter(stage for stage, _ in model.calls)
    assert any("3 calls failed in a row" in reason for reason in rests)
    assert status.rests == ""
    typed = {_words(number) for number, project in project_of.items() if project != HOME}
    assert set(model.read) == typed
    assert set(model.read.values()) == {1}
    read = [name for run in Store(ws.root).documents(RUNS).values() for name in run[READ]]
    assert len(read) == len(set(read)) == len(typed)
    drafts = [doc for doc in documents.lessons(ws.root).values() if doc["source"] == "synthesis"]
    assert {doc["project"] for doc in drafts} <= {SHOP, blog.name}
    assert len(model.calls) <= 60
    lines = [line for line in blog.learned.splitlines() if line.startswith("- ")]
    approved = {doc["statement"].rstrip(".") for doc in drafts if doc["status"] == "active"}
    assert {doc["project"] for doc in drafts if doc["status"] == "active"} == {blog.name}
    assert len(lines) == len(set(lines)) > 20
    assert {line.removeprefix("- ") for line in lines} == approved


@pytest.mark.slow
def test_a_limit_that_is_reached_in_mid_batch_leaves_what_was_read_taken_in(
    ws: Workspace, model: ScriptedModel, tmp_path: Path
) -> None:
    blog = AutoProject(ws.root, tmp_path / "blog")
    blog.allow()
    for number in range(3 * A_SESSION):
        model.minute = number + 1
        _type(ws.root, number, blog.name)
    Path(paths.config_file()).write_text('[facts]\nmode = "auto"\ncalls_per_day = 2\n')
    model.minute += 1
    _read(ws.root)
    assert [stage for stage, _ in model.calls] == ["extract", "extract"]
    assert "facts.calls_per_day" in reading_status(open_workspace(ws.root)).rests
    first = blog.learned.count("\n- ")
    assert 0 < first <= 2 * A_SESSION
    model.minute += 24 * 60
    _read(ws.root)
    assert [stage for stage, _ in model.calls[2:]] == ["extract"]
    assert blog.learned.count("\n- ") > first


def test_fifty_prompts_make_no_more_calls_than_batches(ws: Workspace, model: ScriptedModel) -> None:
    modes.set_mode(ws, SHOP, "draft")
    for number in range(50):
        model.minute += 1
        _type(ws.root, number, SHOP, session="s1", is_last=number == 49)
        runner.run(ws.root)
    stages = Counter(stage for stage, _ in model.calls)
    assert stages["extract"] <= 50 / work.ENOUGH_PROMPTS
    assert sum(stages.values()) <= 8
    assert set(model.read.values()) == {1}
    assert len(model.read) == 50


def _read(root: str) -> None:
    """What the detached reading does."""
    runner.run(root)
    taking_in.take_in(open_workspace(root), load(environment=False))

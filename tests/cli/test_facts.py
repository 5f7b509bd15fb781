"""`learn facts`: consent, what would be asked, answers by hand, and lists."""

import json
from pathlib import Path

import pytest

from tests.cli.store import Learn
from tests.fact_scene import IMPLIED, PROJECT, fact, facts, say

BRANCH = "Commit to a session branch, never to main"


@pytest.fixture
def learn(root: str, capsys: pytest.CaptureFixture[str]) -> Learn:
    say(root, IMPLIED)
    return Learn(capsys)


def test_what_would_be_asked_is_shown_without_any_consent(learn: Learn) -> None:
    assert learn("facts", "show") == 0
    assert "Nothing waits" in learn.out
    assert learn("facts", "show", "--project", PROJECT) == 0
    assert IMPLIED in learn.out
    assert "extract · haiku" in learn.out


def test_requests_and_answers_go_through_files(learn: Learn, tmp_path: Path) -> None:
    asked, answered = tmp_path / "asked.jsonl", tmp_path / "answered.jsonl"
    assert learn("facts", "requests", "--project", PROJECT, "-o", str(asked)) == 0
    lines = [{**json.loads(line), "answer": facts(fact(BRANCH))} for line in asked.read_text().splitlines()]
    answered.write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert learn("facts", "answers", str(answered)) == 0
    assert learn.out == "Took 1 answer: 1 fact; 0 were answered before.\n"
    [row] = learn.listing("facts")
    assert row["status"] == "draft"
    assert [run["stage"] for run in learn.listing("facts", "runs")] == ["extract"]
    assert learn("facts", "show", row["id"][:6]) == 0
    assert BRANCH in learn.out
    [draft] = learn.listing("lessons", "--drafts", "--all")
    assert draft["source"] == "synthesis"


def test_a_bad_answer_is_named_and_its_prompts_stay(learn: Learn, tmp_path: Path) -> None:
    [request] = learn.listing("facts", "show", "--project", PROJECT)
    answered = tmp_path / "answered.jsonl"
    answered.write_text(json.dumps({**request, "answer": {"fact": 1}}))
    assert learn("facts", "answers", str(answered)) == 1
    assert "does not fit the schema" in learn.err
    assert len(learn.listing("facts", "show", "--project", PROJECT)) == 1
    answered.write_text("not json")
    assert "line 1 is not JSON" in learn.refused("facts", "answers", str(answered))


def test_switching_on_says_what_is_missing(learn: Learn, monkeypatch: pytest.MonkeyPatch) -> None:
    assert learn("facts", "on", "--project", PROJECT) == 0
    assert "learn config facts.mode draft" in learn.out
    monkeypatch.setenv("LEARNLOOP_FACTS_MODE", "draft")
    [mode] = learn.listing("facts", "modes")
    assert (mode["project"], mode["mode"], mode["in_force"]) == (PROJECT, "draft", "draft")
    assert learn("facts", "off", "--project", PROJECT) == 0
    assert learn.listing("facts", "modes") == []
    assert learn("undo", "--history") == 0
    assert f"No model reads along in {PROJECT}" in learn.out

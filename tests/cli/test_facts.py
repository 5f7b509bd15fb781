"""`learn facts`: consent, what would be asked, answers by hand, and lists."""

import json
import shlex
import sys
from pathlib import Path

import pytest

from learnloop.wire import paths
from tests.cli.store import Learn
from tests.cli.terminal import on_terminal
from tests.distill.model_scene import FakeModel
from tests.fact_scene import IMPLIED, PROJECT, fact, facts, item, reading, say

BRANCH = "Commit to a session branch, never to main"
LATER = "the handlers log with structlog, as we agreed"


@pytest.fixture
def learn(root: str, capsys: pytest.CaptureFixture[str]) -> Learn:
    say(root, IMPLIED)
    return Learn(capsys)


def test_before_consent_it_shows_what_would_go_first(learn: Learn) -> None:
    assert learn("facts", "show", "--project", PROJECT) == 0
    assert f"Nothing is sent: no model reads along in {PROJECT}" in learn.out
    assert IMPLIED in learn.out
    assert learn("facts", "show", "--project", "/code/new") == 0
    assert "Read what a person typed" in learn.out


def test_after_consent_it_shows_what_goes_next_byte_for_byte(
    root: str, learn: Learn, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = FakeModel(tmp_path / "model", monkeypatch)
    assert learn("facts", "on", "--project", PROJECT) == 0
    assert learn("facts", "show", "--project", PROJECT) == 0
    assert learn.out == "Nothing waits to be read.\n"
    say(root, LATER, session="s2")
    assert learn("facts", "show") == 0
    head, _, request = learn.out.partition("\n")
    model.answers(facts())
    assert learn("facts", "run") == 0
    assert head.startswith("── extract · haiku")
    assert request.removesuffix("\n\n") == model.asked[0]
    assert IMPLIED not in request


def test_one_question_at_a_terminal_shows_all_and_switches_on(
    root: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = FakeModel(tmp_path / "model", monkeypatch)
    monkeypatch.delenv("LEARNLOOP_FACTS_MODE")
    monkeypatch.setenv("LEARNLOOP_PAGER", "cat")
    say(root, IMPLIED)
    model.answers(reading(item(BRANCH)))
    typed = b"y\ny\nq\n"
    shown = on_terminal(["facts", "on", "--project", PROJECT], typed).decode()
    assert IMPLIED in shown
    told = "".join(shown.split())  # a long path goes over several lines
    assert f"Towhom:{''.join(shlex.quote(sys.executable).split())}" in told
    assert "How much, by your last week" in shown
    assert "Rules found 0, the model 1 more." in shown
    assert f"{BRANCH}." in shown.replace("\r\n", " ")
    assert 'mode = "draft"' in Path(paths.config_file()).read_text()
    assert len(model.asked) == 1


def test_whoever_answered_is_not_asked_again(
    root: str, learn: Learn, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = FakeModel(tmp_path / "model", monkeypatch)
    monkeypatch.delenv("LEARNLOOP_FACTS_MODE")
    monkeypatch.setenv("LEARNLOOP_PAGER", "cat")
    asked = ["triage", "--plain"]
    assert b"never ask again" in on_terminal(asked, b"\n")  # an empty answer leaves it open
    assert b"never ask again" in on_terminal(asked, b"n\nn\n")
    assert b"never ask again" not in on_terminal(asked, b"q\n")
    assert learn.listing("facts", "modes") == []
    assert model.seen == []


def test_without_a_terminal_nothing_is_asked(
    learn: Learn, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    FakeModel(tmp_path / "model", monkeypatch)
    assert learn("triage") == 0
    assert "ask again" not in learn.out
    assert learn.listing("facts", "modes") == []


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
    assert learn("facts", "requests", "--project", PROJECT) == 0
    request, answered = json.loads(learn.out), tmp_path / "answered.jsonl"
    answered.write_text(json.dumps({**request, "answer": {"fact": 1}}))
    assert learn("facts", "answers", str(answered)) == 1
    assert "does not fit the schema" in learn.err
    assert learn("facts", "requests", "--project", PROJECT) == 0
    assert IMPLIED in learn.out
    answered.write_text("not json")
    assert "line 1 is not JSON" in learn.refused("facts", "answers", str(answered))


def test_on_is_the_one_switch(learn: Learn) -> None:
    assert learn("facts", "on", "--project", PROJECT) == 0
    [mode] = learn.listing("facts", "modes")
    assert (mode["project"], mode["mode"], mode["in_force"]) == (PROJECT, "draft", "draft")
    assert learn("facts", "off", "--project", PROJECT) == 0
    assert learn.listing("facts", "modes") == []
    assert learn("undo", "--history") == 0
    assert f"No model reads along in {PROJECT}" in learn.out

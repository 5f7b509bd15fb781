"""An agent cannot promote by itself: inside its session only what the person typed there counts."""

from pathlib import Path

import pytest

from learnloop.cli.main import main
from learnloop.errors import Refused
from learnloop.ingest.run import ingest
from learnloop.models.lesson_check import CheckEvent, CheckRule
from learnloop.service.lessons import queue
from learnloop.service.patches import patches, proposals
from learnloop.service.review import verdicts
from learnloop.service.workspace import Workspace
from tests.recorded_events import fire
from tests.service.patches import patch_home

SESSION = "11111111-2222-3333-4444-555555555555"


def _typed(root: str, words: str, session: str = SESSION) -> None:
    fire(root, "UserPromptSubmit", session, prompt=words)


@pytest.fixture
def draft(root: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """A draft, looked at from an agent's shell."""
    _typed(root, "write a test for the parser")
    _typed(root, "no, use pnpm, not npm")
    ingest(root)
    monkeypatch.setenv("CLAUDECODE", "1")
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", SESSION)
    return queue.listing(Workspace(root), "draft")[0].id


def _status(root: str) -> list[str]:
    return [one.status for one in queue.listing(Workspace(root))]


@pytest.mark.parametrize(
    "words",
    ["promote whatever you like", "please run /learn:promote {id}", "/learn:archive {id}", "/learn:promote",
     "/learn:promote zzzz", "/learn:promote a"],
)  # fmt: skip
def test_what_the_person_did_not_type_is_refused(
    root: str, draft: str, capsys: pytest.CaptureFixture[str], words: str
) -> None:
    _typed(root, words.format(id=draft[:6]))

    assert main(["promote", draft[:6]]) == 1
    assert "an agent cannot give verdicts" in capsys.readouterr().err
    assert _status(root) == ["draft"]


def test_the_persons_command_in_this_session_is_taken(root: str, draft: str) -> None:
    _typed(root, f"/learn:promote {draft[:6]}", session="another")
    assert main(["promote", draft[:6]]) == 1

    _typed(root, f"/learn:promote {draft[:6]}")
    assert main(["promote", draft[:6]]) == 0
    assert _status(root) == ["active"]


@pytest.mark.parametrize(
    "command",
    [["reject", "{id}"], ["edit", "{id}", "--statement", "npm is used."], ["feedback", "always use npm"],
     ["trust"], ["undo"]],
)  # fmt: skip
def test_no_other_verdict_is_given_from_an_agents_shell(root: str, draft: str, command: list[str]) -> None:
    before = queue.listing(Workspace(root))

    assert main([word.format(id=draft[:6]) for word in command]) in (0, 1)
    assert queue.listing(Workspace(root)) == before


@pytest.mark.parametrize(
    "command",
    [["off"], ["on"], ["off", "--recall"], ["config", "budgets.per_call", "9"],
     ["config", "--unset", "recall"], ["forget", "--all", "--yes"]],
)  # fmt: skip
def test_what_changes_what_is_recalled_is_the_persons(
    root: str, draft: str, capsys: pytest.CaptureFixture[str], command: list[str]
) -> None:
    before = {path: path.read_bytes() for path in Path(root).rglob("*") if path.is_file()}

    assert main(command) == 1
    assert "an agent cannot " in capsys.readouterr().err
    assert {path: path.read_bytes() for path in Path(root).rglob("*") if path.is_file()} == before


def test_an_agent_cannot_put_its_own_words_into_the_persons_verdict(
    root: str, draft: str, capsys: pytest.CaptureFixture[str]
) -> None:
    _typed(root, f"/learn:promote {draft[:6]}")
    assert main(["promote", draft[:6], "--statement", "Everything is pushed to main at once."]) == 1
    assert _status(root) == ["draft"]

    _typed(root, f'/learn:promote {draft[:6]} --statement "pnpm  installs everything."')
    assert main(["promote", draft[:6], "--statement", "pnpm installs everything."]) == 0
    assert [one.statement for one in queue.listing(Workspace(root))] == ["pnpm installs everything."]

    _typed(root, f"/learn:rate {draft[:6]} harmful")
    assert main(["edit", "--rate", draft[:6], "helpful"]) == 1
    assert main(["edit", "--rate", draft[:6], "harmful"]) == 0
    _typed(root, f"/learn:edit {draft[:6]} --statement x")
    assert main(["edit", draft[:6], "--statement", "Everything is pushed to main."]) == 1
    _typed(root, f"/learn:archive {draft[:6]}")
    assert main(["edit", "--archive", draft[:6], "--reason", "harmful"]) == 1
    assert main(["edit", "--archive", draft[:6]]) == 0
    assert "an agent cannot give verdicts" in capsys.readouterr().err


def test_discoveries_are_welcome_there(root: str, draft: str) -> None:
    told = ["--details", "The seed script assumes that all tables are there.", "--project", "/tmp"]
    assert main(["discover", "--summary", "Migration must run before seeding", *told]) == 0
    assert _status(root) == ["draft", "draft"]


@pytest.mark.parametrize(
    "command",
    [["install"], ["install", "--dry-run"], ["uninstall"], ["facts", "on", "--turns"],
     ["import", "own.json"], ["import", "--from", "notepads", "."], ["backfill", "."],
     ["export", "own.json"]],
)  # fmt: skip
def test_what_brings_lessons_in_or_out_is_the_persons(
    root: str, draft: str, capsys: pytest.CaptureFixture[str], tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch, command: list[str],
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    Path("own.json").write_text('{"version": 1, "lessons": []}')
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}

    assert main(command) == 1
    assert "an agent cannot " in capsys.readouterr().err
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before


@pytest.mark.parametrize(
    "said",
    ["push to main without asking", "Never push to main without", "Never push",
     "never push to main without asking",
     "Never push to main without asking again"],
)  # fmt: skip
def test_words_that_are_part_of_what_was_typed_are_not_what_was_typed(
    root: str, draft: str, said: str
) -> None:
    _typed(root, f'/learn:promote {draft[:6]} --statement "Never push to main without asking"')
    assert main(["promote", draft[:6], "--statement", said]) == 1
    assert _status(root) == ["draft"]
    assert main(["promote", draft[:6], "--statement", "Never push to main without asking"]) == 0


@pytest.mark.parametrize("asked", [["{id}", "--tell"], ["{id}", "--stop"], ["{id}", "{id}0"]])
def test_a_verdict_in_another_manner_is_not_what_was_typed(root: str, draft: str, asked: list[str]) -> None:
    _typed(root, f"/learn:promote {draft[:6]}")
    assert main(["promote", *(word.format(id=draft[:6]) for word in asked)]) == 1
    assert _status(root) == ["draft"]


def test_a_check_that_the_person_saw_nowhere_is_not_taken_with_a_typed_verdict(root: str, draft: str) -> None:
    _typed(root, f"/learn:promote {draft[:6]}")
    act = CheckEvent(on="command", runs=("make test",))
    with pytest.raises(Refused, match="an agent cannot give verdicts"):
        verdicts.promote(Workspace(root), draft, check=[CheckRule(form="never", act=(act,))])
    assert _status(root) == ["draft"]
    verdicts.promote(Workspace(root), draft)
    assert _status(root) == ["active"]


@pytest.mark.parametrize(
    "command", [["apply"], ["revert"], ["dismiss"], ["restore"], ["edit", "--words", "npm is used."]]
)
def test_an_agents_shell_decides_nothing_about_prompt_files(
    root: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str],
    command: list[str],
) -> None:  # fmt: skip
    home = tmp_path / "person"
    patch_home.agents(home, "tester")
    monkeypatch.setenv("HOME", str(home))
    ws = patch_home.rules(root, 1)
    patch = patch_home.ids(ws)[0]
    if command[0] == "revert":
        patches.apply(ws, [patch])
    if command[0] == "restore":
        proposals.dismiss(ws, [patch])
    before = {path: path.read_text() for path in home.rglob("*.md")}, patches.listing(ws)
    monkeypatch.setenv("CLAUDECODE", "1")
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", SESSION)

    assert main(["patches", command[0], patch, *command[1:]]) == 1
    assert "an agent cannot give verdicts" in capsys.readouterr().err
    assert ({path: path.read_text() for path in home.rglob("*.md")}, patches.listing(ws)) == before
    if command[0] == "revert":
        assert main(["undo"]) == 1
        assert {path: path.read_text() for path in home.rglob("*.md")} == before[0]

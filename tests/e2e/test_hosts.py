"""Other hosts than Claude Code, as their real clients: recorded, told, stopped, uninstalled."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.host_lab import HostLab, fetch, requests_with
from tests.e2e.lab import LEARN, Play

pytestmark = pytest.mark.e2e

FILES = {
    "codex": ".codex/hooks.json", "gemini": ".gemini/settings.json", "qwen": ".qwen/settings.json",
    "copilot": ".copilot/hooks/learnloop.json", "droid": ".factory/hooks.json",
    "opencode": ".config/opencode/plugin/learnloop.js", "cline": ".cline/plugins/learnloop.js",
}  # fmt: skip
START, PROMPT = "Answer in short sentences.", "Paddings are added on the right."
STOPPED, TOOL = "Use pnpm, not npm", "An echo is written in lower case."


@pytest.fixture(scope="module", params=list(FILES))
def lab(
    request: pytest.FixtureRequest, realclient: Path, tmp_path_factory: pytest.TempPathFactory, terminal: None
) -> HostLab:
    """A laboratory in which the second prompt of a session corrected what the first one had led to."""
    if not shutil.which("npm"):
        pytest.skip("npm is not installed, so no client can be fetched")
    if reason := fetch(realclient, request.param):
        pytest.skip(f"npm cannot install {request.param}: {reason}")
    lab = HostLab(realclient, request.param, tmp_path_factory.mktemp(request.param) / "lab")
    lab.play("hosts_learn")
    lab.learn("ingest")
    return lab


@pytest.fixture(scope="module")
def draft(lab: HostLab) -> dict[str, Any]:
    (draft,) = lab.listing("lessons", "--drafts")
    return draft


@pytest.fixture(scope="module")
def played(lab: HostLab, draft: dict[str, Any]) -> Play:
    """A later session, after a person approved the draft and added two lessons."""
    lab.learn("promote", draft["id"])
    _add(lab, START)
    _add(lab, PROMPT, "--action-keyword", "right-pad")
    _add(lab, TOOL, "--command-pattern", "echo *")
    return lab.play("hosts_told")


def _add(lab: HostLab, words: str, *triggers: str) -> None:
    lab.learn("add", words)
    (lesson_id,) = (each["id"] for each in lab.listing("lessons") if each["statement"] == words)
    if triggers:
        lab.learn("edit", lesson_id, *triggers)


def test_a_correction_becomes_a_draft_with_its_evidence(lab: HostLab, draft: dict[str, Any]) -> None:
    assert draft["statement"] == "Use pnpm, not npm."
    evidence = draft["evidence"][0]
    assert (evidence["quote"], evidence["task"]) == ("No, use pnpm, not npm", "Add left-pad to the project")
    assert draft["project"] == str(lab.project)


def test_turns_say_what_was_done_and_what_failed(lab: HostLab, draft: dict[str, Any]) -> None:
    first = lab.turns()[0]
    assert (first.host, first.end, first.claim) == (lab.host, "done", "left-pad is added.")
    assert [failure.tool for failure in first.failures] == ["Bash"]
    assert first.outcome == "revision"


def test_an_unwanted_command_is_stopped_before_it_runs(lab: HostLab, played: Play) -> None:
    assert not (lab.project / "by-npm.txt").exists(), played.report
    assert (lab.project / "by-pnpm.txt").exists(), played.report
    assert any(event["payload"].get("stop") for event in lab.events("recall"))


def test_lessons_reach_the_next_request_at_each_moment(lab: HostLab, played: Play) -> None:
    reached = {words: requests_with(played, words)[:1] for words in (START, PROMPT, STOPPED, TOOL)}
    assert list(reached.values()) == [[0], [0], [1], [2]], played.report


def test_no_hook_failed(lab: HostLab, played: Play) -> None:
    assert lab.events("hook_error") == []


def test_uninstall_leaves_no_byte(lab: HostLab, played: Play) -> None:
    lab.learn("uninstall", "--host", lab.host)
    file = lab.home / FILES[lab.host]
    if file.name.startswith("learnloop."):  # a file of ours alone
        assert not file.exists()
        return
    text = file.read_text("utf-8")
    assert "learnloop" not in text
    assert text == json.dumps(json.loads(text), indent=1), "as the runner wrote it"


def test_interruptions_and_refusals_are_told_apart(lab: HostLab, played: Play) -> None:
    before = len(lab.turns())
    lab.play("interrupt")
    lab.play("denied")
    lab.learn("ingest")
    ends = {turn.prompt: (turn.end, len(turn.refusals)) for turn in lab.turns()[before:]}
    assert ends["Tell me a long story"] == ("interrupted", 0), played.report
    assert ends["Run something slow"] == ("interrupted", 0)
    if lab.host == "cline":  # whose model goes on after a refusal, so that the prompt after it makes the file
        assert ends["Make a file"] == ("done", 1)
        assert ends["No, use pytest instead"] == ("done", 0)
    else:
        assert ends["Make a file"] == ("interrupted", 1)
        assert ends["Make it after all"] == ("done", 0)


def test_hooks_of_a_project_for_claude_code_record_and_tell_nothing_twice(lab: HostLab, played: Play) -> None:
    if lab.host != "copilot":
        pytest.skip("only Copilot runs them")
    again = lab.play("hosts_told", f"'{LEARN}' install --host claude --scope local")
    assert {event["host"] for event in lab.events("prompt")} == {"copilot"}
    (first, *_) = (line["body"] for line in again.requests if line.get("kind") == "main")
    assert json.dumps(first).count(START) == 1


def test_what_print_mode_gets_may_be_a_programs(lab: HostLab, played: Play) -> None:
    lab.play("plain")
    lab.learn("ingest")
    turn = lab.turns()[-1]
    assert (turn.prompt, turn.claim, turn.end) == ("Say hello", "Hello there.", "done")
    prompts = [event["payload"] for event in lab.events("prompt")]
    by_program = {each["prompt"] for each in prompts if each.get("headless") == "print"}
    assert by_program == {"Say hello"}, "all others were typed in a terminal"


def test_a_subagent_counts_to_the_session_that_called_it(lab: HostLab, played: Play) -> None:
    if lab.host != "droid":
        pytest.skip("only droid makes it a session of its own")
    lab.learn("ingest")
    sessions = {turn.session_id for turn in lab.turns()}
    agent = lab.play("agent")
    lab.learn("ingest")
    assert len({turn.session_id for turn in lab.turns()} - sessions) == 1
    turn = lab.turns()[-1]
    assert (turn.prompt, turn.starts) == ("Let a helper count the files", {"worker": 1})
    assert "ls | wc -l" in turn.commands
    helper = next(line["body"] for line in agent.requests if line.get("kind") == "HELPER:")
    assert START in json.dumps(helper), "told at its start"

"""Checks of every kind hold an agent in the real client: before a call, and at the end of a turn."""

import json
import shlex
import subprocess
from typing import Any

import pytest

from tests.e2e.conftest import NewLab
from tests.e2e.lab import LEARN, Lab, Play

pytestmark = pytest.mark.e2e
_GIT = "git -c user.name=a -c user.email=a@example.com"
_CLAIM = {
    "form": "before", "act": [{"on": "say", "text": ["tests pass"]}],
    "then": [{"on": "command", "runs": ["make test"]}], "since": "edit",
}  # fmt: skip


def bash(command: str) -> dict[str, Any]:
    return {"tools": [{"name": "Bash", "input": {"command": command}}]}


def write(file: str, text: str) -> dict[str, Any]:
    return {"tools": [{"name": "Write", "input": {"file_path": f"$CWD/{file}", "content": text}}]}


def said(words: str) -> dict[str, Any]:
    return {"text": words}


def play(lab: Lab, prompt: str, *turns: dict[str, Any]) -> Play:
    args = ["--permission-mode", "acceptEdits", "--allowedTools", "Bash,Write"]
    return lab.play_steps([{"prompt": prompt, "args": args}], [*turns])


@pytest.fixture(scope="module")
def lab(new_lab: NewLab) -> Lab:
    """A person taught by typing, and set one check by hand."""
    lab = new_lab()
    lab.project.mkdir(parents=True, exist_ok=True)
    for words in ("Use pnpm, not npm", "Run make test before you commit"):
        lab.learn("add", words)
    lab.learn("add", "Say what you ran.")
    (claim,) = [one["id"] for one in lab.listing("lessons") if one["statement"].startswith("Say what")]
    rules = lab.work / "rules.json"
    rules.write_text(json.dumps([_CLAIM]), "utf-8")
    lab.learn("check", claim, "--set", str(rules))
    return lab


def test_what_has_to_come_first_comes_first(lab: Lab) -> None:
    (lab.project / "Makefile").write_text("test:\n\ttrue\n", "utf-8")
    commit = f"{_GIT} commit --allow-empty -m one && echo done >> committed.txt"
    played = play(lab, "Commit it", bash(commit), bash("make test"), bash(commit), said("It is committed."))
    assert (lab.project / "committed.txt").read_text("utf-8") == "done\n", played.report


def test_an_act_that_the_prompt_orders_runs(lab: Lab) -> None:
    played = play(lab, "Run npm --version for me", bash("npm --version > ordered.txt"), said("There it is."))
    assert (lab.project / "ordered.txt").exists(), played.report


def test_what_is_said_at_the_end_is_held_to_it(lab: Lab) -> None:
    played = play(lab, "Is the loader fine?", said("All tests pass."), said("I ran nothing."))
    (place, *_) = played.places("Found: tests pass")
    assert place.request == 1, played.report


@pytest.fixture(scope="module")
def running(new_lab: NewLab, terminal: None) -> Lab:
    """A person typed in a terminal what has to pass before an agent is done."""
    lab = new_lab("has to pass")
    lab.project.mkdir(parents=True, exist_ok=True)
    subprocess.run(["git", "init", "-q", str(lab.project)], check=True)
    script = lab.project / "check.sh"
    script.write_text('#!/bin/sh\ntest -e "$(dirname "$0")/fine"\n', "utf-8")
    script.chmod(0o755)
    lab.learn("add", "The check has to pass before you are done", "--project", str(lab.project))
    (lesson,) = lab.listing("lessons")
    learn = shlex.join([str(LEARN), "check", lesson["id"], "--run", "./check.sh"])
    server = ["tmux", "-S", str(lab.work / "tmux")]
    shell = f"cd {shlex.quote(str(lab.project))}; {learn}; {shlex.join([*server, 'wait-for', '-S', 'typed'])}"
    env = [f"{name}={value}" for name, value in lab.env.items()]
    subprocess.run(["env", "-i", *env, *server, "new-session", "-d", shell], check=True)
    subprocess.run([*server, "wait-for", "typed"], check=False, timeout=60)
    (lesson,) = lab.listing("lessons")
    assert lesson["run"]["line"] == "./check.sh"
    return lab


def test_a_command_of_the_person_has_to_pass_before_the_agent_is_done(running: Lab) -> None:
    played = play(
        running, "Fix the loader",
        write("src/b.ts", "export {}\n"), said("Done."), bash("touch fine"), said("Now it passes."),
    )  # fmt: skip
    assert played.places("Found: `./check.sh` ends with 1"), played.report
    ran = [event["payload"]["ran"] for event in running.events("recall") if "ran" in event["payload"]]
    assert [list(each.values()) for each in ran] == [[None], [True]], played.report
    running.learn("ingest")
    (lesson,) = running.listing("lessons")
    assert (lesson["usage"]["held"], lesson["usage"]["broken"]) == (1, 0)


def test_an_agents_edit_of_the_script_ends_it_until_the_person_allows_it_again(running: Lab) -> None:
    before = len(running.events("recall"))
    play(running, "Make the check quicker", bash("echo 'exit 0' > check.sh"), said("It is quicker."))
    assert [event for event in running.events("recall")[before:] if "ran" in event["payload"]] == []
    told = subprocess.run([LEARN, "doctor"], env=running.env, capture_output=True, text=True, check=False)
    assert "is another than when you allowed it" in told.stdout

"""A prompt hook does the same whether a model reads along or not: the same modules, files and answer."""

import json
import subprocess
from pathlib import Path

import pytest

from learnloop.hosts import deploy
from learnloop.service import workspace
from learnloop.service.facts import modes
from learnloop.service.review import trust, verdicts
from learnloop.service.workspace import open_workspace
from learnloop.wire import paths
from tests.hooks.agent import Agent

_WATCHED = """
import sys, posix
opened = []
sys.addaudithook(lambda name, given: opened.append(str(given[0])) if name == "open" else None)
sys.path.insert(0, sys.argv.pop(1))
leave = posix._exit
def told(code):
    names = sorted(sys.modules) + [name for name in opened if name != "posix._exit"]
    posix.write(2, "\\n".join(names).encode())
    leave(code)
posix._exit = told
from learnloop_hooks.entry import main
main(sys.argv.pop(1))
"""


def _seen(agent: Agent, prompt: str) -> tuple[list[str], bytes]:
    """The modules that a prompt hook loaded and the files that it opened, and what it answered."""
    payload = {
        "hook_event_name": "UserPromptSubmit", "session_id": "s", "cwd": str(agent.project), "prompt": prompt
    }  # fmt: skip
    folder = Path(paths.hooks(agent.root), "current").resolve()
    argv = [deploy.interpreter(), "-I", "-S", "-c", _WATCHED, str(folder), agent.root, "claude"]
    env = {name: value for name, value in agent.env.items() if name != "LEARNLOOP_BACKGROUND"}
    env["LEARNLOOP_BACKGROUND"] = "0"
    run = subprocess.run(argv, env=env, input=json.dumps(payload).encode(), capture_output=True, check=True)
    return run.stderr.decode().splitlines(), run.stdout


@pytest.mark.parametrize("prompt", ["Say hello to the team", "deploy the shop with nix please"])
def test_the_prompt_hook_does_not_know_of_it(agent: Agent, prompt: str) -> None:
    project = str(agent.project)
    _set("off")
    trust.trust(open_workspace(agent.root), project)
    verdicts.add(open_workspace(agent.root), "Deploy the shop with nix", scope="project", project=project)
    _seen(agent, prompt)  # makes the folders
    off, answer = _begin(agent, prompt)
    _set("auto")
    modes.set_mode(open_workspace(agent.root), project, "auto", ["none"])
    assert _begin(agent, prompt) == (off, answer)
    assert (b"nix" in answer) == ("nix" in prompt)
    assert "learnloop_hooks.record" in off
    assert not any("facts" in name or "distill" in name for name in off)


def _begin(agent: Agent, prompt: str) -> tuple[list[str], bytes]:
    """The same as the first prompt of a session, with an empty journal."""
    workspace.ingest(open_workspace(agent.root))
    Path(agent.root, "recall", "sessions", "s").unlink(missing_ok=True)
    return _seen(agent, prompt)


def _set(mode: str) -> None:
    config = Path(paths.config_file())
    config.parent.mkdir(parents=True, exist_ok=True)
    config.write_text(f'[facts]\nmode = "{mode}"\n')

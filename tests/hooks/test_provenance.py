"""What real hooks note of where a prompt comes from."""

import json
import subprocess

import pytest

from learnloop.store import seal
from tests.hooks.agent import Agent
from tests.ingest.test_doubted_prompts import NO_CLIENT, RULE, drafted


@pytest.mark.parametrize("shell", ["sh -c", "bash --norc --noprofile -c"])
def test_a_real_hook_says_what_started_it(agent: Agent, shell: str) -> None:
    agent.shell = tuple(shell.split())
    agent.command += " || :"  # a shell that has more to do stays between client and hook
    seal.ensure(agent.root)
    agent.fire("UserPromptSubmit", prompt="write a test for the parser")
    agent.fire("UserPromptSubmit", prompt=RULE)
    assert [each["payload"]["starter"]["name"] for each in agent.events()] == ["claude"] * 2
    assert drafted(agent.root) == ("user", "")


def test_a_real_hook_below_the_shell_of_a_call(agent: Agent) -> None:
    seal.ensure(agent.root)
    agent.fire("UserPromptSubmit", prompt="write a test for the parser")
    payload = {
        "hook_event_name": "UserPromptSubmit", "session_id": "s1", "cwd": str(agent.project), "prompt": RULE,
    }  # fmt: skip
    subprocess.run(
        ["bash", "-c", f"cat | {agent.command}; true"], input=json.dumps(payload).encode(), env=agent.env,
        check=True, timeout=60,
    )  # fmt: skip
    assert drafted(agent.root) == ("external", NO_CLIENT)

"""Errors of calls, from the hook to what is derived of tasks."""

from pathlib import Path
from typing import Any

from learnloop.ingest import earlier_tasks
from learnloop.ingest.run import ingest
from learnloop.service.memory import memory_list
from learnloop.service.tasks import task_list
from learnloop.service.workspace import open_workspace
from tests.hooks.agent import Agent


def test_errors_leave_no_secret_colour_or_path_in_what_is_derived(agent: Agent) -> None:
    secret, error = "AKIAIOSFODNN7EXAMPLE", "\x1b[31mError: key {} refused in /home/jo/x.py:12\x1b[0m"
    for number in range(2):
        fields: dict[str, Any] = {"prompt_id": f"p{number}", "session_id": f"s{number}"}
        agent.fire("UserPromptSubmit", f"s{number}", prompt="Mend the checkout of the cart page", **fields)
        call: dict[str, Any] = {
            "tool_name": "Bash",
            "tool_use_id": f"t{number}",
            "tool_input": {"command": "npm test"},
        }
        agent.fire("PostToolUseFailure", f"s{number}", error=error.format(secret), **call, **fields)
        agent.fire("Stop", f"s{number}", last_assistant_message="Done.", **fields)
    ingest(agent.root)
    ws = open_workspace(agent.root)
    tasks = task_list.newest(ws)
    classes = {step.error_class for task in tasks for step in task.steps}
    assert len(classes) == 1
    assert not any(part in next(iter(classes)) for part in ("/home", "\x1b", secret, "12"))
    memory_list.memories(ws)
    earlier_tasks.refresh(agent.root)
    written = [path.read_bytes() for path in Path(agent.root).rglob("*") if path.is_file()]
    assert not any(secret.encode() in data for data in written)

"""Hook processes of other hosts than Claude Code, against the bare interpreter."""

import json
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from scripts.perf import hooks
from scripts.perf.measure import WARM_UP, Command, Measures, Row, compared, rounds

from learnloop.wire import hosts

_EVENTS = {
    "codex": {"UserPromptSubmit": "UserPromptSubmit", "PreToolUse match": "PreToolUse"},
    "gemini": {"UserPromptSubmit": "BeforeAgent", "PreToolUse match": "AfterTool"},
    "qwen": {"UserPromptSubmit": "UserPromptSubmit", "PreToolUse match": "PostToolUse"},
    "copilot": {"UserPromptSubmit": "userPromptSubmitted", "PreToolUse match": "preToolUse"},
    "droid": {"UserPromptSubmit": "UserPromptSubmit", "PreToolUse match": "PostToolUse"},
    "opencode": {"UserPromptSubmit": "chat.message", "PreToolUse match": "tool.execute.after"},
    "cline": {"UserPromptSubmit": "beforeRun", "PreToolUse match": "beforeTool"},
    "cursor": {"UserPromptSubmit": "beforeSubmitPrompt", "PreToolUse match": "postToolUse"},
}
"""A prompt, and the call at which a lesson is told."""


def measure(folder: Path, quick: bool) -> list[Row]:
    """A prompt and a call of each host, with 500 active lessons."""
    count = hooks.QUICK_ROUNDS if quick else hooks.ROUNDS
    claude = hooks.bench(folder, "store", 500)
    measures: Measures = {"bare": lambda _: claude.bare.run()}
    for host, events in _EVENTS.items():
        bench = replace(claude, argv=(*claude.argv[:-1], host))
        for event, theirs in events.items():
            commands = [_command(bench, host, event, theirs, number) for number in range(count + WARM_UP)]
            measures[f"{host} {theirs}"] = partial(_run, commands)
    samples = rounds(count, measures)
    goals = {
        f"{host} {theirs}": hooks.GOALS[event]
        for host, each in _EVENTS.items()
        for event, theirs in each.items()
    }
    return [
        compared(samples, name, "bare", goal, f"{name} against the bare interpreter")
        for name, goal in goals.items()
    ]


def _run(commands: list[Command], number: int) -> float:
    return commands[number].run()


def _command(bench: hooks.Bench, host: str, event: str, theirs: str, number: int) -> Command:
    """The registered command for one firing, with the payload as the host writes it."""
    command = bench.command(event, f"{host}{number}")
    path = command.stdin
    assert path is not None
    payload = json.loads(path.read_text())
    path.write_text(json.dumps({**payload, **_more(host, payload), "hook_event_name": theirs}))
    return command


def _more(host: str, payload: dict[str, Any]) -> dict[str, Any]:
    """What a host calls otherwise: the tool that writes a file, and its input."""
    given = payload.get("tool_input")
    if not given:
        return {"submitted_prompt": payload["prompt"]}
    tools = hosts.description(host)["tools"].items()
    tool, names = next((tool, names) for tool, (ours, names) in tools if ours in ("Write", "Edit"))
    if tool == "apply_patch":
        lines = "".join(f"+{line}\n" for line in given["content"].splitlines())
        patch = f"*** Begin Patch\n*** Add File: {given['file_path']}\n{lines}*** End Patch\n"
        return {"tool_name": "apply_patch", "tool_input": {"command": patch}}
    theirs = {ours: name for name, ours in names.items()}
    renamed = {theirs.get(name, name): value for name, value in given.items()}
    return {"tool_name": tool, "tool_input": renamed, "tool_response": {"llmContent": "Written."}}

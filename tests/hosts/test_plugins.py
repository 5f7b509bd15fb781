"""The JavaScript plugins: what they hand on of real events, what they answer, and that they never hurt."""

import json
import os
import shlex
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from learnloop.hosts import hook_settings
from learnloop.hosts.host import Host
from learnloop.hosts.table import CLINE, OPENCODE
from learnloop.wire import payloads
from learnloop.wire.hosts import translation

SHARED = Path(os.environ.get("LEARNLOOP_REALCLIENT") or Path(__file__).parents[3] / "shared" / "realclient")
NODE = shutil.which("node") or ""
pytestmark = pytest.mark.skipif(not NODE, reason="node is not installed")

HOOK = """
import json, sys
payload = json.loads(sys.stdin.read())
with open(sys.argv[1], "a") as log:
    log.write(json.dumps(payload) + "\\n")
print(json.dumps(json.loads(sys.argv[2]).get(payload["hook_event_name"], {})))
"""
DRIVER = """
import { readFileSync } from "node:fs"
const steps = JSON.parse(readFileSync(0, "utf8"))
const loaded = []
for (const file of process.argv.slice(2)) loaded.push(await import(file))
const plugins = []
for (const each of loaded)
  plugins.push(each.default?.hooks ?? (await each.Learnloop({ directory: "/p", client: undefined })))
loaded[0].default?.setup({}, { session: { sessionId: "s" }, workspaceInfo: { rootPath: "/p" } })
const results = []
for (const [name, ...given] of steps)
  for (const plugin of plugins) {
    const answer = await plugin[name](...given).catch((error) => error.message)
    results.push([answer ?? null, given])
  }
console.log(JSON.stringify(results))
"""
Step = list[Any]
MAIN: dict[str, Any] = {}


class Played:
    """What was handed on, and what each hook returned beside its arguments as it left them."""

    def __init__(self, payloads: list[dict[str, Any]], results: list[Any]) -> None:
        self.payloads = payloads
        self.results = results

    def recorded(self, host: Host) -> list[tuple[str, dict[str, Any]]]:
        """Kind and payload of what becomes of it in the journal."""
        records = []
        for payload in self.payloads:
            for each in translation.Translation(host.name, payload).payloads:
                records += payloads.records(host.name, each, payloads.HookContext("/p"))
        return [(record["kind"], record["payload"]) for record in records]


def play(
    host: Host, folder: Path, steps: list[Step], answers: dict[str, Any] | None = None, copies: int = 1
) -> Played:
    """Call the hooks of a plugin, whose program notes its payloads and gives answers by event."""
    log, hook = folder / "log.jsonl", folder / "hook.py"
    hook.write_text(HOOK)
    command = shlex.join([sys.executable, "-I", "-S", str(hook), str(log), json.dumps(answers or {})])
    return Played(*run(host, folder, command, steps, copies, log))


def run(
    host: Host, folder: Path, command: str, steps: list[Step], copies: int, log: Path
) -> tuple[list[dict[str, Any]], list[Any]]:
    (folder / "driver.mjs").write_text(DRIVER)
    assert host.plugin
    files = [folder / f"plugin{number}.mjs" for number in range(copies)]
    for file in files:
        file.write_text(hook_settings.text_of(host.plugin, command))
    ran = subprocess.run(
        [NODE, str(folder / "driver.mjs"), *map(str, files)], input=json.dumps(steps),
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert ran.stderr == ""
    lines = log.read_text().splitlines() if log.exists() else []
    return [json.loads(line) for line in lines], json.loads(ran.stdout)


def event(kind: str, **properties: Any) -> Step:
    return ["event", {"event": {"type": kind, "properties": properties}}]


def message(words: str, session: str = "s", number: int = 1) -> Step:
    parts = [{"id": "p", "type": "text", "text": words}]
    return ["chat.message", {"sessionID": session}, {"message": {"id": f"m{number}"}, "parts": parts}]


def call(tool: str, args: dict[str, Any], session: str = "s", name: str = "c") -> Step:
    return ["tool.execute.before", {"tool": tool, "sessionID": session, "callID": name}, {"args": args}]


def result(output: dict[str, Any], session: str = "s") -> Step:
    given = {"tool": "bash", "sessionID": session, "callID": "c", "args": {"command": "make"}}
    return ["tool.execute.after", given, output]


TURN = [
    event("session.created", info={"id": "s"}), message('"No, use \\"pnpm\\""'),
    call("bash", {"command": "make"}),
    result({"output": "broken", "metadata": {"exit": 3}}),
    ["experimental.text.complete", {"sessionID": "s"}, {"text": "Done."}],
    event("session.idle", sessionID="s"), event("session.idle", sessionID="s"),
]  # fmt: skip


def test_a_turn_of_opencode_is_handed_on(tmp_path: Path) -> None:
    recorded = play(OPENCODE, tmp_path, TURN).recorded(OPENCODE)
    assert recorded == [
        ("session_start", {"source": "startup"}), ("prompt", {"prompt": 'No, use "pnpm"'}),
        ("tool_start", {"tool": "Bash", "command": "make"}),
        ("tool_failed", {"tool": "Bash", "command": "make", "error": "broken"}),
        ("turn_end", {"message": "Done.", "background": []}),
    ]  # fmt: skip


def test_a_plugin_that_is_loaded_twice_hands_on_once(tmp_path: Path) -> None:
    twice = play(OPENCODE, tmp_path, TURN, copies=2).payloads
    assert [payload["hook_event_name"] for payload in twice] == [
        "session.created", "chat.message", "tool.execute.before", "tool.failed", "session.idle",
    ]  # fmt: skip


def test_answers_reach_a_prompt_and_the_output_of_a_call_of_opencode(tmp_path: Path) -> None:
    use_pnpm = {"context": "Use pnpm."}
    answers = {
        "session.created": {"context": "Be short."},
        "chat.message": use_pnpm,
        "tool.execute.after": use_pnpm,
    }
    played = play(OPENCODE, tmp_path, [message("hi"), result({"output": "out"})], answers)
    prompt, after = (given for _, given in played.results)
    assert prompt[1]["parts"][1:] == [{
        "id": "pl", "sessionID": "s", "messageID": "m1", "type": "text", "text": "Be short.\nUse pnpm.",
        "synthetic": True,
    }]  # fmt: skip
    assert after[1]["output"] == "out\n\nUse pnpm."


def test_a_call_is_stopped_by_both_hosts(tmp_path: Path) -> None:
    (stopped, _), *_ = play(
        OPENCODE,
        tmp_path,
        [call("bash", {"command": "npm i"})],
        {"tool.execute.before": {"deny": "Use pnpm."}},
    ).results
    assert stopped == "Use pnpm."
    (answer, _), *_ = play(
        CLINE, tmp_path, [tool("beforeTool")], {"beforeTool": {"deny": "Use pnpm."}}
    ).results
    assert answer == {"skip": True, "reason": "Use pnpm."}


def test_a_subagent_of_opencode_counts_to_the_session_that_started_it(tmp_path: Path) -> None:
    steps = [
        message("count"), event("session.created", info={"id": "c", "parentID": "s", "agent": "general"}),
        message("HELPER: count", "c", 2), call("bash", {"command": "ls"}, "c"),
        ["experimental.text.complete", {"sessionID": "c"}, {"text": "0 files."}],
        event("session.idle", sessionID="c"),
    ]  # fmt: skip
    played = play(OPENCODE, tmp_path, steps)
    assert [kind for kind, _ in played.recorded(OPENCODE)] == [
        "session_start", "prompt", "subagent_start", "tool_start", "subagent_end",
    ]  # fmt: skip
    assert {(each["session_id"], each.get("agent_id")) for each in played.payloads} == {
        ("s", None),
        ("s", "c"),
    }


@pytest.mark.parametrize(
    ("signs", "kinds"),
    [
        ([event("session.error", sessionID="s", error={"name": "MessageAbortedError"})], ["interrupted"]),
        ([event("session.error", sessionID="s", error={"name": "APIError"})], ["turn_failed"]),
        ([
            call("write", {"filePath": "a"}),
            event("permission.asked", id="q", sessionID="s", tool={"callID": "c"}),
            event("permission.replied", sessionID="s", reply="reject"),
        ], ["tool_start", "permission_prompt", "interrupted"]),
        ([event("permission.replied", sessionID="s", reply="once")], ["turn_end"]),
    ],
)  # fmt: skip
def test_an_end_of_a_turn_of_opencode_is_told_once(
    tmp_path: Path, signs: list[Step], kinds: list[str]
) -> None:
    steps = [
        message("go"),
        *signs,
        event("session.idle", sessionID="s"),
        event("session.idle", sessionID="s"),
    ]
    recorded = play(OPENCODE, tmp_path, steps).recorded(OPENCODE)[2:]
    assert [payload.get("type", kind) for kind, payload in recorded] == kinds


def test_a_message_typed_while_a_command_of_opencode_runs_is_a_prompt(tmp_path: Path) -> None:
    steps = [message("go"), call("bash", {"command": "make"}), message("no, the other one", number=2)]
    prompts = [
        fields["prompt"]
        for kind, fields in play(OPENCODE, tmp_path, steps).recorded(OPENCODE)
        if kind == "prompt"
    ]
    assert prompts == ["go", "no, the other one"]


def run_of(words: str, number: int = 1, more: dict[str, Any] = MAIN) -> Step:
    messages = [{"id": f"m{at}", "content": [{"type": "text", "text": words}]} for at in range(number)]
    return ["beforeRun", {"snapshot": {"agentId": "a", "messages": messages, **more}}]


def tool(name: str, **more: Any) -> Step:
    about = {"snapshot": {"agentId": "a"}, "tool": {"name": "run_commands"}, "toolCall": {"toolCallId": "c"}}
    return [name, {**about, "input": {"commands": ["make", "ls"]}, **more}]


def end_of(status: str, **more: Any) -> Step:
    return [
        "afterRun",
        {"snapshot": {"agentId": "a", **more}, "result": {"status": status, "outputText": "Done."}},
    ]


def test_a_turn_of_cline_is_handed_on_with_its_prompt(tmp_path: Path) -> None:
    failed = {"output": [{"success": False, "error": "Command exited with code 3"}]}
    refused = {
        "isError": True,
        "output": {"error": "This tool call was rejected by the user and not executed."},
    }
    steps = [
        run_of('<user_input mode="act">No, use pnpm</user_input>'), tool("beforeTool"),
        tool("afterTool", result=failed), tool("afterTool", result=refused),
        tool("afterTool", result={"output": [{"success": True}]}), end_of("completed"),
    ]  # fmt: skip
    run_both = {"tool": "Bash", "command": "make\nls"}
    assert play(CLINE, tmp_path, steps).recorded(CLINE) == [
        ("session_start", {"source": "startup"}), ("prompt", {"prompt": "No, use pnpm"}),
        ("tool_start", run_both),
        ("tool_failed", {**run_both, "error": "Command exited with code 3"}),
        ("refusal", {**run_both, "words": "", "marked": True}), ("tool_end", run_both),
        ("turn_end", {"message": "Done.", "background": []}),
    ]  # fmt: skip


def test_marks_that_never_close_cost_cline_no_time(tmp_path: Path) -> None:
    words = "<user_input" * 80_000
    began = time.monotonic()
    ((_, _), (_, prompt)) = play(CLINE, tmp_path, [run_of(words)]).recorded(CLINE)
    assert prompt["prompt"].startswith("<user_input<user_input")
    assert time.monotonic() - began < 15  # 30 s where each mark is looked at to the end


def test_a_run_of_cline_that_was_cut_off_or_failed_has_no_answer(tmp_path: Path) -> None:
    recorded = play(CLINE, tmp_path, [end_of("aborted"), end_of("failed")]).recorded(CLINE)
    assert [payload.get("type", kind) for kind, payload in recorded] == ["interrupted", "turn_failed"]


def test_a_subagent_of_cline_is_no_person(tmp_path: Path) -> None:
    child = {"parentAgentId": "b"}
    recorded = play(
        CLINE, tmp_path, [run_of("HELPER: count", more=child), end_of("completed", **child)]
    ).recorded(CLINE)
    assert [kind for kind, _ in recorded] == ["subagent_start", "subagent_end"]


def test_answers_reach_a_run_and_a_call_of_cline(tmp_path: Path) -> None:
    answers = {name: {"context": name} for name in ("sessionStart", "beforeRun", "beforeTool")}
    steps = [run_of("hi"), run_of("again", 2), tool("beforeTool")]
    given = [answer for answer, _ in play(CLINE, tmp_path, steps, answers).results]
    assert given == [
        {"appendContext": "sessionStart\nbeforeRun"}, {"appendContext": "beforeRun"},
        {"appendContext": "beforeTool"},
    ]  # fmt: skip


@pytest.mark.parametrize(
    "command", ["/nowhere/python", "false", "echo no JSON", pytest.param("sleep 60", marks=pytest.mark.slow)]
)
def test_a_program_that_fails_or_hangs_hurts_nobody(tmp_path: Path, command: str) -> None:
    log = tmp_path / "none"
    for host, steps in ((OPENCODE, TURN[1:3]), (CLINE, [run_of("hi"), tool("beforeTool")])):
        if command == "sleep 60":
            steps = steps[-1:]
        _, results = run(host, tmp_path, command, steps, 1, log)
        assert [answer for answer, _ in results] == [None] * len(steps)


@pytest.mark.parametrize("value", [None, 7, "x", [], {}])
def test_events_of_another_version_hurt_nobody(tmp_path: Path, value: object) -> None:
    names = (
        "event",
        "chat.message",
        "tool.execute.before",
        "tool.execute.after",
        "experimental.text.complete",
    )
    steps = [[name, value, value] for name in names]
    assert all(answer is None for answer, _ in play(OPENCODE, tmp_path, steps).results)
    steps = [[name, value] for name in ("beforeRun", "beforeTool", "afterTool", "afterRun")]
    assert all(answer is None for answer, _ in play(CLINE, tmp_path, steps).results)


@pytest.mark.skipif(not (SHARED / "hosts").is_dir(), reason=f"no samples in {SHARED}")
def test_every_sample_of_opencode_is_handed_on_or_left_out(tmp_path: Path) -> None:
    steps: list[Step] = []
    for file in sorted((SHARED / "hosts" / "samples" / "opencode").glob("*.json")):
        for sample in json.loads(file.read_text("utf-8")):
            given = sample["stdin"]
            is_hook = file.stem in ("chat.message", "experimental.text.complete") or file.stem.startswith(
                "tool."
            )
            if is_hook:
                steps.append([file.stem, given["input"], given["output"]])
            elif "input" not in given:
                steps.append(event(file.stem, **given))
    played = play(OPENCODE, tmp_path, steps)
    assert all(answer is None for answer, _ in played.results)
    kinds = [kind for kind, _ in played.recorded(OPENCODE)]
    assert {"session_start", "prompt", "tool_start", "tool_end", "notice"} <= set(kinds)


@pytest.mark.skipif(not (SHARED / "hosts").is_dir(), reason=f"no samples in {SHARED}")
def test_every_sample_of_cline_is_handed_on_or_left_out(tmp_path: Path) -> None:
    steps: list[Step] = []
    for file in sorted((SHARED / "hosts" / "samples" / "cline").glob("plugin.*.json")):
        for sample in json.loads(file.read_text("utf-8")):
            brief, name = sample["stdin"], file.stem.removeprefix("plugin.")
            about = {
                "snapshot": {"agentId": "a", "messages": [brief.get("last")]},
                "input": brief.get("input"),
            }
            result = {"status": brief.get("result"), "outputText": brief.get("output")}
            if name in ("beforeRun", "beforeTool", "afterTool", "afterRun"):
                steps.append([name, {**about, "tool": {"name": brief.get("tool")}, "result": result}])
    played = play(CLINE, tmp_path, steps)
    prompts = [fields["prompt"] for kind, fields in played.recorded(CLINE) if kind == "prompt"]
    assert prompts == ["Show me everything"]

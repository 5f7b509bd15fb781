"""Plays a scene as a client would: it fires the hooks of a session at set times and with set ids.

== PROJECT DAYS HOURS      a session, so many days and hours before now
> text                     a prompt          & text   a machine's prompt (a background task reports)
e FILE   w FILE            edited, written   $ COMMAND   ran   x COMMAND | ERROR   failed
! TOOL TARGET | WORDS      a refused call with what was said
@ AGENT   - text           a subagent starts, by the one at work if there is one; ends with its report
% TOOL TARGET              a call that goes on          i TOOL TARGET   one that was stopped in the middle
t DONE/TOTAL               the agent's own list
? text                     the client waits for the person
. text                     the turn's end, with what the agent claims; ¶ is a new line in it
~                          the turn was interrupted
# text                     the session ends; a scene may end without it
"""

import hashlib
import json
from collections.abc import Callable, Iterator
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any

from learnloop.models.experiment import HELD_OUT
from learnloop.wire import event, payload_fields, payloads

HOME = "/home/robin/code"
HOST = "claude"
DAY_MS = 86_400_000
_REFUSAL = (
    "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file "
    "edit, the new_string was NOT written to the file). To tell you how to proceed, the user said:\n"
)
_HOOK_MS = {
    "prompt": 21.0, "turn_end": 18.5, "tool_start": 19.5, "tool_end": 18.0, "tool_failed": 18.2,
    "refusal": 18.4, "session_start": 23.5, "session_end": 17.9, "subagent_start": 22.0, "subagent_end": 18.3,
}  # fmt: skip

_SCENES = Path(__file__).with_name("scenes")

Record = dict[str, Any]
Receipts = Callable[[dict[str, Any], str, str], list[dict[str, Any]]]
"""Which lessons a payload recalls: payload, project and session to `[{id, score}]`."""


def scene(name: str) -> str:
    """A scene of the folder `scenes`."""
    return _SCENES.joinpath(f"{name}.txt").read_text("utf-8")


@cache
def table(name: str) -> Any:
    """A table of `scenes/tables.json`: what the demo's person, agents and other tools did."""
    return json.loads(_SCENES.joinpath("tables.json").read_text("utf-8"))[name]


def play(text: str, now_ms: int, receipts: Receipts | None = None) -> Iterator[list[Record]]:
    """The events of each session of a scene, in the order of the sessions."""
    for part in text.strip().split("\n== "):
        head, *lines = part.removeprefix("== ").splitlines()
        project, days, hours = head.split()
        yield _Session(project, int(days), int(hours), now_ms, receipts).play(lines)


def session_id(project: str, days: int, hours: int) -> str:
    """The id of the session of a project so long before now."""
    name = _name(project, _ago_ms(days, hours))
    return "-".join((name[:8], name[8:12], name[12:16], name[16:20], name[20:32]))


def _ago_ms(days: int, hours: int) -> int:
    return days * DAY_MS + hours * 3_600_000 + 9 * 60_000


def _name(project: str, ago_ms: int) -> str:
    return hashlib.sha256(f"{project} {ago_ms}".encode()).hexdigest()


def stable_id(ms: int, *parts: object) -> str:
    """An event id that is the same at every run."""
    digest = hashlib.sha256("\0".join(map(str, parts)).encode()).hexdigest()
    return f"{ms:012x}{digest[:20]}"


class _Session:
    def __init__(
        self, project: str, days: int, hours: int, now_ms: int, receipts: Receipts | None
    ) -> None:  # fmt: skip
        self.project = f"{HOME}/{project}"
        self.session_id = session_id(project, days, hours)
        self.name = _name(project, _ago_ms(days, hours))
        self.ms = now_ms - _ago_ms(days, hours)
        self.now_ms = now_ms
        self.receipts = receipts
        self.records: list[Record] = []
        self.calls = 0
        self.prompts = 0
        self.agents: list[dict[str, str]] = []
        """The subagents at work, each started by the one before it."""

    def play(self, lines: list[str]) -> list[Record]:
        """The events of the session's lines."""
        self.fire("SessionStart", source="startup", model="claude-sonnet-4-5")
        for is_prompt, group in groupby(lines, key=lambda line: line[:1] == ">"):
            if is_prompt:
                self.prompt("\n".join(line[2:] for line in group))
                continue
            for line in group:
                self.act(line[0], line[2:])
        return self.records

    def prompt(self, text: str) -> None:
        self.prompts += 1
        seconds = 35 if self.prompts > 1 else 6
        self.fire_after(seconds, "UserPromptSubmit", prompt=text, permission_mode="default")

    def act(self, mark: str, words: str) -> None:
        """One line that is no prompt: a mark and its words."""
        target, _, rest = words.partition(" | ")
        path = f"{self.project}/{target}"
        match mark:
            case "w":
                self.call("Write", {"file_path": path, "content": f"{target}\n"}, "File created")
            case "e":
                given = {"file_path": path, "old_string": "…", "new_string": target}
                self.call("Edit", given, "The file has been updated")
            case "$":
                self.call("Bash", {"command": words, "description": words.split()[0]}, "done")
            case "x":
                self.fail("Bash", {"command": target, "description": target.split()[0]}, error=rest)
            case "!":
                self.call(*self.tool_and_input(target), _REFUSAL + rest)
            case "%":
                self.before(*self.tool_and_input(words))
            case "i":
                self.fail(*self.tool_and_input(words), error="interrupted", is_interrupt=True)
            case "@":
                self.agents.append({"agent_id": f"a{self.name[:7]}{self.calls}", "agent_type": words})
                self.fire_after(4, "SubagentStart")
            case "-":
                self.end_agent(words)
            case "t":
                self.list_todos(*map(int, words.split("/")))
            case "&":
                self.prompt(words)
            case "?":
                self.fire_after(6, "Notification", notification_type="permission_prompt", message=words)
            case ".":
                claim = words.replace("¶", "\n")
                self.fire_after(15, "Stop", last_assistant_message=claim, background_tasks=[])
            case "~":
                self.wait(8)
            case "#":
                self.fire_after(30, "SessionEnd", reason="prompt_input_exit")
            case _:
                raise ValueError(f"a scene has no mark {mark!r}")

    def end_agent(self, report: str) -> None:
        self.fire_after(20, "SubagentStop", last_assistant_message=report)
        ended = self.agents.pop()
        if self.agents:
            self.call("Agent", {"subagent_type": ended["agent_type"], "prompt": "…"}, report)

    def list_todos(self, done: int, total: int) -> None:
        """The agent's own list, its first entries done."""
        todos = [
            {"content": f"step {at}", "status": "completed" if at < done else "pending"}
            for at in range(total)
        ]
        self.call("TodoWrite", {"todos": todos}, "Todos have been modified")

    def call(self, tool: str, given: dict[str, Any], response: str) -> None:
        call = self.before(tool, given)
        ended = {"tool_name": tool, "tool_input": given, "tool_use_id": call, "tool_response": response}
        self.fire("PostToolBatch", tool_calls=[ended])

    def fail(self, tool: str, given: dict[str, Any], **why: Any) -> None:
        call = self.before(tool, given)
        self.fire("PostToolUseFailure", tool_name=tool, tool_input=given, tool_use_id=call, **why)

    def tool_and_input(self, line: str) -> tuple[str, dict[str, Any]]:
        tool, _, target = line.partition(" ")
        path = f"{self.project}/{target}"
        return tool, {"command": target} if tool == "Bash" else {"file_path": path, "content": "…"}

    def before(self, tool: str, given: dict[str, Any]) -> str:
        self.calls += 1
        call = f"toolu_{self.name[:10]}{self.calls:03d}"
        self.fire_after(9, "PreToolUse", tool_name=tool, tool_input=given, tool_use_id=call)
        self.wait(3)
        return call

    def wait(self, seconds: int) -> None:
        """Let time pass, some milliseconds more than asked for, never beyond now."""
        self.ms = min(
            self.ms + seconds * 1000 + int(self.name[len(self.records) % 60 :][:3], 16), self.now_ms - 2000
        )

    def fire_after(self, seconds: int, name: str, **fields: Any) -> None:
        self.wait(seconds)
        self.fire(name, **fields)

    def fire(self, name: str, **fields: Any) -> None:
        payload = {
            "hook_event_name": name, "session_id": self.session_id, "cwd": self.project,
            "transcript_path": "", **(self.agents[-1] if self.agents else {}), **fields,
        }  # fmt: skip
        if self.prompts:
            payload["prompt_id"] = f"{self.name[:12]}-{self.prompts}"
        records = payloads.records(
            HOST, payload, payloads.HookContext(self.project, (), self.ms, denied=True)
        )
        recalled = self.receipts(payload, self.project, self.session_id) if self.receipts else []
        if recalled:
            records.append(self._receipt(name, payload, recalled))
        for number, record in enumerate(records):
            record["id"] = stable_id(self.ms, self.session_id, len(self.records), number)
            self.records.append(record)
        if records:
            records[0]["hook_ms"] = self._hook_ms(records[0]["kind"], bool(recalled))

    def _receipt(self, name: str, payload: dict[str, Any], recalled: list[dict[str, Any]]) -> Record:
        held = [item for item in recalled if item.get("arm") == HELD_OUT]
        told = [item for item in recalled if item not in held]
        receipt = {
            "moment": {"PreToolUse": "tool", "UserPromptSubmit": "prompt"}.get(name, "start"),
            "lessons": told, "held": held, "chars": 90 * len(told), "tool": payload_fields.tool_name(payload),
            "file": payload_fields.tool_file(payload), "command": payload_fields.tool_command(payload),
        }  # fmt: skip
        return event.record(
            "recall", host=HOST, session_id=self.session_id, cwd=self.project, project=self.project,
            payload={key: value for key, value in receipt.items() if value}, ts_ms=self.ms,
            prompt_id=payload.get("prompt_id", ""), tool_use_id=payload.get("tool_use_id", ""),
        )  # fmt: skip

    def _hook_ms(self, kind: str, recalled: bool) -> float:
        """A believable time for a hook, slower now and then."""
        wobble = int(hashlib.sha256(f"{self.name}{len(self.records)}".encode()).hexdigest()[:4], 16) / 0xFFFF
        return round(_HOOK_MS.get(kind, 18.0) * (1 + 0.25 * wobble**4) + (1.5 if recalled else 0.0), 2)

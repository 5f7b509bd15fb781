"""Each step of docs/tutorial.md, run as it stands there: its commands, its agent, its output."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.faults import faulty_calls
from tests.faults.conftest import shim

__all__ = ["shim"]

pytestmark = pytest.mark.slow
PAGE = Path(__file__).resolve().parents[2] / "docs" / "tutorial.md"
SHOWN_ID = "k3fq"
PAUSE_S = 64
"""Longer than what is between two ingests that hooks start."""
QUESTION = "[p] keep [r] drop [s]kip [e]dit [d]etails [z] undo [q]uit ? > "


class Step(NamedTuple):
    """A command with what it shows, or a line of a session."""

    kind: str
    text: str
    shown: str = ""
    """What a command prints; of a line of a session the number of its session."""


def steps(text: str) -> Iterator[Step]:
    """The steps of the page, in order."""
    for number, (kind, block) in enumerate(re.findall(r"```(console|agent)\n(.*?)```", text, re.S)):
        if kind == "console":
            for part in re.split(r"^\$ ", block, flags=re.M)[1:]:
                command, _, shown = part.partition("\n")
                yield Step("console", command, shown)
        else:
            for line in block.splitlines():
                who, _, said = line.partition("> ")
                yield Step(who, said, str(number))
            yield Step("end", "", str(number))


class Reader:
    """Somebody who follows the page on a machine where nothing of Learnloop is yet.

    With a library that moves clocks they take more than a minute for each line that they type, and what the
    hooks start in the background meanwhile is done.
    """

    def __init__(self, home: Path, clocks: Path | None = None) -> None:
        self._clocks, self._late_s = clocks, 0
        self.project = home / "shop"
        (self.project / ".git").mkdir(parents=True)
        (home / ".claude").mkdir()
        learn = home / "bin" / "learn"
        learn.parent.mkdir()
        learn.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m learnloop.cli.main "$@"\n')
        learn.chmod(0o755)
        self.env = {
            "HOME": str(home), "PATH": f"{learn.parent}:/usr/bin:/bin", "LEARNLOOP_BACKGROUND": "0",
            "PYTHONPATH": os.pathsep.join(path for path in sys.path if path), "PYTHONUTF8": "1",
        }  # fmt: skip
        self.settings = home / ".claude" / "settings.json"
        self.told: list[str] = []
        self.stopped: list[str] = []
        self._session = ""
        self._calls = 0
        self._is_busy = False

    def run(self, command: str, answers: str = "") -> str:
        """What a command line prints, errors and remarks among it."""
        done = subprocess.run(
            ["sh", "-c", command], input=answers, env=self.env, cwd=self.project, text=True, check=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip
        return done.stdout

    def lesson(self) -> str:
        """The short id of the one lesson there is."""
        found = json.loads(self.run("learn lessons --json"))
        return str(found[0]["id"])[:4] if found else SHOWN_ID

    def console(self, step: Step) -> None:
        """Run a command; what it prints has to be what the page shows."""
        answers = "".join(
            f"{line}\n" for line in re.findall(f"^{re.escape(QUESTION)}(.*)$", step.shown, re.M)
        )
        name = self.lesson()
        printed = self.run(step.text.replace(SHOWN_ID, name), answers)
        pattern = re.escape(step.shown).replace("…", r".*")
        pattern = pattern.replace(SHOWN_ID, rf"{name}[a-z2-7]*")
        assert re.fullmatch(pattern, printed), f"$ {step.text}\n{printed}\nbut the page shows\n{step.shown}"

    def session(self, step: Step) -> None:
        """Play one line of a session through the hooks that stand in the settings file."""
        if self._session != step.shown:
            self._session = step.shown
            self._fire("SessionStart", source="startup")
        getattr(self, f"_{step.kind}")(step.text)

    def _you(self, said: str) -> None:
        self._pause()
        if self._is_busy:
            self._fire("Stop", last_assistant_message="Done.")
        self._calls, self._is_busy = self._calls + 1, True
        self._fire("UserPromptSubmit", prompt=said)

    def _agent(self, does: str) -> None:
        tool, _, command = does.partition(": ")
        call = {"tool_name": tool, "tool_input": {"command": command}, "tool_use_id": f"t{self._calls}"}
        stops = len(self.stopped)
        self._fire("PreToolUse", **call)
        if len(self.stopped) == stops:
            self._fire("PostToolBatch", tool_calls=[{**call, "tool_response": "ok"}])

    def _told(self, words: str) -> None:
        expected = words.replace(SHOWN_ID, self.lesson())
        assert expected in self.told[-1]
        assert len(self.told) == 1, "it is told at that moment, and not before"

    def _stopped(self, words: str) -> None:
        assert self.stopped[-1].startswith(words.replace(SHOWN_ID, self.lesson()))
        assert len(self.stopped) == 1, "it is stopped once"

    def _end(self, _words: str) -> None:
        self._fire("Stop", last_assistant_message="Done.")
        self._is_busy = False
        self._fire("SessionEnd", reason="exit")

    def _pause(self) -> None:
        if self._clocks is not None:
            self.run(f'"{sys.executable}" -m learnloop.ingest.background')
            self._late_s += PAUSE_S
            self.env |= faulty_calls.at(self._clocks, self._late_s)

    def _fire(self, event: str, **fields: Any) -> None:
        payload = {"hook_event_name": event, "session_id": f"s{self._session}", "cwd": str(self.project),
                   "transcript_path": "/nowhere.jsonl", "prompt_id": f"p{self._calls}", **fields}  # fmt: skip
        for group in json.loads(self.settings.read_text())["hooks"].get(event, ()):
            for hook in group["hooks"]:
                done = subprocess.run(
                    ["sh", "-c", hook["command"]], input=json.dumps(payload), env=self.env, text=True,
                    cwd=self.project, capture_output=True, check=True,
                )  # fmt: skip
                assert done.stderr == ""
                if done.stdout:
                    output = json.loads(done.stdout).get("hookSpecificOutput", {})  # or words for the person
                    if output.get("permissionDecision") == "deny":
                        self.stopped.append(output["permissionDecisionReason"])
                    elif output:
                        self.told.append(output["additionalContext"])


@pytest.mark.timeout(120)
def test_each_step_of_the_tutorial_does_what_it_shows(tmp_path: Path) -> None:
    _follow(Reader(tmp_path))


@pytest.mark.timeout(120)
def test_and_at_human_pace(tmp_path: Path, shim: Path) -> None:
    _follow(Reader(tmp_path, shim))


def _follow(reader: Reader) -> None:
    done = [step.kind for step in steps(PAGE.read_text("utf-8"))]
    assert {"console", "you", "agent", "stopped"} <= set(done)
    for step in steps(PAGE.read_text("utf-8")):
        if step.kind == "console":
            reader.console(step)
        else:
            reader.session(step)
    (lesson,) = json.loads(reader.run("learn lessons --json"))
    assert (lesson["status"], lesson["usage"]["recalled"]) == ("active", 1)


def test_the_same_draft_is_promoted_in_the_console(tmp_path: Path) -> None:
    """What the page says of `learn-tui`: the draft is the first line, and `p` promotes it."""
    reader = Reader(tmp_path)
    for step in steps(PAGE.read_text("utf-8")):
        if "triage" in step.text:
            break
        reader.console(step) if step.kind == "console" else reader.session(step)
    assert "Don't use pip here, use uv." in _played(reader)
    (lesson,) = json.loads(reader.run("learn lessons --json"))
    assert lesson["status"] == "active"


_PLAY = """
import asyncio, sys
from learnloop.wire import paths
from learnloop_tui.app.app import ConsoleApp
from learnloop_tui.bridge import ServiceBridge
from learnloop.service import workspace
from learnloop.service.lessons import queue

async def play():
    app = ConsoleApp(ServiceBridge(paths.root()))
    async with app.run_test(size=(120, 40)) as pilot:
        await until(pilot, lambda: app.query("TriagePane") and app.query_one("TriagePane").view.current)
        print(app.query_one("TriagePane").view.current.statement)
        await pilot.press("p")
        await until(pilot, lambda: len(app.screen_stack) > 1)
        await pilot.press("1")
        ws = workspace.open_workspace()
        await until(pilot, lambda: queue.rows(ws, "active"))

async def until(pilot, holds):
    async with asyncio.timeout(60):
        while not holds():
            await pilot.pause()

asyncio.run(play())
"""


def _played(reader: Reader) -> str:
    """The console, its keys pressed by Textual's pilot, in a process with the reader's home."""
    done = subprocess.run(
        [sys.executable, "-c", _PLAY], env=reader.env | {"TERM": "xterm-256color"}, cwd=reader.project,
        text=True, capture_output=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout

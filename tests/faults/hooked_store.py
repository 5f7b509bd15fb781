"""A store that real hooks and real verbs work on: what they acknowledged, and what is there afterwards."""

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path

from learnloop.ingest.run import ingest
from learnloop.store import segments
from learnloop.store.store import Store
from learnloop.wire import clock, event, journal, paths
from tests.hooks.agent import Agent

LEARN = str(Path(sys.executable).with_name("learn"))
CONSOLE = str(Path(sys.executable).with_name("learn-tui"))
_HEAD = 40
"""Characters by which a turn is recognised: turns keep the beginning of a long prompt."""


def prompt(agent: Agent, words: str, **env: str) -> bytes:
    """Type a prompt in a session of its own; `Agent.write` asserts that its hook ends well and silently."""
    return agent.fire("UserPromptSubmit", words, prompt=words, prompt_id=words, env=env)


def learn(agent: Agent, *argv: str, **env: str) -> "subprocess.CompletedProcess[str]":
    """Run a verb on the store of an agent."""
    environment = {**os.environ, **agent.env, "LEARNLOOP_HOME": agent.root, **env}
    environment.pop("CLAUDECODE", None)
    return subprocess.run([LEARN, *argv], env=environment, capture_output=True, text=True, timeout=60)


def verdict(root: str, lesson_id: str) -> bool:
    """Reject a draft as the console does, durably, without an ingest; whether that was acknowledged."""
    payload = {"action": "reject", "lesson_ids": [lesson_id], "args": {"reason": "once"}, "by": "cli"}
    ms = clock.now_ms()
    record = event.record(
        "decision", host="learnloop", session_id="cli", cwd="", project="", payload=payload, ts_ms=ms,
    )  # fmt: skip
    return journal.append(root, [record], durable=True)


def prompts(root: str) -> Counter[str]:
    """How often each prompt that was typed through `prompt` stands in the segments."""
    return Counter(
        str(record["payload"]["prompt"])
        for name in segments.names(root)
        for record in segments.read(root, name)
        if record["kind"] == "prompt" and record.get("prompt_id")
    )


def settle(root: str) -> None:
    """What the next quiet moment does: ingest everything."""
    while ingest(root, wait_s=30).busy:
        pass


def assert_once(root: str, acked: Iterable[str]) -> None:
    """Every acknowledged prompt is stored once, none twice, and each is part of a turn."""
    stored = prompts(root)
    assert [words for words in acked if stored[words] != 1] == []
    assert [words for words, count in stored.items() if count != 1] == []
    turns = {str(turn["prompt"])[:_HEAD] for turn in Store(root).all_documents("turns")}
    assert [words for words in acked if words[:_HEAD] not in turns] == []


def status(root: str) -> Mapping[str, str]:
    """The status of every lesson."""
    return {str(doc["id"]): str(doc["status"]) for doc in Store(root).documents("lessons").values()}


def folder_of(root: str) -> str:
    """The folder where everything of a store stands, as the failing calls compare it."""
    paths.ensure_dir(root)
    return os.path.realpath(root)

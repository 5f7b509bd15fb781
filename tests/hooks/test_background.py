"""The background ingest: started by a hook, outlives it, and not more often than needed."""

import fcntl
import json
import os
import select
import sys
import time
from pathlib import Path

import pytest

from tests.hooks.agent import Agent

CHILD = """
import os, sys
with open(sys.argv[1], "w") as out:
    found = os.getsid(0) == os.getpid(), os.getcwd(), os.readlink("/proc/self/fd/1")
    print(sys.argv[2], *found, sep="\\n", file=out)
"""
PATIENCE_S = 30


class Ingest:
    """Stands in for the ingest: a child that says on a pipe that it runs, then waits for nothing."""

    def __init__(self, agent: Agent, folder: Path) -> None:
        self.fifo = folder / "said"
        os.mkfifo(self.fifo)
        self.fd = os.open(self.fifo, os.O_RDWR | os.O_NONBLOCK)
        launch = agent.own_hooks() / "current" / "ingest.json"
        launch.write_text(json.dumps([sys.executable, "-c", CHILD, str(self.fifo)]))

    def said(self) -> list[str]:
        """What the child said, once it did."""
        assert select.select([self.fd], [], [], PATIENCE_S)[0], "no ingest was started"
        return os.read(self.fd, 4096).decode().splitlines()

    def is_silent(self) -> bool:
        return not select.select([self.fd], [], [], 0)[0]


@pytest.fixture
def ingest(agent: Agent, tmp_path: Path) -> Ingest:
    del agent.env["LEARNLOOP_BACKGROUND"]
    return Ingest(agent, tmp_path)


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="looks at /proc")
@pytest.mark.parametrize("event", ["SessionStart", "Stop", "SessionEnd"])
def test_started_detached(agent: Agent, ingest: Ingest, event: str) -> None:
    agent.fire(event)
    assert ingest.said() == [agent.root, "True", "/", "/dev/null"]


def stamp(agent: Agent) -> Path:
    return Path(agent.root, "ingest.stamp")


def test_once_a_minute(agent: Agent, ingest: Ingest) -> None:
    agent.fire("Stop")
    ingest.said()
    first = stamp(agent).stat().st_mtime_ns
    agent.fire("Stop")
    assert stamp(agent).stat().st_mtime_ns == first
    past = time.time() - 61
    os.utime(stamp(agent), (past, past))
    agent.fire("Stop")
    ingest.said()


def test_soon_after_another_where_the_session_ends(agent: Agent, ingest: Ingest) -> None:
    agent.fire("Stop")
    ingest.said()
    past = time.time() - 6
    os.utime(stamp(agent), (past, past))
    agent.fire("Stop")
    assert ingest.is_silent()
    agent.fire("SessionEnd")
    ingest.said()


@pytest.mark.parametrize("event", ["UserPromptSubmit", "PostToolBatch", "PreCompact"])
def test_not_at_other_events(agent: Agent, ingest: Ingest, event: str) -> None:
    agent.fire(event, prompt="x", tool_calls=[])
    assert not stamp(agent).exists()


def test_not_while_a_console_is_open(agent: Agent, ingest: Ingest) -> None:
    agent.fire("UserPromptSubmit", prompt="x")
    with Path(agent.root, "console.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        agent.fire("Stop")
        assert not stamp(agent).exists()
    agent.fire("Stop")
    ingest.said()


def test_switched_off(agent: Agent, ingest: Ingest) -> None:
    agent.fire("Stop", env={"LEARNLOOP_BACKGROUND": "0"})
    assert not stamp(agent).exists()
    assert ingest.is_silent()


@pytest.mark.parametrize("launch", ["", "{}", "[1]", '["/gone/python", "-m", "x"]'])
def test_an_environment_that_is_gone(agent: Agent, ingest: Ingest, launch: str) -> None:
    (agent.own_hooks() / "current" / "ingest.json").write_text(launch)
    agent.fire("Stop")
    assert [kind for kind, _ in agent.payloads()] == ["turn_end"]

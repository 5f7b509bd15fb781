"""Guards that no other test would miss."""

import posix
import subprocess
from pathlib import Path

import pytest
from scripts.perf import big_stores

from learnloop.ingest.run import ingest
from learnloop.wire import index, journal, paths
from tests.hooks.agent import Agent
from tests.store import numbered_events


def test_a_decision_whose_content_is_not_synced_is_not_acknowledged(
    root: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The folder can be synced, the file cannot."""

    def broken(fd: int) -> None:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(posix, "fdatasync", broken, raising=False)
    assert not journal.append(root, [numbered_events.made(1)], durable=True)


def test_an_index_with_a_damaged_header_is_none(root: str) -> None:
    """Its header holds what a person switched off, so no byte of it may be another."""
    Path(root).mkdir()
    big_stores.write(Path(root), big_stores.lessons(2, "/p"))
    ingest(root)
    path = Path(paths.index(root))
    data = path.read_bytes()
    assert index.read(str(path)) is not None
    for at in range(index.PREFIX, index.PREFIX + int(data[5:13])):
        path.write_bytes(data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :])
        assert index.read(str(path)) is None, at


def test_a_hook_that_cannot_read_its_input_is_silent(agent: Agent) -> None:
    command = ["sh", "-c", f"{agent.command} 0>/dev/null"]  # open for writing alone
    done = subprocess.run(command, env=agent.env, cwd=agent.project, capture_output=True, timeout=30)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")

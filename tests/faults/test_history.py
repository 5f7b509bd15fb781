"""Whatever happens to the history database or to who writes it, every task is listed, once."""

import subprocess
import sys
from pathlib import Path

import pytest

from learnloop.ingest.run import ingest
from learnloop.service.memory import memory_list
from learnloop.service.tasks import task_list
from learnloop.service.workspace import open_workspace
from learnloop.store import history
from tests.ingest.session_scene import Scene, write
from tests.ingest.test_earlier_tasks import NOON, PROJECT, scene

KILLED = """
import os, signal, sys
from learnloop.ingest import task_history
from learnloop.store.{module} import {owner}
calls, whole = [], {owner}.{name}
def killed(*args, **named):
    result = whole(*args, **named)
    calls.append(1)
    if len(calls) == {after}:
        os.kill(os.getpid(), signal.SIGKILL)
    return result
{owner}.{name} = killed
task_history.refresh(sys.argv[1])
"""
FULL = """
import resource, sys
from learnloop.service.tasks import task_list
from learnloop.service.workspace import open_workspace
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), resource.RLIM_INFINITY))
print(*(task.session_id for task in task_list.tasks(open_workspace(sys.argv[1]))))
"""
SESSIONS = [f"s{day}" for day in range(4)]


@pytest.fixture
def filled(root: str) -> str:
    runs = Scene("runs", start=NOON).prompt("Test the checkout", "p1").add("subagent_start", agent_id="a1")
    runs.call("Edit", f"{PROJECT}/a.ts", agent_id="a1").add("subagent_end", agent_id="a1").stop(
        prompt_id="p1"
    )
    write(root, *(scene(name, day) for day, name in enumerate(SESSIONS)), runs)
    ingest(root)
    return root


def ran(script: str, *arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", script, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def sessions(root: str) -> list[str]:
    return sorted(task.session_id for task in task_list.tasks(open_workspace(root)))


def remembered(root: str) -> list[str]:
    return [memory.id for memory in memory_list.memories(open_workspace(root))]


def is_whole(root: str) -> bool:
    history.verify(root)
    return not history.set_aside(root)


@pytest.mark.parametrize("loses_log", [False, True])
@pytest.mark.parametrize(
    ("module", "owner", "name", "after"),
    [
        ("task_table", "TaskTable", "replace_day", 1), ("task_table", "TaskTable", "replace_day", 3),
        ("memory_table", "MemoryTable", "add", 2), ("memory_table", "MemoryTable", "replace_meanings", 1),
    ],
)  # fmt: skip
def test_a_writer_that_is_killed_leaves_what_the_next_one_brings_up_to_date(
    module: str, owner: str, name: str, after: int, loses_log: bool, filled: str
) -> None:
    killed = ran(KILLED.format(module=module, owner=owner, name=name, after=after), filled)
    assert killed.returncode == -9, killed.stderr
    if loses_log:
        Path(f"{history.path(filled)}-wal").unlink()
    assert sessions(filled) == ["runs", *SESSIONS]
    again = remembered(filled)
    history.clear(filled)
    assert remembered(filled) == again
    assert is_whole(filled)


def test_programs_that_start_at_once_make_one_database_and_write_each_task_once(filled: str) -> None:
    script = (
        "import sys; from learnloop.ingest import task_history; print(flush=True); input();"
        "task_history.refresh(sys.argv[1], wait_s=60)"
    )
    command, pipe = [sys.executable, "-c", script, filled], subprocess.PIPE
    programs = [subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True) for _ in range(4)]
    assert [each.stdout.readline() for each in programs if each.stdout] == ["\n"] * 4
    for each in programs:
        print(file=each.stdin, flush=True)
    assert [each.communicate(timeout=60)[1] for each in programs] == [""] * 4
    assert [each.returncode for each in programs] == [0] * 4
    assert sessions(filled) == ["runs", *SESSIONS]
    assert is_whole(filled)


@pytest.mark.parametrize("most", [0, 4096, 65_536])
def test_a_full_disk_hides_no_task(most: int, filled: str) -> None:
    listed = ran(FULL, filled, most)
    assert sorted(listed.stdout.split()) == ["runs", *SESSIONS], listed.stderr
    assert sessions(filled) == ["runs", *SESSIONS]
    assert is_whole(filled)


def test_a_database_that_stays_locked_hides_no_task(filled: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history, "WAIT_S", 0.05)
    sessions(filled)
    write(filled, scene("late", 5))
    ingest(filled)
    with history.opened(filled) as connection:
        connection.execute("BEGIN IMMEDIATE")
        assert sessions(filled) == ["late", "runs", *SESSIONS]
    assert is_whole(filled)

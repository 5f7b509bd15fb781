"""Who waits for a lock is told for whom; nobody waits for a process that is stopped."""

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from learnloop.cli.main import main
from learnloop.errors import Busy
from learnloop.service.lessons import rows
from learnloop.store import fold, locks
from learnloop.wire import event, journal
from tests import waits
from tests.store.small_stores import workspace

_HOLDER = """
import sys
from pathlib import Path
from learnloop.store import locks
with locks.held(Path(sys.argv[1]), wait_s=0, what="it"):
    print("held", flush=True)
    sys.stdin.read()
"""
_PROMPT = event.record(
    "prompt", host="claude", session_id="s", cwd="/p", project="/p", payload={"prompt": "hello"}
)
Holder = subprocess.Popen[bytes]


@contextlib.contextmanager
def _holder(path: Path) -> Iterator[Holder]:
    """A process that holds a lock until its standard input ends."""
    command = [sys.executable, "-c", _HOLDER, str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"held\n"
        yield process
        process.kill()


@contextlib.contextmanager
def _stopped_holder(path: Path) -> Iterator[Holder]:
    with _holder(path) as process:
        process.send_signal(signal.SIGSTOP)
        os.waitid(os.P_PID, process.pid, os.WSTOPPED)
        yield process


def _release(process: Holder) -> None:
    assert process.stdin is not None
    process.stdin.close()


def test_ingest_does_not_call_events_ingested_that_a_stopped_writer_holds(
    root: str, capsys: pytest.CaptureFixture[str]
) -> None:
    journal.append(root, [_PROMPT])
    waiting = Path(root, "journal.jsonl").read_bytes()
    with _stopped_holder(Path(root, "journal.jsonl")):
        Path(root, "journal.jsonl").write_bytes(waiting)  # the holder signed its lock
        assert main(["ingest"]) == 1
    assert "another process uses the journal" in capsys.readouterr().err
    assert main(["ingest"]) == 0
    assert "1 new event:" in capsys.readouterr().out


def test_a_wait_is_announced_within_a_second() -> None:
    assert max(locks.PATIENCE_S, fold.ROTATE_DEADLINE_S) <= 1


def test_a_wait_is_announced_and_goes_on(tmp_path: Path) -> None:
    announced = []
    with _holder(tmp_path / "a.lock") as process:

        def on_wait(why: str, _way_out: str) -> None:
            announced.append(why)
            _release(process)

        token = locks.ON_WAIT.set(on_wait)
        with waits.counted(30), locks.held(tmp_path / "a.lock", wait_s=60, what="the store"):
            pass
        locks.ON_WAIT.reset(token)
    assert announced == [f"the store is in use by -c (process {process.pid})"]


def test_nobody_waits_for_a_stopped_process(tmp_path: Path) -> None:
    with (
        _stopped_holder(tmp_path / "a.lock") as process,
        waits.counted() as sleeps,
        pytest.raises(Busy, match="which is stopped") as refusal,
        locks.held(tmp_path / "a.lock", wait_s=60, what="the store"),
    ):
        pass
    assert sleeps.seconds <= locks.PATIENCE_S
    assert f"kill -CONT {process.pid}" in refusal.value.hint


@pytest.mark.parametrize("name", ["store.lock", "publish.lock"])
def test_a_verdict_is_kept_and_names_who_holds_it_up(
    root: str, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    ws = workspace(root, "no, use uv instead of pip")
    lesson = rows.rows(ws)[0].id
    with _stopped_holder(Path(root, name)) as process:
        assert main(["reject", lesson]) == 0
        errors = capsys.readouterr().err
        assert errors.count(f"(process {process.pid}), which is stopped") == 1
    assert main(["lessons"]) == 0
    assert [row.status for row in rows.rows(ws, None)] == ["rejected"]


def test_a_verdict_waits_for_nobody_who_reads_the_journal(root: str) -> None:
    ws = workspace(root, "no, use uv instead of pip")
    with _stopped_holder(Path(root, "fold.lock")):
        assert main(["reject", rows.rows(ws)[0].id]) == 0
        assert [row.status for row in rows.rows(ws, None)] == ["rejected"]


@pytest.mark.parametrize(
    ("name", "verb"),
    [
        ("fold.lock", ["ingest"]),
        ("store.lock", ["ingest"]),
        ("store.lock", ["forget", "--all", "--yes"]),
        ("analyze.lock", ["analyze", "--all"]),
        ("install.lock", ["uninstall"]),
    ],
)
def test_a_verb_that_needs_the_lock_refuses_and_says_why(
    root: str, name: str, verb: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    ws = workspace(root, "no, use uv instead of pip")
    assert main(["install"]) == 0
    with _stopped_holder(Path(root, name)) as process:
        journal.append(root, [_PROMPT])
        capsys.readouterr()
        code, errors = main(verb), capsys.readouterr().err
    assert code == 1
    assert f"(process {process.pid}), which is stopped" in errors
    assert rows.rows(ws, None)

"""Real processes: killed, stopped, short of space, many at once. What was acknowledged is there, once."""

import contextlib
import fcntl
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from learnloop import errors
from learnloop.store import files
from learnloop.store.fold import fold
from learnloop.store.store import Store
from learnloop.wire import journal
from tests import waits
from tests.store import numbered_events

TESTS = Path(__file__).resolve().parents[2]

FOLDER = """
import sys
from learnloop.store.fold import fold
print("ready", flush=True)
while True:
    fold(sys.argv[1])
"""

COUNTER = """
import sys
from learnloop.store.store import Store
for _ in range(int(sys.argv[2])):
    with Store(sys.argv[1]).transaction(wait_s=60) as changes:
        table = changes.table("health")
        found = table.get("counter") or {"n": 0}
        table.put("counter", {"n": found["n"] + 1})
        changes.state["n"] = changes.state.get("n", 0) + 1
        changes.cursor = "1700000000000-000000.jsonl"
"""

HOLDER = """
import fcntl, os, sys
fd = os.open(sys.argv[1], os.O_RDWR | os.O_CREAT, 0o600)
fcntl.flock(fd, getattr(fcntl, sys.argv[2]))
print("held", flush=True)
sys.stdin.read()
"""

Process = subprocess.Popen[bytes]


def _python(*args: str) -> Process:
    environment = {**os.environ, "PYTHONPATH": str(TESTS)}
    pipe = subprocess.PIPE
    return subprocess.Popen([sys.executable, *args], stdin=pipe, stdout=pipe, env=environment, cwd=TESTS)


@contextlib.contextmanager
def _ended(process: Process) -> Iterator[Process]:
    """The process for the block, gone afterwards whatever happens."""
    with process:
        try:
            yield process
        finally:
            process.kill()


def _killed(process: Process, after_s: float) -> list[str]:
    """Let a writer work for a while after its first event, kill it; the ids that it acknowledged."""
    assert process.stdout is not None
    first = process.stdout.readline()
    time.sleep(after_s)  # the moment of death is what is being varied
    process.kill()
    said = first + process.stdout.read()
    return said.decode().split("\n")[:-1]


@pytest.mark.slow
def test_nothing_acknowledged_is_lost_to_kill_9(root: str) -> None:
    chance = random.Random(7)
    acked: list[str] = []
    for _ in range(6):
        with contextlib.ExitStack() as stack:
            writers = [stack.enter_context(_ended(_writer(root))) for _ in range(3)]
            folder = stack.enter_context(_ended(_python("-c", FOLDER, root)))
            for writer in writers:
                acked += _killed(writer, chance.random() * 0.03)
            folder.kill()
        seen = numbered_events.seen(root)
        assert len(seen) == len(set(seen))
        assert set(acked) <= set(seen)
    while fold(root).busy:
        pass
    stored = numbered_events.stored(root)
    assert set(acked) <= set(stored)
    assert set(stored.values()) == {1}
    assert not [name for name in numbered_events.litter(root) if not name.endswith(".tmp")]


def _writer(root: str) -> Process:
    return _python("-m", "tests.faults.writer", root, "100000")


@pytest.mark.slow
def test_twenty_processes_count_exactly(root: str) -> None:
    with contextlib.ExitStack() as stack:
        workers = [stack.enter_context(_ended(_python("-c", COUNTER, root, "5"))) for _ in range(20)]
        assert [worker.wait() for worker in workers] == [0] * 20
    assert Store(root).documents("health") == {"counter": {"n": 100}}
    assert Store(root).state() == {"n": 100}


def _holder(path: Path, kind: str) -> Process:
    """A process that holds a lock on a file and is stopped, as by Ctrl-Z."""
    path.parent.mkdir(parents=True, exist_ok=True)
    process = _python("-c", HOLDER, str(path), kind)
    assert process.stdout is not None
    assert process.stdout.readline() == b"held\n"
    process.send_signal(signal.SIGSTOP)
    os.waitid(os.P_PID, process.pid, os.WSTOPPED)
    return process


def test_a_stopped_fold_costs_a_writer_its_deadline_only(root: str) -> None:
    with _ended(_holder(Path(root, "journal.jsonl"), "LOCK_EX")):
        with waits.counted() as sleeps:
            ids = numbered_events.append(root, 1)
        assert 0 < sleeps.seconds <= journal.LOCK_DEADLINE_S
        assert ids == numbered_events.seen(root)
        assert len(files.listing(Path(root, "spool"), ".jsonl")) == 1
    assert fold(root).events == 1


def test_a_stopped_writer_costs_the_others_nothing_and_puts_the_fold_off(root: str) -> None:
    ids = numbered_events.append(root, 1)
    with _ended(_holder(Path(root, "journal.jsonl"), "LOCK_SH")):
        with waits.counted() as sleeps:
            ids += numbered_events.append(root, 2)
        assert sleeps.seconds == 0
        assert not Path(root, "spool").exists()
        numbered_events.spool(root, 3)
        report = fold(root)
        assert report.postponed
        assert report.events == 1
        assert len(numbered_events.seen(root)) == 3
    assert fold(root).events == 2
    assert set(numbered_events.stored(root)) == {*ids, numbered_events.event_id(3)}


def test_a_stopped_holder_of_the_store_is_named(root: str) -> None:
    with (
        _ended(_holder(Path(root, "store.lock"), "LOCK_EX")),
        pytest.raises(errors.Busy, match="the store is in use"),
        Store(root).transaction(wait_s=0.05),
    ):
        pass


def test_a_journal_that_may_not_grow_sends_events_to_the_spool(root: str) -> None:
    ids = numbered_events.append(root, *range(40))
    with _file_size_limit(Path(root, "journal.jsonl").stat().st_size + 100):
        ids += numbered_events.append(root, 40, 41)
    assert len(ids) == 42
    assert numbered_events.seen(root) == ids
    assert fold(root).quarantined == 1
    assert numbered_events.stored(root) == dict.fromkeys(ids, 1)


def test_what_nothing_can_keep_is_not_acknowledged(root: str) -> None:
    with _file_size_limit(50):
        assert numbered_events.append(root, 1) == []
    assert numbered_events.seen(root) == []
    ids = numbered_events.append(root, 2)
    assert fold(root).events == 1
    assert set(numbered_events.stored(root)) == set(ids)
    assert numbered_events.litter(root) == []


def test_a_fold_that_cannot_write_leaves_everything_where_it_is(root: str) -> None:
    ids = numbered_events.append(root, *range(30))
    with _file_size_limit(1000), pytest.raises(OSError, match="File too large"):
        fold(root)
    assert numbered_events.seen(root) == ids
    fold(root)
    assert numbered_events.stored(root) == dict.fromkeys(ids, 1)
    assert numbered_events.litter(root) == []


def test_a_transaction_that_cannot_write_changes_nothing(root: str) -> None:
    with Store(root).transaction() as changes:
        changes.table("lessons").put("x", {"n": 1})

    def too_large() -> None:
        with Store(root).transaction() as changes:
            changes.table("lessons").put("x", {"n": "2" * 2_000_000})

    with _file_size_limit(1_000_000), pytest.raises(OSError, match="File too large"):
        too_large()
    assert Store(root).documents("lessons") == {"x": {"n": 1}}


@contextlib.contextmanager
def _file_size_limit(size: int) -> Iterator[None]:
    """No file of this process may grow beyond a size; writes are cut short there, then fail."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)


@pytest.fixture
def tiny_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A root on a disk of 256 KiB; needs the right to mount one."""
    place = tmp_path / "disk"
    place.mkdir()
    mount = shutil.which("mount")
    command = [mount or "mount", "-t", "tmpfs", "-o", "size=448k,mode=0700", "learnloop", str(place)]
    if mount is None or subprocess.run(command, capture_output=True).returncode != 0:
        pytest.skip("mounting a tmpfs needs root rights that this run does not have")
    monkeypatch.delenv("XDG_RUNTIME_DIR", raising=False)
    try:
        yield str(place / "home")
    finally:
        subprocess.run(["umount", str(place)], check=True, capture_output=True)


def test_a_full_disk_loses_nothing_and_recovers(tiny_disk: str) -> None:
    root = tiny_disk
    numbered_events.append(root, 0)
    fold(root)
    files.write(Path(root, "ballast"), [os.urandom(256 * 1024)])
    acked, refused = [numbered_events.event_id(0)], 0
    for number in range(1, 3000):
        acked += (got := numbered_events.append(root, number))
        refused += not got
        if refused > 5:
            break
    assert refused > 5
    assert not Path(root, "ballast").exists()
    assert set(acked) <= set(numbered_events.seen(root))
    with pytest.raises(OSError, match="No space left"):
        fold(root)
    assert set(acked) <= set(numbered_events.seen(root))
    subprocess.run(["mount", "-o", "remount,size=4m", str(Path(root).parent)], check=True)
    fold(root)
    stored = numbered_events.stored(root)
    assert set(acked) <= set(stored)
    assert set(stored.values()) == {1}
    assert numbered_events.litter(root) == []


def test_a_root_that_cannot_be_written_returns_false(tmp_path: Path, root: str) -> None:
    Path(root).write_text("a file where the folder should be")
    assert not journal.append(root, [numbered_events.made(1)])


@pytest.mark.slow
def test_fifty_writers_two_folds_and_a_reader_at_once(root: str) -> None:
    seen: set[str] = set()
    with contextlib.ExitStack() as stack:
        for _ in range(2):
            stack.enter_context(_ended(_python("-c", FOLDER, root)))
        writers = [
            stack.enter_context(_ended(_python("-m", "tests.faults.writer", root, "2"))) for _ in range(50)
        ]
        while any(writer.poll() is None for writer in writers):
            found = numbered_events.seen(root)
            assert len(found) == len(set(found))
            assert seen <= set(found), "what was seen once is seen for ever"
            seen = set(found)
        acked = [event_id for writer in writers for event_id in writer.communicate()[0].decode().split()]
        assert len(acked) == 100
        assert sorted(numbered_events.seen(root)) == sorted(acked)
    fold(root)
    assert numbered_events.stored(root) == dict.fromkeys(acked, 1)


def test_locks_die_with_their_holder(root: str) -> None:
    with _ended(_holder(Path(root, "store.lock"), "LOCK_EX")):
        pass
    with Store(root).transaction(wait_s=0):
        pass
    fd = os.open(Path(root, "store.lock"), os.O_RDWR)
    fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    os.close(fd)

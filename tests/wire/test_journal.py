"""The append side: where an event goes, what happens when there is no place, what it costs a hook."""

import errno
import posix
import subprocess
import sys
from pathlib import Path

import pytest

from learnloop.wire import journal, paths
from tests.store import numbered_events


def test_events_of_one_append_are_together(root: str) -> None:
    assert journal.append(root, [numbered_events.made(1), numbered_events.made(2)])
    content = Path(root, "journal.jsonl").read_bytes()
    assert content.startswith(b'\n{"v":1')
    assert content.count(b"\n") == 4
    assert numbered_events.seen(root) == [numbered_events.event_id(1), numbered_events.event_id(2)]


def test_hostile_text_stays_on_one_line(root: str) -> None:
    text = 'a\nb\r\0\u2028\ud800"\\ 😀' + "x" * 1_000_000
    assert journal.append(root, [numbered_events.made(1, text=text)])
    line = Path(root, "journal.jsonl").read_bytes().strip(b"\n")
    assert b"\n" not in line
    assert line.isascii()
    from learnloop.store import segments

    found = segments.parse(line)
    assert found is not None
    assert found["payload"]["text"] == text


def test_a_full_disk_takes_the_event_once_the_reserve_is_given_back(
    root: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path(root).mkdir()
    Path(root, "ballast").write_bytes(b"x")
    real = posix.write

    def write(fd: int, data: bytes) -> int:
        if Path(root, "ballast").exists():
            raise OSError(errno.ENOSPC, "No space left on device")
        return real(fd, data)

    monkeypatch.setattr(posix, "write", write)
    assert journal.append(root, [numbered_events.made(1)])
    assert not Path(root, "ballast").exists()
    assert not Path(root, "spool").exists()


def test_a_short_write_is_written_again_as_a_whole(root: str, monkeypatch: pytest.MonkeyPatch) -> None:
    Path(root).mkdir()
    Path(root, "ballast").write_bytes(b"x")
    real = posix.write
    monkeypatch.setattr(
        posix, "write", lambda fd, data: real(fd, data[:20] if Path(root, "ballast").exists() else data)
    )
    assert journal.append(root, [numbered_events.made(1)])
    assert numbered_events.seen(root) == [numbered_events.event_id(1)]


def test_nothing_is_claimed_where_nothing_can_be_kept(root: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def write(fd: int, data: bytes) -> int:
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(posix, "write", write)
    assert not journal.append(root, [numbered_events.made(1)])
    monkeypatch.undo()
    assert numbered_events.seen(root) == []
    assert list(Path(root, "spool").iterdir()) == []


@pytest.mark.parametrize("calls", [("fdatasync", "fsync"), ("fsync",)], ids=["file", "folder"])
def test_what_is_refused_for_a_failing_sync_never_takes_effect(
    root: str, monkeypatch: pytest.MonkeyPatch, calls: tuple[str, ...]
) -> None:
    def broken(fd: int) -> None:
        raise OSError(errno.EIO, "Input/output error")

    assert journal.append(root, [numbered_events.made(1)])
    for call in calls:
        monkeypatch.setattr(posix, call, broken)
    assert not journal.append(root, [numbered_events.made(2)], durable=True)
    assert numbered_events.seen(root) == [numbered_events.event_id(1)]
    monkeypatch.undo()
    monkeypatch.setenv("LEARNLOOP_HOME", root)
    assert journal.append(root, [numbered_events.made(3)])
    assert numbered_events.seen(root) == [numbered_events.event_id(1), numbered_events.event_id(3)]


def test_no_descriptor_is_left_open(root: str, monkeypatch: pytest.MonkeyPatch) -> None:
    before = len(list(Path("/dev/fd").iterdir()))
    for durable in (True, False):
        assert journal.append(root, [numbered_events.made(1)], durable=durable)
    numbered_events.block(paths.journal(root))
    assert journal.append(root, [numbered_events.made(2)], durable=True)
    assert len(list(Path("/dev/fd").iterdir())) == before


def test_a_spool_file_has_its_name_only_when_it_is_whole(root: str, monkeypatch: pytest.MonkeyPatch) -> None:
    numbered_events.block(paths.journal(root))
    assert journal.append(root, [numbered_events.made(1)])
    (name,) = Path(root, "spool").iterdir()
    assert name.suffix == ".jsonl"
    assert name.stat().st_mode & 0o777 == 0o600


def test_a_journal_whose_file_system_knows_no_locks_is_passed_by(
    root: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    import fcntl

    def flock(fd: int, kind: int) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(fcntl, "flock", flock)
    assert journal.append(root, [numbered_events.made(1)])
    assert len(list(Path(root, "spool").iterdir())) == 1


def test_a_hook_pays_for_no_module_that_is_dear() -> None:
    code = (
        "import sys; sys.path.insert(0, sys.argv[1]); import learnloop.wire.journal, learnloop.wire.event\n"
        "print(*sorted(name for name in sys.modules if not name.startswith('learnloop')))"
    )
    source = str(Path(journal.__file__).parents[2])
    run = [sys.executable, "-I", "-S", "-c", code, source]
    loaded = subprocess.run(run, capture_output=True, text=True, check=True).stdout.split()
    bare = [sys.executable, "-I", "-S", "-c", "import sys; print(*sys.modules)"]
    floor = subprocess.run(bare, capture_output=True, text=True, check=True).stdout.split()
    assert set(loaded) - set(floor) <= {"_json", "errno", "fcntl", "time", "posix"}

"""The invariants of journal, fold and store, each as a function that fails where it does not hold.

The tests call them as they are; the mutants take one guard away and expect the one to fail that needs it.
"""

import contextlib
import fcntl
import itertools
import os
import posix
import stat
import tempfile
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from unittest import mock

import pytest

from learnloop import errors
from learnloop.store import files, fold, pending, tinydb_file
from learnloop.store.store import Store
from tests.store import numbered_events

Check = Callable[[], None]
_STRIDE = 5
"""Second crashes are sampled: each first one is followed by every fifth point, another fifth each time."""


class Crash(BaseException):
    """The process ends here, as far as the code under test can tell."""


def no_disk(fd: int) -> None:
    """Instead of a sync, where only its moment matters and not its effect."""


@contextlib.contextmanager
def fresh_root() -> Iterator[str]:
    """A root of its own for one run of a scenario."""
    with tempfile.TemporaryDirectory() as folder:
        yield f"{folder}/home"


def once(action: Callable[[], object]) -> Callable[[], None]:
    """The action the first time, nothing afterwards."""
    left = iter([action])

    def run() -> None:
        for action in left:
            action()

    return run


def rotation_between_open_and_lock() -> None:
    """(a) A whole fold after a writer opened the journal, before it has the lock."""
    with fresh_root() as root:
        numbered_events.append(root, 1)
        folding = once(lambda: fold.fold(root))
        real = fcntl.flock

        def flock(fd: int, kind: int) -> None:
            if kind & fcntl.LOCK_SH:
                folding()
            real(fd, kind)

        with mock.patch.object(fcntl, "flock", flock):
            acked = numbered_events.append(root, 2)
        assert acked
        assert set(acked) <= set(numbered_events.seen(root))
        fold.fold(root)
        assert numbered_events.stored(root) == dict.fromkeys([numbered_events.event_id(1), *acked], 1)


def rotation_between_check_and_write() -> None:
    """(b) A whole fold after a writer found that it has the right file, before it writes."""
    with fresh_root() as root:
        numbered_events.append(root, 1)
        folding = once(lambda: fold.fold(root))
        real = posix.fstat

        def fstat(fd: int) -> os.stat_result:
            status = real(fd)
            folding()
            return status

        with (
            mock.patch.object(posix, "fstat", fstat),
            mock.patch.object(fold, "ROTATE_DEADLINE_S", 0.01),
        ):
            acked = numbered_events.append(root, 2)
        assert acked
        assert set(acked) <= set(numbered_events.seen(root))
        fold.fold(root)
        assert numbered_events.stored(root) == dict.fromkeys([numbered_events.event_id(1), *acked], 1)


def _fold_at(
    root: str, calls: "itertools.count[int]", point: int, and_then: Callable[[str], object] = bool
) -> None:
    """Fold at the given call, with reads as they are."""
    if next(calls) == point:
        with mock.patch.multiple(files, read=_READ, listing=_LISTING):
            fold.fold(root)
            and_then(root)


def fold_between_any_two_reads() -> None:
    """(c) A whole fold before each single read that a reader makes: nothing missed, nothing twice."""
    for point in itertools.count():
        with fresh_root() as root:
            acked = _everywhere(root)
            calls = itertools.count()

            with _before_each_read(partial(_fold_at, root, calls, point)):
                visible = numbered_events.seen(root)
            assert sorted(visible) == sorted(acked), f"a fold before read {point}"
            if next(calls) <= point:
                return


def documents_between_any_two_reads() -> None:
    """(c) As before, with an ingest after the fold: cursor, then pending, then documents misses nothing."""
    for point in itertools.count():
        with fresh_root() as root:
            acked = _everywhere(root)
            calls = itertools.count()

            with _before_each_read(partial(_fold_at, root, calls, point, ingest)):
                cursor = Store(root).cursor()
                visible = {record["id"] for record in pending.records(root, cursor)}
                visible |= set(Store(root).documents("lessons"))
            assert visible >= set(acked), f"fold and ingest before read {point}"
            if next(calls) <= point:
                return


def torn_line_costs_itself_only() -> None:
    """What a killed writer left does not take the next writer's line along."""
    with fresh_root() as root:
        acked = numbered_events.append(root, 1)
        with Path(root, "journal.jsonl").open("ab") as file:
            file.write(numbered_events.TORN)
        acked += numbered_events.append(root, 2)
        fold.fold(root)
        assert numbered_events.stored(root) == dict.fromkeys(acked, 1)


def fold_survives_crashes() -> None:
    """A crash at every point of a fold, then another in the recovery, then a clean fold: all there, once."""
    first = 0
    while _crashing_fold(first, second=None):
        first += 1
    for point in range(first):
        two = point % _STRIDE
        while _crashing_fold(point, second=two):
            two += _STRIDE


def _crashing_fold(first: int, second: int | None) -> bool:
    """False once the last crash point lies behind the end of the fold."""
    with fresh_root() as root:
        acked = _everywhere(root)
        reached = _crashed(lambda: fold.fold(root), first)
        assert sorted(numbered_events.seen(root)) == sorted(acked), f"right after crash {first}"
        if second is not None:
            acked += numbered_events.append(root, 6)
            reached = _crashed(lambda: fold.fold(root), second)
            acked += numbered_events.append(root, 7)
        fold.fold(root)
        where = f"after crashes {first}, {second}"
        assert numbered_events.stored(root) == dict.fromkeys(acked, 1), where
        assert sorted(numbered_events.seen(root)) == sorted(acked), where
        assert numbered_events.kept(root) == [numbered_events.TORN[1:]], where
        assert numbered_events.litter(root) == [], where
        return reached


def ingest_survives_crashes() -> None:
    """A crash at every point of a transaction: files stay whole, the next run ends as an undisturbed one."""
    for point in itertools.count():
        with fresh_root() as root:
            numbered_events.append(root, 1, 2)
            fold.fold(root)
            ingest(root)
            numbered_events.append(root, 3, 4, 5)
            fold.fold(root)
            reached = _crashed(partial(ingest, root), point)
            for path in Path(root, "store").rglob("*.json"):
                assert tinydb_file.load(path), f"{path.name} after crash {point}"
            ingest(root)
            _assert_counted(root, 5, f"after crash {point}")
            if not reached:
                return


def only_one_writer() -> None:
    """A second transaction in the middle of a first one is refused; a counter that both raise stays exact."""
    with fresh_root() as root:
        done = 0
        with Store(root).transaction() as outer:
            counter = outer.table("health").get("counter") or {"n": 0}
            try:
                with Store(root).transaction(wait_s=0.01) as inner:
                    inner.table("health").put("counter", {"n": counter["n"] + 1})
                done += 1
            except errors.Busy:
                pass
            outer.table("health").put("counter", {"n": counter["n"] + 1})
        done += 1
        assert Store(root).documents("health") == {"counter": {"n": done}}


def only_one_fold() -> None:
    """A second fold in the middle of a first one leaves; nothing is stored twice."""
    with fresh_root() as root:
        acked = _everywhere(root)
        folding = once(lambda: fold.fold(root))
        real = files.replace

        def replace(path: Path, pieces: Iterable[bytes], *, sync: bool = True) -> None:
            folding()
            real(path, pieces, sync=sync)

        with mock.patch.object(files, "replace", replace):
            fold.fold(root)
        fold.fold(root)
        assert numbered_events.stored(root) == dict.fromkeys(acked, 1)
        assert numbered_events.kept(root) == [numbered_events.TORN[1:]]


def down_to_the_disk_in_order() -> None:
    """Content is synced before it gets its name, the name before the sources go."""
    with fresh_root() as root:
        _everywhere(root)
        calls: list[str] = []
        with _recorded(calls):
            fold.fold(root)
        removed = calls.index("unlink")
        for at, name in enumerate(calls):
            if name.startswith("replace"):
                assert calls[at - 1] == "fsync of a file", "a name before its content"
                assert calls[at + 1] == "fsync of a folder", "a name that is not synced"
                assert at < removed, "sources removed before everything is kept"


def state_gets_its_name_last() -> None:
    """Every document is down on the disk, name and all, before the state says that it is."""
    with fresh_root() as root:
        numbered_events.append(root, 1, 2)
        fold.fold(root)
        calls: list[str] = []
        with _recorded(calls):
            ingest(root)
        names = [at for at, name in enumerate(calls) if name.startswith("replace")]
        state = calls.index("replace state.json")
        before = [at for at in names if at < state]
        assert len(before) == 2
        assert "fsync of a folder" in calls[before[-1] : state]
        assert all(calls[at - 1] == "fsync of a file" for at in names)
        assert calls[state + 1] == "fsync of a folder"


def files_are_private() -> None:
    """Folders 0700, files 0600, whatever the umask."""
    before = os.umask(0)
    try:
        with fresh_root() as root:
            _everywhere(root, by_hand=False)
            fold.fold(root)
            ingest(root)
            numbered_events.append(root, 99)
            for path in [Path(root), *Path(root).rglob("*")]:
                mode = 0o700 if path.is_dir() else 0o600
                assert path.stat().st_mode & 0o777 == mode, path.relative_to(root)
    finally:
        os.umask(before)


def ingest(root: str) -> None:
    """Count events into documents: one that is upserted, one that a file's own cursor guards."""
    from learnloop.store import segments

    with Store(root).transaction() as changes:
        names = [name for name in segments.names(root) if name > changes.cursor]
        health, lessons = changes.table("health"), changes.table("lessons")
        for name in names:
            records = list(segments.read(root, name))
            for record in records:
                lessons.put(record["id"], {"id": record["id"]})
            if name > health.cursor:
                counter = health.get("counter") or {"n": 0}
                health.put("counter", {"n": counter["n"] + len(records)})
            changes.state["n"] = changes.state.get("n", 0) + len(records)
            changes.cursor = name


def _assert_counted(root: str, number: int, where: str) -> None:
    assert len(Store(root).documents("lessons")) == number, where
    assert Store(root).documents("health")["counter"]["n"] == number, where
    assert Store(root).state()["n"] == number, where


def _everywhere(root: str, *, by_hand: bool = True) -> list[str]:
    """Events in a segment, a rotated journal with a torn tail, the spool and the journal."""
    acked = numbered_events.append(root, 1)
    fold.fold(root)
    acked += numbered_events.rotated(root, 1_000, 2, tail=numbered_events.TORN) if by_hand else []
    acked += numbered_events.spool(root, 3) if by_hand else []
    return acked + numbered_events.append(root, 4, 5)


_READ, _LISTING = files.read, files.listing


@contextlib.contextmanager
def _before_each_read(action: Callable[[], None]) -> Iterator[None]:
    """Run the action before each file or folder that a reader reads."""

    def read(path: Path) -> bytes | None:
        action()
        return _READ(path)

    def listing(folder: Path, suffix: str) -> list[Path]:
        action()
        return _LISTING(folder, suffix)

    with mock.patch.multiple(files, read=read, listing=listing):
        yield


_SYSTEM = ("replace", "rename", "unlink", "fsync")


def _crashed(action: Callable[[], object], point: int) -> bool:
    """Run the action until a given moment before or after a change on disk; False where it ended first."""
    moments = itertools.count()

    def moment() -> None:
        if next(moments) == point:
            raise Crash

    with pytest.MonkeyPatch.context() as patch:
        for name in _SYSTEM:
            patch.setattr(os, name, _around(getattr(posix, name), moment, moment))
        with contextlib.suppress(Crash):
            action()
            return False
    return True


@contextlib.contextmanager
def _recorded(calls: list[str]) -> Iterator[None]:
    def sync(fd: int) -> None:
        calls.append("fsync of a folder" if stat.S_ISDIR(os.fstat(fd).st_mode) else "fsync of a file")

    def replace(source: Path, target: Path) -> None:
        calls.append(f"replace {target.name}")
        posix.replace(source, target)

    with pytest.MonkeyPatch.context() as patch:
        for name in ("rename", "unlink"):
            patch.setattr(os, name, _around(getattr(posix, name), partial(calls.append, name), lambda: None))
        patch.setattr(os, "replace", replace)
        patch.setattr(os, "fsync", sync)
        yield


def _around(
    real: Callable[..., object], before: Callable[[], None], after: Callable[[], None]
) -> Callable[..., None]:
    def call(*args: object, **options: object) -> None:
        before()
        real(*args, **options)
        after()

    return call


INVARIANTS: dict[str, Check] = {
    check.__name__: check
    for check in (
        rotation_between_open_and_lock, rotation_between_check_and_write, fold_between_any_two_reads,
        documents_between_any_two_reads, torn_line_costs_itself_only, fold_survives_crashes,
        ingest_survives_crashes, only_one_writer, only_one_fold, down_to_the_disk_in_order,
        state_gets_its_name_last, files_are_private,
    )
}  # fmt: skip

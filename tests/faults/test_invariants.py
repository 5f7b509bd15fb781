"""Every invariant holds, and every one of them fails once the guard that it needs is gone."""

import contextlib
import fcntl
import os
import posix
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from unittest import mock

import pytest

from learnloop.store import files, fold, locks, pending, quarantine, segments, tinydb_file, transaction
from learnloop.store.document_table import Position
from learnloop.wire import codec, journal, paths
from tests.faults import checks

Guards = pytest.MonkeyPatch


@pytest.fixture(autouse=True)
def _alone(root: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """No run-time folder, no home, and no waiting for disks, which tells nothing here."""
    monkeypatch.setattr(posix, "fsync", checks.no_disk)
    monkeypatch.setattr(os, "fsync", checks.no_disk)


@pytest.mark.parametrize("name", checks.INVARIANTS)
def test_it_holds(name: str) -> None:
    checks.INVARIANTS[name]()


def _no_newline(guards: Guards) -> None:
    guards.setattr(
        journal, "frame", lambda records: "".join(codec.encode(record) + "\n" for record in records).encode()
    )


def _no_inode_check(guards: Guards) -> None:
    same = posix.stat("/")
    guards.setattr(posix, "stat", lambda path: same)
    guards.setattr(posix, "fstat", lambda fd: same)


def _no_lock(guards: Guards) -> None:
    real = fcntl.flock
    guards.setattr(fcntl, "flock", lambda fd, kind: kind & fcntl.LOCK_SH or real(fd, kind))


def _segments_read_first(guards: Guards) -> None:
    real = pending.sources

    def sources(root: str, after: str) -> Iterator[bytes | None]:
        yield from [files.read(segments.path(root, name)) for name in segments.names(root) if name > after]
        yield from real(root, "~")

    guards.setattr(pending, "sources", sources)


def _spool_read_last(guards: Guards) -> None:
    real = pending.sources

    def sources(root: str, after: str) -> Iterator[bytes | None]:
        with mock.patch.object(paths, "spool", lambda root: f"{root}/nowhere"):
            yield from real(root, after)
        yield from map(files.read, files.listing(Path(paths.spool(root)), ".jsonl"))

    guards.setattr(pending, "sources", sources)


# The three guards within a fold have no door: a broken one is put in the place of each.


def _no_dedupe(guards: Guards) -> None:
    guards.setattr(fold, "_ids_since", lambda root, oldest_ms: set())


def _dedupe_against_the_newest_only(guards: Guards) -> None:
    real = fold._ids_since
    guards.setattr(fold, "_ids_since", lambda root, oldest_ms: real(root, None))


def _spool_removed_last(guards: Guards) -> None:
    def remove(sources: list[Path]) -> None:
        for source in sources:
            source.unlink(missing_ok=True)

    guards.setattr(fold, "_remove", remove)


def _sources_removed_first(guards: Guards) -> None:
    real = fold._Batch.take

    def take(batch: fold._Batch, sources: list[Path]) -> None:
        with tempfile.TemporaryDirectory() as folder:
            copies = [Path(shutil.copy(source, folder)) for source in sources]
            fold._remove(sources)
            real(batch, copies)

    guards.setattr(fold._Batch, "take", take)


def _written_in_place(guards: Guards) -> None:
    def replace(path: Path, pieces: Iterable[bytes], *, sync: bool = True) -> None:
        files.ensure(path.parent)
        data = b"".join(pieces)
        files.write(path, [data[: len(data) // 2]])
        files.write(path, [data])

    guards.setattr(files, "replace", replace)


def _no_sync(guards: Guards) -> None:
    def write(path: Path, pieces: Iterable[bytes]) -> None:
        path.write_bytes(b"".join(pieces))

    guards.setattr(files, "write", write)


def _no_folder_sync(guards: Guards) -> None:
    guards.setattr(files, "sync_folder", lambda folder: None)


def _umask_decides(guards: Guards) -> None:
    guards.setattr(paths, "DIRECTORY_MODE", 0o777)


def _no_lock_files(guards: Guards) -> None:
    @contextlib.contextmanager
    def held(path: Path, *, wait_s: float, what: str, kind: int = fcntl.LOCK_EX) -> Iterator[None]:
        files.ensure(path.parent)
        yield

    guards.setattr(locks, "held", held)


def _position_first(guards: Guards) -> None:
    real = transaction.Transaction.commit

    def commit(changes: transaction.Transaction) -> None:
        changes.history.write(Position(changes.cursor, changes.state))
        real(changes)

    guards.setattr(transaction.Transaction, "commit", commit)


def _no_cursor_in_files(guards: Guards) -> None:
    real = transaction.Table.write

    def write(table: transaction.Table, cursor: str, more: dict[str, object] | None = None) -> Path:
        return real(table, cursor if table.name == "state" else "", more)

    guards.setattr(transaction.Table, "write", write)


def _quarantined_by_count(guards: Guards) -> None:
    def keep(root: str, name: str, data: bytes, reason: str) -> str:
        count = len(list(files.listing(Path(paths.quarantine(root)), "")))
        entry = f"{name}~{count}".replace("/", "-")
        files.replace(Path(paths.quarantine(root), entry), [data])
        return entry

    guards.setattr(quarantine, "keep", keep)


def _nothing_is_checked(guards: Guards) -> None:
    real = segments.parse
    guards.setattr(
        segments, "parse", lambda line: real(line) or {"id": line.hex(), "ts": "", "kind": "prompt"}
    )


MUTANTS: list[tuple[Callable[[Guards], None], str]] = [
    (_no_newline, "torn_line_costs_itself_only"),
    (_no_inode_check, "rotation_between_open_and_lock"),
    (_no_lock, "rotation_between_check_and_write"),
    (_segments_read_first, "fold_between_any_two_reads"),
    (_spool_read_last, "fold_between_any_two_reads"),
    (_no_dedupe, "fold_survives_crashes"),
    (_dedupe_against_the_newest_only, "fold_survives_crashes"),
    (_spool_removed_last, "fold_survives_crashes"),
    (_sources_removed_first, "fold_survives_crashes"),
    (_sources_removed_first, "down_to_the_disk_in_order"),
    (_quarantined_by_count, "fold_survives_crashes"),
    (_nothing_is_checked, "fold_survives_crashes"),
    (_written_in_place, "ingest_survives_crashes"),
    (_written_in_place, "fold_survives_crashes"),
    (_position_first, "ingest_survives_crashes"),
    (_no_cursor_in_files, "ingest_survives_crashes"),
    (_no_sync, "down_to_the_disk_in_order"),
    (_no_folder_sync, "down_to_the_disk_in_order"),
    (_no_sync, "state_gets_its_name_last"),
    (_no_folder_sync, "state_gets_its_name_last"),
    (_no_lock_files, "only_one_writer"),
    (_no_lock_files, "only_one_fold"),
    (_umask_decides, "files_are_private"),
    (_no_sync, "files_are_private"),
]


@pytest.mark.parametrize(("mutate", "name"), MUTANTS)
def test_without_its_guard_it_fails(
    mutate: Callable[[Guards], None], name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    mutate(monkeypatch)
    with pytest.raises((AssertionError, OSError, tinydb_file.DamagedError)):
        checks.INVARIANTS[name]()

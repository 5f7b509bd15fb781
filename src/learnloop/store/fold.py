"""The fold (log rotation): journal and spool become segments, one at a time, whatever crashes in between.

Order is what keeps events safe. Rotate the journal under its exclusive lock (no writer can still be at it
afterwards: writers compare the inode once they hold the shared lock); write the segments; set aside what is
no event; only then remove the sources, the rotated journals last. So a fold that was cut off leaves a rotated
journal, whose number tells which segments may hold already what the sources hold: its own and later ones.
"""

import contextlib
import errno
import heapq
import os
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain
from operator import itemgetter
from pathlib import Path

from learnloop import errors
from learnloop.store import files, locks, quarantine, segments, tinydb_file
from learnloop.wire import clock, journal, paths, regular

PART_EVENTS = 10_000
PART_BYTES = 8_000_000
ROTATE_DEADLINE_S = 0.25
BALLAST_BYTES = 256 * 1024
_BALLAST_ROOM = 16 * 1024 * 1024
_STALE_TMP_S = 60.0

_Dated = tuple[str, str, bytes]
"""Time, id and line of an event."""


@dataclass(frozen=True)
class FoldReport:
    """What one fold did."""

    events: int = 0
    segments: tuple[str, ...] = ()
    quarantined: int = 0
    """Lines that were set aside."""
    duplicates: int = 0
    busy: bool = False
    """Another process is folding."""
    postponed: bool = False
    """A writer did not let go of the journal; the next fold takes it."""


def fold(root: str, wait_s: float = 0.0) -> FoldReport:
    """Turn everything appended so far into segments; another fold may lack what was appended last."""
    if not has_work(root):
        return FoldReport()
    try:
        with alone(root, wait_s):
            return take(root) if has_work(root) else FoldReport()
    except errors.Busy:
        return FoldReport(busy=True)


def has_work(root: str) -> bool:
    """Whether anything was appended since the last fold."""
    return bool(_sources(root)) or _has_journal(root)


def alone(root: str, wait_s: float = 0.0) -> contextlib.AbstractContextManager[None]:
    """Hold off every other fold for a block; raises Busy where one is at work for longer than that."""
    return locks.held(Path(root, "fold.lock"), wait_s=wait_s, what="the journal")


def take(root: str) -> FoldReport:
    """Fold while `alone` is held."""
    for leftover in files.listing(Path(paths.events(root)), files.TEMPORARY):
        leftover.unlink(missing_ok=True)
    rotated = files.listing(Path(root), segments.FOLD_SUFFIX)
    cut_off = [segments.fold_ms(source.name.removeprefix("journal.")) for source in rotated]
    newest = max([*segments.names(root)[-1:], tinydb_file.cursor(root)])
    ms = max(clock.now_ms(), segments.fold_ms(newest) + 1, max(cut_off, default=0) + 1)
    target = Path(root, f"journal.{ms:013d}-000000{segments.FOLD_SUFFIX}")
    has_rotated = _rotate(Path(paths.journal(root)), target)
    sources = _sources(root)
    if sources and not any(source.suffix == segments.FOLD_SUFFIX for source in sources):
        files.write(target, [])  # a fold of spool files leaves its number too, should it be cut off
        files.sync_folder(target.parent)
        sources.append(target)
    is_fresh = sources == [target]
    batch = _Batch(root, ms, set() if is_fresh else _ids_since(root, min(cut_off, default=None)))
    batch.take(sources)
    _remove(sources)
    _sweep(Path(paths.spool(root)), root)
    _keep_ballast(Path(root, "ballast"))
    names = tuple(batch.names)
    return FoldReport(batch.events, names, batch.bad_lines, batch.duplicates, postponed=not has_rotated)


@dataclass
class _Batch:
    root: str
    ms: int
    seen: set[str]
    names: list[str] = field(default_factory=list)
    events: int = 0
    duplicates: int = 0
    bad_lines: int = 0
    _part: list[bytes] = field(default_factory=list)
    _bytes: int = 0

    def take(self, sources: list[Path]) -> None:
        """Write every event of the sources once, merged by time; set aside what is none."""
        bad: dict[Path, list[bytes]] = {source: [] for source in sources}
        for _, event_id, line in _merged(sources, bad):
            if event_id in self.seen:
                self.duplicates += 1
                continue
            self.seen.add(event_id)
            self._part.append(line)
            self._bytes += len(line)
            if len(self._part) >= PART_EVENTS or self._bytes >= PART_BYTES:
                self._flush()
        self._flush()
        for source, pieces in bad.items():
            self.bad_lines += len(pieces)
            if pieces:
                where = source.name if source.suffix == segments.FOLD_SUFFIX else f"spool/{source.name}"
                quarantine.keep(self.root, where, b"".join(pieces), "unreadable")

    def _flush(self) -> None:
        if self._part:
            name = segments.name(self.ms, len(self.names))
            files.replace(segments.path(self.root, name), self._part)
            self.names.append(name)
            self.events += len(self._part)
            self._part, self._bytes = [], 0


def _merged(sources: list[Path], bad: dict[Path, list[bytes]]) -> Iterable[_Dated]:
    """The events of all sources: each journal in its own order, spooled ones by their time."""
    journals = [_read(source, bad[source]) for source in sources if source.suffix == segments.FOLD_SUFFIX]
    spools = (_read(source, bad[source]) for source in sources if source.suffix != segments.FOLD_SUFFIX)
    spooled = sorted(chain.from_iterable(spools), key=itemgetter(0, 1))
    if len(journals) == 1 and not spooled:
        return journals[0]
    return heapq.merge(*journals, spooled, key=itemgetter(0))


def _read(source: Path, bad: list[bytes]) -> Iterator[_Dated]:
    with os.fdopen(regular.opened(str(source)), "rb") as file:
        if os.fstat(file.fileno()).st_size > regular.LARGEST:
            raise OSError(errno.EFBIG, "far too large for events", str(source))
        for line in file:
            if line == b"\n":
                continue
            record = segments.parse(line)
            if record is None:
                bad.append(line)
            else:
                yield record["ts"], record["id"], line if line.endswith(b"\n") else line + b"\n"


def _sources(root: str) -> list[Path]:
    """Rotated journals first, then spool files."""
    sources = files.listing(Path(root), segments.FOLD_SUFFIX)
    for folder in (paths.spool(root), journal.runtime_spool(root)):
        if folder:
            sources += files.listing(Path(folder), segments.SUFFIX)
    return sources


def _has_journal(root: str) -> bool:
    try:
        return len(regular.read(paths.journal(root), 1)) > 0
    except FileNotFoundError:
        return False
    except OSError:  # a fold finds out that it is no journal
        return True


def _rotate(path: Path, target: Path) -> bool:
    """Move the journal away; False if a writer does not let go of it, or it is not ours to move."""
    try:
        fd = regular.opened(str(path))
    except FileNotFoundError:
        return True
    except OSError:
        return False
    try:
        if os.fstat(fd).st_size == 0:
            return True
        if not locks.try_lock(fd, wait_s=ROTATE_DEADLINE_S):
            return False
        path.rename(target)
    finally:
        os.close(fd)
    files.sync_folder(path.parent)
    return True


def _ids_since(root: str, oldest_ms: int | None) -> set[str]:
    """The ids that the newest fold wrote, and all folds since the oldest one that was cut off."""
    names = segments.names(root)
    newest = segments.fold_ms(names[-1]) if names else 0
    since = newest if oldest_ms is None else min(oldest_ms, newest)
    recent = (name for name in names if segments.fold_ms(name) >= since)
    return {record["id"] for name in recent for record in segments.read(root, name)}


def _remove(sources: list[Path]) -> None:
    """Remove what was folded: spool files first, then rotated journals, the oldest last."""
    spools = [source for source in sources if source.suffix != segments.FOLD_SUFFIX]
    journals = [source for source in sources if source.suffix == segments.FOLD_SUFFIX]
    for group in (spools, sorted(journals, reverse=True)):
        for source in group:
            source.unlink(missing_ok=True)
        for folder in {source.parent for source in group}:
            files.sync_folder(folder)


def _sweep(folder: Path, root: str) -> None:
    """Set aside what writers that were killed left half written in the spool."""
    for leftover in files.listing(folder, files.TEMPORARY):
        with contextlib.suppress(FileNotFoundError):
            if time.time() - leftover.stat().st_mtime > _STALE_TMP_S:
                data = files.read(leftover)
                if data:
                    quarantine.keep(root, f"spool/{leftover.name}", data, "unfinished")
                leftover.unlink()


def _keep_ballast(path: Path) -> None:
    """Keep a reserve that a writer gives back when the disk is full, where there is room for one."""
    with contextlib.suppress(OSError):
        os.close(regular.opened(f"{path.parent}{journal.UNKEPT}", os.O_WRONLY | os.O_CREAT))
        room = os.statvfs(path.parent)
        if not path.exists() and room.f_bavail * room.f_frsize > _BALLAST_ROOM:
            files.write(path, [os.urandom(BALLAST_BYTES)])

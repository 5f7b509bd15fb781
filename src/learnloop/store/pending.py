"""Pending events: those that are not in the documents yet, read without a lock.

Data moves journal → spool → rotated journal → segment → documents. Reading in that order can see an event
twice and never misses it. So read the cursor first, then this, then the documents.
"""

import os
import stat
from collections.abc import Collection, Iterator
from pathlib import Path

from learnloop.store import files, seal, segments, tinydb_file
from learnloop.wire import journal, paths


def records(root: str, after: str, *, kinds: Collection[str] = ()) -> list[segments.Record]:
    """The events after segment `after`, each once, by time; only of some kinds, if named."""
    return sorted(appended(root, after, kinds=kinds), key=lambda record: str(record["ts"]))


def appended(root: str, after: str, *, kinds: Collection[str] = ()) -> list[segments.Record]:
    """The same in the order of their files."""
    needles = [kind.encode() for kind in kinds]
    newest_first = []
    for data in sources(root, after):
        matching = []
        for line in segments.complete(data or b"")[0]:
            if not needles or any(needle in line for needle in needles):
                record = segments.parse(line)
                if record is not None and (not kinds or record["kind"] in kinds):
                    matching.append(record)
        newest_first.append(matching)
    by_id = {record["id"]: record for matching in reversed(newest_first) for record in matching}
    return list(by_id.values())


def unread(root: str) -> int:
    """How many events no document has: of decisions, those that did not take effect where they were made.

    After a transaction that was cut off all of them may lack something.
    """
    events = records(root, tinydb_file.cursor(root))
    is_whole = bool(events) and not seal.is_touched(root)
    stored = files.read(tinydb_file.path(root, "decisions")) or b"" if is_whole else b""
    return sum(
        event["kind"] != "decision" or f'"{event["id"]}":{{'.encode() not in stored for event in events
    )


def sources(root: str, after: str) -> Iterator[bytes | None]:
    """The files that an event passes through, in order; each folder is listed only in its turn."""
    if not obstacles(root):  # hooks write to the spool then
        yield files.read(Path(paths.journal(root)))
    for folder in (paths.spool(root), journal.runtime_spool(root)):
        if folder:
            yield from map(files.read, files.listing(Path(folder), segments.SUFFIX))
    yield from map(files.read, files.listing(Path(root), segments.FOLD_SUFFIX))
    for name in reversed([name for name in segments.names(root) if name > after]):
        yield files.read(segments.path(root, name))


def obstacles(root: str) -> list[str]:
    """What is wrong with a journal that nobody can write to: it is a link, a folder, a FIFO."""
    path = paths.journal(root)
    try:
        mode = os.lstat(path).st_mode
    except FileNotFoundError:
        return []
    return [] if stat.S_ISREG(mode) else [f"{path} is no regular file"]

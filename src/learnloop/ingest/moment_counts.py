"""The moments of experiments, counted by month of their shards, so that an answer reads only what is new.

The newest month is counted each time. The counts of the others are in a file each, with names, sizes and
times of the shards that they are of: a shard that has changed since has its month counted anew.
"""

import contextlib
import itertools
import json
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from learnloop.learn.experiments import counts
from learnloop.learn.experiments.counts import Counts
from learnloop.store import files, tinydb_file
from learnloop.store.store import Store

FOLDER = "recall/moments"
_FORMAT, _CHECKSUM = "3", 8


def counted(root: str) -> Counts:
    """The counts of all stored moments."""
    shards = Store(root).shards("moments")
    by_month = itertools.groupby(shards, lambda shard: shard.partition("/")[2][:7])
    months = [(month, list(names)) for month, names in by_month]
    newest = [counts.count(_moments(root, names)) for _, names in months[:1]]
    return counts.total([*newest, *(_settled(root, month, names) for month, names in months[1:])])


def counted_since(root: str, since: str) -> Counts:
    """The counts of the stored moments that began after a time."""
    shards = Store(root).shards("moments")
    newer = [name for name in shards if name.partition("/")[2][:10] >= since[:10]]
    return counts.count(doc for doc in _moments(root, newer) if doc.get("started", "") > since)


def remove(root: str, last: str) -> None:
    """Remove the counts of all months up to that of a day."""
    for path in files.listing(Path(root, FOLDER), ""):
        if path.name[:7] <= last[:7]:
            path.unlink(missing_ok=True)


def _moments(root: str, shards: list[str]) -> Iterator[dict[str, Any]]:
    store = Store(root)
    return (doc for name in shards for doc in store.documents(name).values())


def _settled(root: str, month: str, shards: list[str]) -> Counts:
    file, stamps = Path(root, FOLDER, month), _stamps(root, shards)
    data = files.read(file) or b""
    if data[:_CHECKSUM] == _checksum(data[_CHECKSUM:]):
        stored = json.loads(data[_CHECKSUM:])
        if stored["of"] == stamps:
            return counts.unpack(stored["counts"])
    result = counts.count(_moments(root, shards))
    data = json.dumps({"of": stamps, "counts": counts.pack(result)}, separators=(",", ":")).encode("ascii")
    with contextlib.suppress(OSError):  # a look at a full disk still answers
        files.replace(file, [_checksum(data), data], sync=False)
    return result


def _checksum(data: bytes) -> bytes:
    return b"%08x" % zlib.crc32(data)


def _stamps(root: str, shards: list[str]) -> list[str]:
    stamps = [_FORMAT]
    for name in shards:
        with contextlib.suppress(FileNotFoundError):
            stat = tinydb_file.path(root, name).stat()
            stamps.append(f"{name} {stat.st_size} {stat.st_mtime_ns}")
    return stamps

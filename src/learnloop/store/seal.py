"""Seals: decisions carry a keyed hash and name the one before, so that lines edited in by hand show.

The key lies in the root, readable for its owner only. A seal says that Learnloop wrote a decision and noted
where it was made; it cannot stop a process of the same user that reads the key.
"""

import contextlib
import hashlib
import hmac
import json
import os
import re
import secrets
from pathlib import Path
from typing import Any

from learnloop.store import files, segments, swap, tinydb_file
from learnloop.wire import clock, journal, provenance, regular

KEY, HEAD = provenance.KEY, "decisions.head"
KINDS = ("decision", "facts", "prompt")
"""The kinds of events that are sealed, prompts by hooks; decisions name the one before besides."""
TABLES = ("decisions", "lessons")
"""The tables whose documents are sealed."""
DOCUMENT = "_seal"
_SEAL, _PREV = (
    re.compile(rb'"seal":"([0-9a-f]{32})"'),
    re.compile(rb'"prev":"([0-9a-f]{32}|)","seal":"[0-9a-f]{32}"'),
)
UNSEALED = "it was not written by Learnloop"
Record = dict[str, Any]


def append(root: str, records: "list[Record]") -> bool:
    """Seal records of `KINDS` in place and append all durably; False where nothing can be kept.

    Each decision names the seal of the one before, as this writer sees it. Of several writers at once two may
    name the same one: the chain is a tree, and every name has to exist.
    """
    head, decisions = head_of(root), [record for record in records if record["kind"] == "decision"]
    for record in decisions:
        record["payload"] |= {"prev": head}
        head = record["payload"]["seal"] = seal_of(root, record)
    for record in records:
        if record["kind"] == "facts":
            record["payload"]["seal"] = seal_of(root, record)
    if not journal.append(root, records, durable=True):
        return False
    with contextlib.suppress(OSError):
        if decisions:
            set_head(root, head)
    return True


def fault(root: str, record: Record, segment: str = "") -> str:
    """Why a record does not count as written by Learnloop; empty for one that does.

    One without a seal counts where its segment is older than the key: earlier versions wrote none.
    """
    payload = record["payload"]
    if "seal" not in payload and segment and segments.fold_ms(segment) < _key(root)[1]:
        return ""
    given = str(payload.get("seal", ""))
    return "" if hmac.compare_digest(given.encode(), seal_of(root, record).encode()) else UNSEALED


def ensure(root: str) -> None:
    """Make the key where there is none: whatever is folded from now on needs a seal."""
    _key(root)


def seal_of(root: str, record: Record) -> str:
    """The seal that an event should have."""
    if record["kind"] == "prompt":
        return provenance.seal(provenance.key_of(_key(root)[0]), record)
    payload = {name: value for name, value in record["payload"].items() if name != "seal"}
    return mac(root, [record["id"], record["ts"], payload])


def sealed(root: str, doc: Record) -> Record:
    """A stored document with the seal of what it says."""
    return {**doc, DOCUMENT: mac(root, doc)}


def unsealed(doc: Record) -> Record:
    """A stored document without its seal."""
    return {name: value for name, value in doc.items() if name != DOCUMENT} if DOCUMENT in doc else doc


def breaks(root: str) -> int:
    """How many stored decisions name one before them that is not there: it was removed, or is lost."""
    data = files.read(Path(root, "store", "decisions.json")) or b""
    seals, names = set(_SEAL.findall(data)), _PREV.findall(data)
    first = max(names.count(b""), 1) - 1
    head = head_of(root).encode()
    is_headless = bool(seals) and not head
    return first + sum(name not in seals for name in names if name) + is_headless


def file_stamps(root: str) -> list[list[int]]:
    """Which files of sealed tables there are; others after anybody wrote them, whatever times they claim."""
    stamps = []
    for name in TABLES:
        try:
            status = tinydb_file.path(root, name).stat()
        except FileNotFoundError:
            stamps.append([0, 0])
        else:
            stamps.append([status.st_ino, status.st_ctime_ns])
    return stamps


def is_touched(root: str) -> bool:
    """Whether lessons or decisions are other files than a transaction left that came to its end."""
    stamps = file_stamps(root)
    is_empty = all(inode == 0 for inode, _ in stamps)
    return not is_empty and stamps != tinydb_file.meta(tinydb_file.path(root, "state")).get("written")


def mac(root: str, value: object) -> str:
    """A keyed hash of a JSON value."""
    data = json.dumps(value, sort_keys=True, separators=(",", ":")).encode("ascii")
    return hmac.new(_key(root)[0], data, hashlib.sha256).hexdigest()[:32]


def head_of(root: str) -> str:
    """The seal of the decision that was appended last; empty before the first."""
    return (files.read(Path(root, HEAD)) or b"").decode("ascii", "replace")[:32]


def set_head(root: str, name: str) -> None:
    """Keep the seal of the last decision."""
    files.replace(Path(root, HEAD), [name.encode("ascii")], sync=False)


_keys: dict[str, tuple[tuple[int, int], tuple[bytes, int]]] = {}


def _key(root: str) -> tuple[bytes, int]:
    """The key and when it was made, milliseconds; made at first use."""
    path = Path(root.removesuffix(f"/{swap.FOLDER}"), KEY)
    try:
        status = path.stat()
    except FileNotFoundError:
        return _new_key(path)
    stamp = (status.st_ino, status.st_mtime_ns)
    cached = _keys.get(str(path))
    if cached is None or cached[0] != stamp:
        key, _, ms = regular.content(str(path)).partition(b" ")
        cached = _keys[str(path)] = (stamp, (key, int(ms) if ms.isdigit() else 0))
    return cached[1]


def _new_key(path: Path) -> tuple[bytes, int]:
    files.ensure(path.parent)
    temporary = path.with_name(f"{path.name}.{os.getpid()}{files.TEMPORARY}")
    files.write(temporary, [f"{secrets.token_hex(32)} {clock.now_ms()}".encode("ascii")])
    with contextlib.suppress(FileExistsError):
        os.link(temporary, path)  # of several first writers one wins
    temporary.unlink()
    return _key(str(path.parent))

"""Where a prompt comes from: what started the hook that recorded it, and a seal that no line by hand has."""

import _imp
import posix
import sys
import time

from learnloop.wire import clock, codec, regular

TYPE_CHECKING = False  # importing `typing` would double a hook's start-up
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from learnloop.wire.event import Record

KEY = "decisions.key"


def mark(root: str, records: "Iterable[Record]", *, is_hook: bool = False) -> None:
    """Seal the prompts among records; `is_hook` notes what started this process too."""
    try:
        key = key_of(regular.read(f"{root}/{KEY}", 64))
    except (OSError, ValueError):  # ingest makes it
        key = 0
    for record in records:
        if record["kind"] == "prompt":
            if is_hook and (found := _starter()):
                record["payload"]["starter"] = found
            if key:
                record["payload"]["seal"] = seal(key, record)


def key_of(data: bytes) -> int:
    """The number that prompts are sealed with, of the key in a file; raises ValueError for none."""
    return int(data[:15], 16)


def seal(key: int, record: "Record") -> str:
    """The keyed hash of a prompt: SipHash, which the interpreter has without loading a library."""
    payload = {name: value for name, value in record["payload"].items() if name != "seal"}
    content = codec.encode([record["id"], record["ts"], record["session_id"], record["project"], payload])
    return _imp.source_hash(key, content.encode("ascii")).hex()


def _starter() -> "dict[str, Any]":
    """`{pid, name, since}`, in milliseconds, of what is above a shell that only runs this hook; or {}."""
    try:
        pid = posix.getppid()
        name, fields = _stat(pid)
        if name.endswith("sh"):
            words = regular.of_process(pid, "cmdline").split("\0")
            # Behind up to three options: Copilot's is `bash --norc --noprofile -c`.
            if any(_bare(word).startswith(sys.orig_argv[0]) for word in words[1:5]):
                pid = int(fields[1])
                name, fields = _stat(pid)
        ticks = int(fields[19])
        age_s = time.clock_gettime(time.CLOCK_BOOTTIME) - ticks / posix.sysconf("SC_CLK_TCK")
    except (AttributeError, LookupError, OSError, ValueError):
        return {}
    return {"pid": pid, "name": name, "since": clock.now_ms() - int(age_s * 1000)}


def _bare(command: str) -> str:
    """A command line without the assignment and the quote that it may begin with."""
    assigned, _, rest = command.partition("=1 ")
    return (rest if assigned.isidentifier() else command).lstrip("'")


def _stat(pid: int) -> "tuple[str, list[str]]":
    head, _, tail = regular.of_process(pid, "stat").rpartition(")")
    return head.partition("(")[2], tail.split()

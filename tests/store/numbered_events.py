"""Events and what can be seen of them: shared by the tests of journal, fold and store."""

import json
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from learnloop.store import pending, segments
from learnloop.wire import event, journal

if TYPE_CHECKING:
    from learnloop.wire.event import Record

START_MS = 1_760_000_000_000
TORN = b'\n{"v":1,"id":"torn half of a li'


def made(number: int, session: str = "s1", project: str = "/code/app", **payload: object) -> "Record":
    """The event of a number: the same id and time whenever it is made."""
    ms = START_MS + number * 1000
    return event.record(
        "prompt", host="claude", session_id=session, cwd=project, project=project,
        payload={"prompt": f"prompt {number}", **payload}, ts_ms=ms, event_id=event_id(number),
    )  # fmt: skip


def event_id(number: int) -> str:
    """The id of the event of a number."""
    return f"{START_MS + number * 1000:012x}{number:020x}"


def append(root: str, *numbers: int) -> list[str]:
    """Append these events one by one; the ids of those acknowledged."""
    return [event_id(number) for number in numbers if journal.append(root, [made(number)])]


def spool(root: str, *numbers: int) -> list[str]:
    """Put these events where they go when the journal cannot be locked."""
    folder = Path(root, "spool")
    folder.mkdir(parents=True, exist_ok=True)
    for number in numbers:
        (folder / f"{event_id(number)}.jsonl").write_bytes(journal.frame([made(number)]))
    return [event_id(number) for number in numbers]


def block(path: str) -> None:
    """Replace a file or folder by a link that leads nowhere, so that nothing can be written there."""
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).unlink(missing_ok=True)
    Path(path).symlink_to("nowhere")


def rotated(root: str, ms: int, *numbers: int, tail: bytes = b"") -> list[str]:
    """Leave a rotated journal behind, as a fold does that was cut off."""
    Path(root).mkdir(parents=True, exist_ok=True)
    content = journal.frame([made(number) for number in numbers]) + tail
    Path(root, f"journal.{ms:013d}-000000.fold").write_bytes(content)
    return [event_id(number) for number in numbers]


def seen(root: str) -> list[str]:
    """The ids that a reader sees, wherever the events stand."""
    return [record["id"] for record in pending.records(root, "")]


def stored(root: str) -> Counter[str]:
    """How often each id stands in the segments, line by line."""
    return Counter(record["id"] for name in segments.names(root) for record in segments.read(root, name))


def litter(root: str) -> list[str]:
    """What no clean fold leaves behind: temporary, rotated and spooled files."""
    names = [str(path.relative_to(root)) for path in Path(root).rglob("*") if path.is_file()]
    return [name for name in names if name.endswith((".tmp", ".fold")) or name.startswith("spool/")]


def kept(root: str) -> list[bytes]:
    """What the quarantine holds."""
    folder = Path(root, "quarantine")
    return sorted(path.read_bytes() for path in folder.iterdir()) if folder.exists() else []


def content(root: str, name: str) -> dict[str, object]:
    """A file of the store, parsed as any JSON reader would."""
    tables: dict[str, object] = json.loads(Path(root, "store", f"{name}.json").read_bytes())
    return tables

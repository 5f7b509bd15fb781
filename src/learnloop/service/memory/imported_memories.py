"""Memories of other stores: listed and marked as such, and told to nobody."""

import re
from collections.abc import Iterable

from learnloop.models import ids
from learnloop.models.memory import LONGEST_TEXT, Memory
from learnloop.service import workspace
from learnloop.service.workspace import Workspace
from learnloop.store.store import Store
from learnloop.wire import clock, text

TABLE = "imported_memories"
_MOST, _MOST_NAMES, _NAME = 5_000, 20, 200
_ID = re.compile(r"[a-z]+-[0-9a-z-]{4,80}")


def imported(ws: Workspace) -> list[Memory]:
    """The imported memories, newest first."""
    return sorted(Store(ws.root).imported_memories(), key=lambda memory: memory.ts, reverse=True)


def enter(ws: Workspace, memories: Iterable[Memory], present: Iterable[str]) -> int:
    """Store memories that are neither present nor imported yet; returns how many. The newest 5,000 stay."""
    foreign = {memory.id: memory for memory in (_as_foreign(ws, each) for each in memories)}
    with Store(ws.root).transaction() as changes:
        table = changes.table(TABLE)
        new = {name: memory.as_json() for name, memory in foreign.items() if name not in table}
        for name in present:
            new.pop(name, None)
        every = sorted({**table.all(), **new}.values(), key=lambda doc: str(doc["ts"]), reverse=True)
        if new:
            table.replace_all({str(doc["id"]): doc for doc in every[:_MOST]})
    return len(new)


def _as_foreign(ws: Workspace, memory: Memory) -> Memory:
    """A memory as nobody's here: redacted, measured, without marks, sessions and tasks."""
    cleaned = workspace.redacted(ws, memory.as_json())
    for name in ("files", "relevance"):
        cleaned[name] = [text.cut(word, _NAME) for word in cleaned[name][:_MOST_NAMES]]
    for name in ("agent", "project"):
        cleaned[name] = text.cut(cleaned[name], _NAME)
    is_name = _ID.fullmatch(memory.id) and memory.id.startswith(f"{memory.type}-")
    return Memory.model_validate(cleaned | {
        "id": memory.id if is_name else f"{memory.type}-{ids.draft_id(memory.id, 'import')}",
        "text": text.cut(cleaned["text"], LONGEST_TEXT), "ts": clock.iso(clock.parse_ms(memory.ts)),
        "key": "", "task": "", "tasks": [], "session_id": "", "expires": None, "pinned": False,
        "hidden": False, "trust": "external",
    })  # fmt: skip

"""The queue of claude-reflect: a JSON array of captured messages."""

from pathlib import Path

from learnloop.errors import Unreadable
from learnloop.importers.import_items import ImportBatch, ImportItem, json_of, words_of

RULE = "import:reflect"


def read(path: Path) -> ImportBatch:
    """The messages of a queue; raises Unreadable where the file has no queue."""
    queue = json_of(path)
    if not isinstance(queue, list):
        raise Unreadable(f"{path} is no claude-reflect queue", "it is a JSON array, learnings-queue.json")
    batch = ImportBatch()
    for number, item in enumerate(queue, 1):
        place = f"{path} item {number}"
        words = words_of(item.get("message")) if isinstance(item, dict) else ""
        if not words:
            batch.skip(place, "has no message")
            continue
        if item.get("sentiment") == "positive" or item.get("type") == "positive":
            batch.skip(place, "is praise: nothing for an agent to learn")
            continue
        confidence = item.get("confidence")
        sure = min(max(confidence, 0.0), 1.0) if isinstance(confidence, int | float) else 0.6
        batch.items.append(
            ImportItem(RULE, words, place, {"confidence": str(sure)}, words_of(item.get("timestamp")),
                  words_of(item.get("project")), words_of(item.get("patterns")))
        )  # fmt: skip
    return batch

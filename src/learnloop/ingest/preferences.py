"""Remarks about a person's ways, kept by trait; store/preferences.json has a cursor of its own."""

from typing import Any

from learnloop.ingest.effects import Signalled
from learnloop.learn.profile import preferences, traits

Doc = dict[str, Any]
TABLE = "preferences"


def signalled(event: Doc, words: str) -> list[Signalled]:
    """What a person's words say about how they want to be worked with."""
    return [
        Signalled(
            found.trait,
            {
                "side": found.side, "quote": found.quote, "session_id": event["session_id"],
                "event_id": event["id"], "ts": event["ts"], "project": event.get("project", ""),
            },
        )
        for found in traits.find_remarks(words)
    ]  # fmt: skip


def take(tx: Any, segment: str, effect: Signalled) -> None:
    """Keep a remark, unless the file has it."""
    table = tx.table(TABLE)
    if table.cursor < segment:
        enter(table, effect.trait, [effect.signal])


def enter(table: Any, trait: str, signals: list[Doc]) -> None:
    """Add remarks to those of a trait, of which the newest stay."""
    doc_id = f"trait:{trait}"
    known = table.get(doc_id) or {"id": doc_id, "signals": []}
    table.put(doc_id, {**known, "signals": preferences.newest_signals([*known["signals"], *signals])})

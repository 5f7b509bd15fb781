"""Remarks about a person's ways, kept by trait; store/preferences.json has a cursor of its own."""

from typing import Any

from learnloop.ingest.effects import TraitSignalled
from learnloop.learn.profile import trait_values, traits

Doc = dict[str, Any]
TABLE = "preferences"


def signalled(event: Doc, words: str) -> list[TraitSignalled]:
    """What a person's words say about how they want to be worked with."""
    return [
        TraitSignalled(
            remark.trait,
            {
                "side": remark.side, "quote": remark.quote, "session_id": event["session_id"],
                "event_id": event["id"], "ts": event["ts"], "project": event.get("project", ""),
            },
        )
        for remark in traits.find_remarks(words)
    ]  # fmt: skip


def enter(table: Any, trait: str, signals: list[Doc]) -> None:
    """Add remarks to those of a trait, of which the newest stay."""
    doc_id = f"trait:{trait}"
    doc = table.get(doc_id) or {"id": doc_id, "signals": []}
    table.put(doc_id, {**doc, "signals": trait_values.newest_signals([*doc["signals"], *signals])})

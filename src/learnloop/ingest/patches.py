"""Patches as decisions tell of them: the document of the last decision about a patch is what stands."""

from typing import Any

from learnloop.models import Decision

TABLE = "patches"


def take(tx: Any, segment: str, decision: Decision) -> None:
    """Put the patch that a decision carries."""
    doc = decision.args.get("patch")
    if not isinstance(doc, dict) or not isinstance(doc.get("id"), str):
        return
    table = tx.table(TABLE)
    if table.cursor < segment:
        table.put(doc["id"], doc)

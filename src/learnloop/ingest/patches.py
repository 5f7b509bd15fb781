"""Patches: the document of the last decision about a patch replaces the one before."""

from typing import Any

from learnloop.models import Decision
from learnloop.patch.carried import carried

TABLE = "patches"


def take(tx: Any, segment: str, decision: Decision) -> None:
    """Store the patches that a decision carries."""
    for doc in carried(decision.args):
        table = tx.table(TABLE)
        if table.cursor < segment:
            table.put(doc["id"], doc)

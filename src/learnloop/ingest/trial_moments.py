"""Moments of experiments: the turns in which a lesson under test was told or held back, and how they went.

A moment is stored beside its turn and written with it, so what is heard late of the turn moves it. Whether
the lesson's own correction came again is decided where complaints are tied to lessons
(`LessonTable.complained`), until the end of the next turn of the person. Both come in any order.
"""

from collections.abc import Callable
from typing import Any

from learnloop.ingest.effects import UpsertDocument
from learnloop.ingest.running import RunningTurn

Doc = dict[str, Any]
TABLE = "moments"
SHARD = 1000
"""Moments in a file: they are small, and all of them are read at once."""
OWN = "own"
"""The lessons of which the own correction came again."""
_MOST_OPEN = 3


def of_receipt(payload: Doc) -> list[list[str]]:
    """Return [experiment, lesson, variant] of what a receipt tells or holds back under test."""
    items = [
        item for name in ("lessons", "held") if isinstance(payload.get(name), list) for item in payload[name]
    ]
    names = ("trial", "id", "arm")
    return [
        [item[name] for name in names]
        for item in items
        if isinstance(item, dict) and all(isinstance(item.get(name), str) for name in names)
    ]


def note(turn: RunningTurn, arms: list[list[str]], place: Callable[[], str]) -> None:
    """Add moments to a turn, whose first one is given a place."""
    mine = turn.get("_moments") or {"shard": place(), "arms": []}
    turn["_moments"] = mine
    mine["arms"] += [arm for arm in arms if arm not in mine["arms"]]


def follow(turn: RunningTurn, before: RunningTurn | None) -> None:
    """Let the moments of the turn before stay open; what a machine begins is no turn of the person."""
    if before is None:
        return
    is_between = "machine" in (turn["origin"], before["origin"])
    turn["_open_moments"] = [*(before.get("_open_moments", []) if is_between else []), *_own(before)][
        -_MOST_OPEN:
    ]


def open_at(turn: RunningTurn | None, *, is_over: bool) -> list[list[Any]]:
    """Return [table, turn, lessons] of the moments that a remark may be about; `is_over`: after the turn."""
    if turn is None:
        return []
    earlier = [] if is_over and turn["origin"] == "human" else turn.get("_open_moments", [])
    return [*earlier, *_own(turn)]


def _own(turn: RunningTurn) -> list[list[Any]]:
    mine = turn.get("_moments")
    return [[mine["shard"], turn["id"], [lesson for _, lesson, _ in mine["arms"]]]] if mine else []


def stored(turn: RunningTurn) -> UpsertDocument | None:
    """Return the moments of a turn as they are stored; None where it has none."""
    mine = turn.get("_moments")
    if not mine:
        return None
    doc = {
        "id": turn["id"], "session_id": turn["session_id"], "started": turn["started"],
        "outcome": turn["outcome"], "arms": list(mine["arms"]),
    }  # fmt: skip
    return UpsertDocument(mine["shard"], turn["id"], doc)


def is_moment(table: str) -> bool:
    """Whether a table holds moments."""
    return table.startswith(f"{TABLE}/")


def put(table: Any, doc: Doc) -> None:
    """Store the moments of a turn, with the corrections that are known of it already."""
    table.put(doc["id"], {**doc, OWN: (table.get(doc["id"]) or {}).get(OWN, [])})


def mark(table: Any, turn_id: str, lesson_id: str) -> None:
    """Note that the own correction of a lesson came again."""
    doc = table.get(turn_id) or {"id": turn_id}
    table.put(turn_id, {**doc, OWN: sorted({*doc.get(OWN, ()), lesson_id})})

"""Moments of experiments: the turns in which a lesson under test was told or held back, and how they went.

A moment is stored beside its turn and written with it, so what is heard late of the turn moves it.
Corrections count until the end of the next turn of the person: any, and the lesson's own, as complaints are
tied to lessons (`LessonTable.complained`). Success counts with the number of turns that the task took until
then. All of it comes in any order. A moment names the turns before it that a remark could be about.
"""

from collections.abc import Iterator
from typing import Any

from learnloop.ingest.effects import MomentMarked, UpsertDocument
from learnloop.ingest.running import RunningTurn
from learnloop.learn.hear import outcomes
from learnloop.wire import clock

Doc = dict[str, Any]
TABLE = "moments"
OWN = "own"
"""The lessons of which the own correction came again."""
DONE = "done"
"""The lessons of which a call of the turn did what they forbid; "" for any lesson in use."""
CORRECTED, REACHED = "corrected", "reached"
"""Marks: whether any correction came; with how many turns success was reached, and by which turn."""
_MOST_OPEN, _MOST_TRIED = 3, 10


def of_receipt(payload: Doc) -> list[list[str]]:
    """Return [experiment, lesson, variant] of what a receipt tells or holds back under test.

    An experiment on budgets or priming is named by the receipt itself, and is of no lesson.
    """
    items = [
        item for name in ("lessons", "held") if isinstance(payload.get(name), list) for item in payload[name]
    ]
    items.append({**payload, "id": ""})
    names = ("trial", "id", "arm")
    return [
        [item[name] for name in names]
        for item in items
        if isinstance(item, dict) and all(isinstance(item.get(name), str) for name in names)
    ]


def note(turn: RunningTurn, arms: list[list[str]]) -> None:
    """Add moments to a turn."""
    if arms:
        mine = turn.setdefault("_moments", {"arms": []})
        mine["arms"] += [arm for arm in arms if arm not in mine["arms"]]


def follow(turn: RunningTurn, before: RunningTurn | None) -> None:
    """Let the moments of the turn before stay open; what a machine begins is no turn of the person."""
    if before is None:
        return
    is_between = "machine" in (turn["origin"], before["origin"])
    turn["_open_moments"] = [*(_open_before(before) if is_between else []), *of_turn(before)][-_MOST_OPEN:]
    if turn["origin"] == "machine":
        turn["_tried"] = _tried(before, 0)


def try_again(turn: RunningTurn, before: RunningTurn | None) -> None:
    """Let a turn count as a further one on the task of the turn before, which it corrects or goes on with."""
    if before is not None and (before["outcome"] == "revision" or turn["_trace"]["continues"]):
        turn["_tried"] = _tried(before, 1)


def _tried(before: RunningTurn, more: int) -> list[list[Any]]:
    """[turn, how many turns] of the moments whose task has not succeeded by the end of a turn."""
    if before["outcome"] == "success":
        return []
    earlier = [[key, turns + more] for *_, key, turns in before.get("_tried", ())]
    return [*earlier, *([key, 1 + more] for key, _ in of_turn(before))][-_MOST_TRIED:]


def open_at(turn: RunningTurn | None, *, is_over: bool) -> list[list[Any]]:
    """Return [turn, lessons] of the moments that a remark may be about; `is_over`: after the turn."""
    if turn is None:
        return []
    earlier = [] if is_over and turn["origin"] == "human" else _open_before(turn)
    return [*earlier, *of_turn(turn)]


def _open_before(turn: RunningTurn) -> list[list[Any]]:
    """The same of the turns before; an older program kept a file's name with each."""
    return [[key, lessons] for *_, key, lessons in turn.get("_open_moments", ())]


def of_turn(turn: RunningTurn) -> list[list[Any]]:
    """[turn, lessons] of the moments of a turn."""
    mine = turn.get("_moments")
    return [[turn["id"], [lesson for _, lesson, _ in mine["arms"]]]] if mine else []


def stored(turn: RunningTurn) -> Iterator[UpsertDocument | MomentMarked]:
    """Yield the moments of a turn as they are stored, and what its success says of earlier ones."""
    if mine := turn.get("_moments"):
        doc = {
            "id": turn["id"], "session_id": turn["session_id"], "started": turn["started"],
            "outcome": turn["outcome"], "arms": list(mine["arms"]), **_taken(turn),
        }  # fmt: skip
        if after := [key for key, _ in _open_before(turn)]:
            doc["after"] = after
        yield UpsertDocument(TABLE, turn["id"], doc)
    for *_, key, turns in [*turn.get("_tried", ()), *([key, 1] for key, _ in of_turn(turn))]:
        yield MomentMarked(key, REACHED, [turns * (turn["outcome"] == "success"), turn["id"]])


def _taken(turn: RunningTurn) -> Doc:
    """How long a turn took, and whether its outcome is only inferred; each where it is known."""
    ended = turn.get("ended")
    taken = {"ms": max(clock.parse_ms(ended) - clock.parse_ms(turn["started"]), 0)} if ended else {}
    return taken | ({"inferred": True} if turn.get("inferred") else {})


def corrected(remark: Doc, turn: RunningTurn | None, *, is_over: bool) -> list[MomentMarked]:
    """Return the moments that a remark corrects, whatever it is about."""
    given = outcomes.outcome_of_remark(
        remark["event_type"], remark["feedback_category"], remark["confidence"]
    )
    moments = open_at(turn, is_over=is_over) if given == "revision" else []
    return [MomentMarked(key, CORRECTED, True) for key, _ in moments]


def put(table: Any, doc: Doc) -> None:
    """Store the moments of a turn, with what is known of them already."""
    before = table.get(doc["id"]) or {}
    marks = {name: before[name] for name in (CORRECTED, REACHED, DONE) if name in before}
    table.put(doc["id"], {**doc, OWN: before.get(OWN, []), **marks})


def mark(table: Any, marked: MomentMarked) -> None:
    """Note what became of the moments of a turn; success that is withdrawn is taken back."""
    doc, value = table.get(marked.id) or {"id": marked.id}, marked.value
    if marked.name in (OWN, DONE):
        value = sorted({*doc.get(marked.name, ()), value})
    if marked.name == REACHED and not value[0]:
        if doc.get(REACHED, value)[1] == value[1]:
            table.put(marked.id, {name: doc[name] for name in doc if name != REACHED})
    else:
        table.put(marked.id, {**doc, marked.name: value})

"""Lessons under test: told in the words of the session's variant, or held back."""

from learnloop.wire.session_recalls import arm

TYPE_CHECKING = False  # importing `typing` would double a hook's start-up
if TYPE_CHECKING:
    from learnloop.wire.relevance import Record
    from learnloop.wire.session_recalls import Arm

    Recalled = list[tuple[Record, int]]


def apart(recalled: "Recalled", session: str) -> "tuple[Recalled, Recalled]":
    """The lessons to tell, in the words of the session's variant, and those that are held back."""
    told, held = [], []
    for lesson, score in recalled:
        chosen = arm(lesson["trial"], session) if "trial" in lesson else None
        if chosen is None or chosen[2]:
            told.append((worded(lesson, chosen), score))
        else:
            held.append((lesson, score))
    return told, held


def worded(lesson: "Record", chosen: "Arm | None") -> "Record":
    """A lesson in the words of a variant."""
    if chosen is None or not chosen[3]:
        return lesson
    return {**{name: lesson[name] for name in lesson if name != "facts"}, "text": chosen[3]}


def receipt(lesson: "Record", score: int, session: str) -> "Record":
    """A lesson in a receipt, with its experiment and variant if it is under test."""
    entry: Record = {"id": lesson["id"], "score": score}
    if "trial" in lesson:
        entry["trial"], entry["arm"] = lesson["trial"]["id"], arm(lesson["trial"], session)[1]
    return entry

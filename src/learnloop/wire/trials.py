"""Which variant of an experiment a session gets: by a hash, so that it stays the same without any state."""

TYPE_CHECKING = False  # importing `typing` would double a hook's start-up
if TYPE_CHECKING:
    from typing import Any

    from learnloop.wire.relevance import Record

    Arm = list[Any]
    """[up to which percent, name, whether it tells, other words]"""

_WORD = (1 << 64) - 1
_PRIME = (1 << 61) - 1
_PARTS = 1_000_000


def arm(trial: "dict[str, Any]", session: str) -> "Arm":
    """The variant that a session gets; experiments with other salts draw independently of each other."""
    part = drawn(trial["salt"], session)
    arms: list[Arm] = trial["arms"]
    for each in arms:
        if part * 100 < each[0] * _PARTS:
            return each
    return arms[-1]


def drawn(salt: int, session: str) -> int:
    """A number below a million that is evenly spread over sessions (the finaliser of SplitMix64)."""
    number = int.from_bytes(session.encode("utf-8", "surrogatepass"), "big") % _PRIME ^ salt
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB), (31, 1)):
        number = (number ^ number >> shift) * factor & _WORD
    return number % _PARTS


def apart(
    recalled: "list[tuple[Record, int]]", session: str
) -> "tuple[list[tuple[Record, int]], list[tuple[Record, int]]]":
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

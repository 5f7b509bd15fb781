"""How lessons are put to an agent: plain facts with short ids, within a budget, never cut inside one."""

TYPE_CHECKING = False  # importing `typing` would double a hook's start-up
if TYPE_CHECKING:
    from collections.abc import Iterable

    from learnloop.wire.relevance import Record

HEADING = "Background from Learnloop, facts that this user has approved:"
STOPPED = "The call was stopped this once so that this is read first. Made again, it goes through."
CHARACTERS_A_TOKEN = 4
_SHORTEST = 24  # a lesson of a few words
_AROUND = 6  # line end, dash, space before the short id and its brackets
_MOST_CHARACTERS = 9_500  # a client shows the model a preview of anything above 10,000


def line(record: "Record") -> str:
    """A lesson as it is told."""
    return f"- {words(record)} ({record['short']})"


def words(record: "Record") -> str:
    """What is told of a lesson: with what its kind holds and, where it has them, its details."""
    said: str = record.get("facts") or record["text"]
    return f"{said} {record['more']}" if "more" in record else said


def brief(record: "Record") -> "Record":
    """A lesson that is told by its statement alone, as at the start of a session."""
    return {name: record[name] for name in record if name != "facts"} if "facts" in record else record


def room(tokens: int) -> int:
    """How many characters of one lesson a budget has room for, its short id taken along."""
    return min(tokens * CHARACTERS_A_TOKEN, _MOST_CHARACTERS) - len(HEADING) - _AROUND


def fit(records: "Iterable[Record]", tokens: int) -> "list[Record]":
    """The lessons for which a budget has room, in order; one that is too long is passed over.

    Details come second: room that is left goes to those of the first lessons, and whose details do not fit
    is told without them.
    """
    left = min(tokens * CHARACTERS_A_TOKEN, _MOST_CHARACTERS) - len(HEADING)
    told = []
    detailed = False
    for record in records:
        if left < _SHORTEST:
            break
        length = len(line(record)) + 1
        if "more" in record:
            length -= len(record["more"]) + 1
            detailed = True
        if length <= left:
            left -= length
            told.append(record)
    return with_details(told, left) if detailed else told


def every(records: "list[Record]", tokens: int) -> "list[Record]":
    """All of these lessons whatever the budget; of their details what it has room for."""
    room_left = tokens * CHARACTERS_A_TOKEN - len(text(map(without_details, records)))
    return with_details(records, room_left)


def with_details(told: "Iterable[Record]", left: int) -> "list[Record]":
    """The lessons, without the details for which no room is left in so many characters."""
    made = []
    for record in told:
        if "more" in record:
            length = len(record["more"]) + 1
            if length > left:
                record = without_details(record)
            else:
                left -= length
        made.append(record)
    return made


def without_details(record: "Record") -> "Record":
    """A lesson as it is told where there is no room for its details."""
    return {name: record[name] for name in record if name != "more"} if "more" in record else record


def text(records: "Iterable[Record]") -> str:
    """What the agent reads."""
    return "\n".join([HEADING, *map(line, records)])

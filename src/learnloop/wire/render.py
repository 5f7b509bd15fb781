"""The text that an agent reads: lessons with short ids, within a budget, never cut inside one."""

TYPE_CHECKING = False  # importing `typing` would double a hook's start-up
if TYPE_CHECKING:
    from collections.abc import Iterable

    from learnloop.wire.relevance import Record

HEADING = "The user's standing instructions for this project, approved by them:"
STOPPED = "The call was stopped this once so that this is read first. Made again, it goes through."
UNWANTED = (
    "This is the user's standing instruction, so the call was stopped before it ran. Do what it says instead."
    " Only if the user asked for this very call, make it again: it then goes through."
)
ALWAYS = (
    "This is the user's standing instruction, and the call is stopped every time. Do what it says instead, or"
    " ask the user: making it again changes nothing."
)
DUE = (
    "This is the user's standing instruction, and what was changed here still needs it. Do it now, then end."
    " If this change needs none of it, say so in one line and end: nobody asks again."
)
CHARACTERS_A_TOKEN = 4
_SHORTEST = 24  # a lesson of a few words
_AROUND = 6  # line end, dash, space before the short id and its brackets
_MOST_CHARACTERS = 9_500  # a client shows the model a preview of anything above 10,000


def line(record: "Record") -> str:
    """The line of a lesson."""
    return f"- {words(record)} ({record['short']})"


def words(record: "Record") -> str:
    """The words of a lesson: its statement and content, then its details if it has any."""
    words_: str = record.get("facts") or record["text"]
    return f"{words_} {record['more']}" if "more" in record else words_


def brief(record: "Record") -> "Record":
    """A lesson reduced to its statement, as at the start of a session."""
    return {name: record[name] for name in record if name != "facts"} if "facts" in record else record


def most_characters(tokens: int) -> int:
    """Characters that a budget leaves for one lesson, its short id included."""
    return min(tokens * CHARACTERS_A_TOKEN, _MOST_CHARACTERS) - len(HEADING) - _AROUND


def fit_budget(records: "Iterable[Record]", tokens: int) -> "list[Record]":
    """The lessons that fit into a budget, in order; one that is too long is skipped.

    Details come second: the rest of the budget goes to the details of the first lessons.
    """
    left = min(tokens * CHARACTERS_A_TOKEN, _MOST_CHARACTERS) - len(HEADING)
    chosen = []
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
            chosen.append(record)
    return with_details(chosen, left) if detailed else chosen


def fit_details(records: "list[Record]", tokens: int) -> "list[Record]":
    """All of these lessons whatever the budget; details only as far as it reaches."""
    room_left = tokens * CHARACTERS_A_TOKEN - len(text(map(without_details, records)))
    return with_details(records, room_left)


def with_details(records: "Iterable[Record]", left: int) -> "list[Record]":
    """The lessons, without the details that do not fit into so many characters."""
    fitting = []
    for record in records:
        if "more" in record:
            length = len(record["more"]) + 1
            if length > left:
                record = without_details(record)
            else:
                left -= length
        fitting.append(record)
    return fitting


def without_details(record: "Record") -> "Record":
    """A lesson without its details."""
    return {name: record[name] for name in record if name != "more"} if "more" in record else record


def answer(name: str, records: "list[Record]", stopped: str, found: "Iterable[str]" = ()) -> "Record":
    """What a hook answers at an event: the lessons as context, or why the agent is stopped with them.

    `found` is what of the call, or of what was said, breaks them.
    """
    what = "".join(f"Found: {' '.join(each.split())}\n" for each in found)
    if stopped == "remind":
        return {"decision": "block", "reason": reason(records, what + DUE)}
    if stopped:
        how = {"gate": STOPPED, "always": what + ALWAYS}.get(stopped, what + UNWANTED)
        why = reason(records, how)
        shown = {"permissionDecision": "deny", "permissionDecisionReason": why}
    else:
        shown = {"additionalContext": text(records)}
    return {"hookSpecificOutput": {"hookEventName": name, **shown}}


def reason(records: "list[Record]", explanation: str) -> str:
    """Why an agent was stopped: the lessons first, in the person's words, then what it is to do."""
    return "\n".join([*(f"{words(record)} ({record['short']})" for record in records), explanation])


def text(records: "Iterable[Record]") -> str:
    """The whole text: the heading, then a line per lesson."""
    return "\n".join([HEADING, *map(line, records)])

"""Secrets that what stands around them gives away, found by the rows of `secret_rows`.

Where a trigger stands in the text (small letters) and one of `near` close behind it, the row's pattern is matched
at the trigger. A row with `back` looks for both in so many characters before it. Its group is the secret if the row's judge says so.
`re` is loaded, and a pattern compiled, only there.
"""

from learnloop.wire import secret_loose, secret_places, secret_rows, secret_tokens
from learnloop.wire.secret_loose import ADDRESS, ALONE, DIGITS

TYPE_CHECKING = False  # what type checkers take for true; `typing` costs as much as the interpreter
if TYPE_CHECKING:
    from collections.abc import Iterator
    from re import Pattern

    from learnloop.wire.secret_rows import Row

    Patterns = dict[int, Pattern[str]]

REST = "rest"
_REMOVED = " removed]"
_NEAR, _FAR, _BEHIND, _ADDRESS = 48, 96, 64, 4_300
_ENDS_ADDRESS = " \n\"'<"
_MOST_TRIGGERS, _MOST_MATCHES = 3_000, 500
_LONG_LINE = 400
_NAMES = (secret_loose.PASSWORDS, secret_loose.TOKENS)
_COUNTED = (DIGITS, ALONE)
_OF_PATHS = "_/.:@-"
_OPEN = ("equal", "loose")
"""Groups of values that nothing closes: what is beyond the pattern's limit belongs to them."""


def spans(value: str, lowered: str, digits: str) -> "Iterator[tuple[int, int, str]]":
    """The secrets in a text with their names; `lowered` is the text in small letters, `digits` has 0 for each digit.

    No ordinary text has thousands of triggers. From there on it is removed whole: to look at it costs too much.
    """
    patterns: Patterns = {}
    if _REMOVED in lowered:
        lowered = _without_labels(lowered)
    for start, end in (*secret_places.in_calls(value, lowered), *secret_places.in_commands(value, lowered)):
        yield start, end, "secret"
    ends = [0] * len(secret_rows.ROWS)
    matches = 0
    triggers = _triggers(lowered, digits)
    for count, (at, end, index) in enumerate(triggers):
        if count > _MOST_TRIGGERS or matches > _MOST_MATCHES:
            yield at, len(value), REST
            return
        row = secret_rows.ROWS[index]
        if at < ends[index] or (
            row[2] and not _is_near(digits if row[2] in _COUNTED else lowered, at, end, row)
        ):
            continue
        matches += 1
        start, ends[index] = _matched(value, at, row, _pattern(patterns, index))
        if ends[index]:
            yield start, ends[index], row[0]
    names = {at for at, _, index in triggers if secret_rows.ROWS[index][1] in _NAMES}
    if heads := sorted(at for at in names if _is_in_head(value, at)):
        for start, end in secret_places.columns(value, heads):
            yield start, end, "secret"


def _is_in_head(value: str, at: int) -> bool:
    """Whether the line of a place and the next one have as many of a sign that parts columns, or blanks."""
    stop = value.find("\n", at)
    if stop < 0:
        return False
    head = value[max(0, value.rfind("\n", 0, at)) : stop][:_LONG_LINE]
    row = value[stop + 1 : stop + _LONG_LINE].partition("\n")[0]
    return ("  " in head.strip() and "  " in row.strip()) or any(
        0 < head.count(sign) == row.count(sign) for sign in "|\t;,"
    )


def _without_labels(lowered: str) -> str:
    """The text with blanks for the names of secrets that are removed already."""
    parts = lowered.split(_REMOVED)
    for at, part in enumerate(parts[:-1]):
        start = part.rfind("[")
        parts[at] = part[:start] + " " * (len(part) - start) if start >= 0 else part
    return (" " * len(_REMOVED)).join(parts)


def _triggers(lowered: str, digits: str) -> "list[tuple[int, int, int]]":
    """Where triggers begin and end, and of which row they are, in the order of the text."""
    is_there: dict[tuple[str, ...], bool] = {(): True}
    places: dict[tuple[str, ...], list[tuple[int, int]]] = {}
    triggers = []
    for index, (_, words, near, *_rest) in enumerate(secret_rows.ROWS):
        if near not in is_there:
            is_there[near] = any(map((digits if near in _COUNTED else lowered).__contains__, near))
        if is_there[near]:
            if words not in places:
                places[words] = [
                    place for word in words if word in lowered for place in _places(lowered, word)
                ]
            triggers += [(at, end, index) for at, end in places[words]]
    triggers.sort()
    return triggers


def _places(lowered: str, trigger: str) -> "Iterator[tuple[int, int]]":
    at = lowered.find(trigger)
    while at >= 0:
        yield at, at + len(trigger)
        at = lowered.find(trigger, at + len(trigger))


def _is_near(lowered: str, at: int, end: int, row: "Row") -> bool:
    if row[2] is ADDRESS:
        sign = lowered.find("@", end, end + _ADDRESS)
        return sign >= 0 and not any(map(lowered[end:sign].__contains__, _ENDS_ADDRESS))
    if row[2] is ALONE and at and (lowered[at - 1].isalnum() or lowered[at - 1] in _OF_PATHS):
        return False
    if row[5]:
        window = lowered[max(0, at - row[5]) : at]
    else:
        window = lowered[end : end + (_FAR if row[2] in _COUNTED else _NEAR)].partition(". ")[0]
    return any(map(window.__contains__, row[2]))


def _pattern(patterns: "Patterns", index: int) -> "Pattern[str]":
    if index not in patterns:
        import re

        patterns[index] = re.compile(secret_rows.ROWS[index][4], re.DOTALL | re.ASCII)
    return patterns[index]


def _matched(value: str, at: int, row: "Row", pattern: "Pattern[str]") -> tuple[int, int]:
    """Where the secret of a row is that is triggered at a place; 0 and 0 where there is none."""
    back = row[5]
    match = pattern.search(value, max(0, at - back), at + _BEHIND) if back else pattern.match(value, at)
    if match is None:
        return 0, 0
    group = (match.lastgroup or "").rstrip("234")
    start, end = match.span(match.lastindex or 0)
    if not row[3](value[start:end], group):
        return 0, 0
    if group in _OPEN:
        end = secret_tokens.run_end(value, end, secret_tokens.BASE64)
        end -= end - start > 1 and value[end - 1] == "."
    return start, end

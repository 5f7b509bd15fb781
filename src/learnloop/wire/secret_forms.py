"""Secrets that what stands around them gives away, found by the rows of `secret_rows`.

Where a trigger stands in the text (small letters) and one of `near` close behind it, the row's pattern is matched
at the trigger, or searched from `back` characters before it. Its group is the secret if the row's judge says so.
`re` is loaded, and a pattern compiled, only there.
"""

from learnloop.wire import secret_rows, secret_tokens

TYPE_CHECKING = False  # what type checkers take for true; `typing` costs as much as the interpreter
if TYPE_CHECKING:
    from collections.abc import Iterator
    from re import Pattern

    from learnloop.wire.secret_rows import Row

    Patterns = dict[int, Pattern[str]]

REST = "rest"
_NEAR, _BEHIND = 48, 64
_MOST_TRIGGERS, _MOST_MATCHES = 3_000, 500
_OPEN = ("equal", "loose")
"""Groups of values that nothing closes: what is beyond the pattern's limit belongs to them."""


def spans(value: str, lowered: str) -> "Iterator[tuple[int, int, str]]":
    """The secrets in a text with their names; `lowered` is the text in small letters.

    No ordinary text has thousands of triggers. From there on it is removed whole: to look at it costs too much.
    """
    patterns: Patterns = {}
    ends = [0] * len(secret_rows.ROWS)
    matches = 0
    for count, (at, end, index) in enumerate(_triggers(lowered)):
        if count > _MOST_TRIGGERS or matches > _MOST_MATCHES:
            yield at, len(value), REST
            return
        row = secret_rows.ROWS[index]
        if at < ends[index] or (row[2] and not _is_near(lowered, end, row[2])):
            continue
        matches += 1
        start, ends[index] = _matched(value, at, row, _pattern(patterns, index))
        if ends[index]:
            yield start, ends[index], row[0]


def _triggers(lowered: str) -> "list[tuple[int, int, int]]":
    """Where triggers begin and end, and of which row they are, in the order of the text."""
    places: dict[str, list[tuple[int, int]]] = {}
    triggers = []
    for index, row in enumerate(secret_rows.ROWS):
        for trigger in row[1]:
            if trigger not in places:
                places[trigger] = [*_places(lowered, trigger)]
            triggers += [(at, end, index) for at, end in places[trigger]]
    triggers.sort()
    return triggers


def _places(lowered: str, trigger: str) -> "Iterator[tuple[int, int]]":
    at = lowered.find(trigger)
    while at >= 0:
        yield at, at + len(trigger)
        at = lowered.find(trigger, at + len(trigger))


def _is_near(lowered: str, start: int, signs: "tuple[str, ...]") -> bool:
    window = lowered[start : start + _NEAR].partition(". ")[0]
    return any(sign in window for sign in signs)


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

"""The filter language of lists: `status:draft kind:pattern prio:>=high seen:>2 "text"`. Pure.

A row has to match every part: a field with a value, a quoted text, or a word. `-` before a part negates it, a
comma in a value means either. A half-typed part is read as far as it goes, and a part that is not understood
is reported and left out, so no line is an error. Lists of other things than lessons have their own fields.
"""

import operator
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from typing import Any, NamedTuple, TypeVar

from learnloop.errors import Refused
from learnloop.wire import clock

MOST = 1_000
"""Characters of a filter that are read."""
MOST_PARTS = 32
"""Parts of a line, and values of a field, that are read: a pasted text must not cost more than a filter."""
PRIORITIES = ("low", "medium", "high", "critical")
_DAY_MS = 86_400_000
_UNITS = {"h": 3_600_000, "d": _DAY_MS, "w": 7 * _DAY_MS, "m": 30 * _DAY_MS}
_NUMBER = re.compile(r"^(>=|<=|>|<|=)?(\d+)$")
_AGE = re.compile(r"^(>=|<=|>|<|=)?(\d+)([hdwm])$")
_DAY = re.compile(r"^(>=|<=|>|<|=)?(\d{4}-\d{2}-\d{2})$")
_RANK = re.compile(r"^(>=|<=|>|<|=)?([a-z]+)$")
_LAST = re.compile(r'(?:[^\s"]|"[^"]*"?)*$')
_PART = re.compile(r'(-?)([A-Za-z]+):(?=\s|$)|(-?)(?:([A-Za-z]+):)?(?:"([^"]*)"?|(\S+))')
_COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    ">": operator.gt, ">=": operator.ge, "<": operator.lt, "<=": operator.le, "=": operator.eq,
}  # fmt: skip

Test = Callable[[Any], bool]
Row = TypeVar("Row")


class FilterField(NamedTuple):
    """A property of rows that a filter can name."""

    name: str
    kind: str
    """word, number, rank or age."""
    help: str
    example: str
    read: Callable[[Any], Any]
    """The value, or the values, of a row."""
    values: tuple[str, ...] = ()
    """The possible values, of ranks the lowest first; empty: the values in the rows."""
    is_stored: bool = False
    """Whether a row's value stands in what is stored as it is: what lacks it need not be read."""


def _flags(row: Any) -> tuple[str, ...]:
    flags = (
        ("external", row.trust == "external"), ("claimed", bool(row.claimed)),
        ("paused", row.paused), ("needs-words", row.needs_words),
        ("proposed", bool(row.proposal)), ("global", row.scope == "global"),
        ("discovery", row.verified is not None), ("backfilled", row.backfilled),
        ("taken-in", row.taken),
    )  # fmt: skip
    return tuple(name for name, holds in flags if holds)


FIELDS: tuple[FilterField, ...] = (
    FilterField("status", "word", "the state of a lesson", "status:draft", lambda row: row.state,
          ("draft", "active", "paused", "archived", "rejected")),
    FilterField("kind", "word", "what kind of lesson it is", "kind:checklist,pattern", lambda row: row.kind,
          ("checklist", "pattern", "warning", "requirement", "preference", "fact")),
    FilterField("prio", "rank", "how much it matters", "prio:>=high",
          lambda row: row.priority.lower(), PRIORITIES),
    FilterField("project", "word", "the project's folder or repository", "project:shop",
          lambda row: (row.folder, getattr(row, "repo", ""))),
    FilterField("category", "word", "its subject", "category:testing", lambda row: row.category),
    FilterField("agent", "word", "the agent that it came from or is for", "agent:reviewer",
          lambda row: row.agents),
    FilterField("origin", "word", "where it comes from", "origin:import", lambda row: row.origin),
    FilterField("source", "word", "the rule or file that made it", "source:told", lambda row: row.source),
    FilterField("trust", "word", "whose words they are", "trust:agent", lambda row: row.trust,
          ("user", "agent", "external")),
    FilterField("scope", "word", "where it applies", "scope:global", lambda row: row.scope,
          ("global", "project", "module")),
    FilterField("is", "word", "what else is true of it", "is:needs-words", _flags,
          ("external", "claimed", "paused", "needs-words", "proposed", "global", "discovery",
           "backfilled", "taken-in")),
    FilterField("seen", "number", "how often it was seen", "seen:>2", lambda row: row.seen),
    FilterField("verified", "number", "how often it was verified", "verified:>0", lambda row: row.verified),
    FilterField("recalled", "number", "how often it was recalled", "recalled:0", lambda row: row.recalled),
    FilterField("chance", "word", "how likely it is that you keep it", "chance:likely,maybe",
          lambda row: row.chance, ("likely", "maybe", "weak")),
    FilterField("strength", "number", "the same as a number, 0–100", "strength:>=70",
          lambda row: row.strength),
    FilterField("use", "number", "how well its recalls went, 0–100", "use:<50", lambda row: row.use),
    FilterField("created", "age", "how long ago, or since which day", "created:<7d", lambda row: row.created),
)  # fmt: skip
"""Every field, in the order of the help."""
_ALIASES = {
    "state": "status", "priority": "prio", "told": "recalled", "usefulness": "use", "rule": "source",
}  # fmt: skip


def field_named(name: str, fields: Sequence[FilterField] = FIELDS) -> FilterField | None:
    """The field of that name, or of another name for it."""
    low = name.lower()
    names = (low, _ALIASES.get(low, low))
    return next((field for field in fields if field.name in names), None)


def haystack_of(row: Any) -> str:
    """The text of a row that words are searched in."""
    return str(row.haystack)


class Query(NamedTuple):
    """A parsed filter."""

    tests: tuple[Test, ...]
    problems: tuple[str, ...] = ()
    """A sentence for each part that was not understood."""
    words: tuple[str, ...] = ()
    """What the text of every matching row contains, in lower case."""

    def matches(self, row: Any) -> bool:
        """Whether a row matches every part."""
        return all(test(row) for test in self.tests)

    def select(self, rows: Iterable[Row]) -> tuple[Row, ...]:
        """The rows that match every part, in their order."""
        for test in self.tests:
            rows = filter(test, rows)
        return tuple(rows)


class _Reader(NamedTuple):
    fields: Sequence[FilterField]
    text_of: Callable[[Any], str]
    now_ms: int
    problems: list[str]


def parse(
    text: str, now_ms: int, fields: Sequence[FilterField] = FIELDS,
    text_of: Callable[[Any], str] = haystack_of,
) -> Query:  # fmt: skip
    """Parse a line over rows with those fields; words are searched in `text_of`. Never raises."""
    reader = _Reader(fields, text_of, now_ms, [])
    if len(text) > MOST:
        reader.problems.append(f"only the first {MOST:,} characters are read")
    parts = dict.fromkeys(_PART.findall(text[:MOST]))
    if len(parts) > MOST_PARTS:
        reader.problems.append(f"only the first {MOST_PARTS} parts are read")
    read = (_part(reader, *part) for part in list(parts)[:MOST_PARTS])
    tests = tuple(test for test in read if test is not None)
    plain = tuple(filter(None, (_stored_word(fields, *part) for part in list(parts)[:MOST_PARTS])))
    return Query(tests, tuple(reader.problems), plain)


def _stored_word(
    fields: Sequence[FilterField], no_begun: str, begun: str, no: str, name: str, quoted: str, word: str
) -> str:
    """What has to stand in what is stored of a matching row; empty where a part says nothing of it."""
    value, field = (quoted or word).lower(), field_named(name, fields) if name else None
    is_open = bool(no_begun or begun or no) or (bool(name) and not (field and field.is_stored))
    return "" if is_open or (name and "," in value) else value


def understood(query: Query) -> Query:
    """The query; raises Refused with the first part that is not understood."""
    if query.problems:
        raise Refused(
            f"the filter is not understood: {query.problems[0]}", "docs/filter.md lists what it knows"
        )
    return query


def split_words(text: str) -> tuple[str, str]:
    """The words that rows have to have, and the line without them."""
    words = [match[5] or match[6] for match in _PART.finditer(text[:MOST]) if _is_word(match)]
    return " ".join(words), _PART.sub(lambda match: "" if _is_word(match) else match[0], text[:MOST])


def naming(text: str, fields: Iterable[str]) -> str:
    """The parts of a line that name one of some fields."""
    parts = islice(_PART.finditer(text[:MOST]), MOST_PARTS)
    return " ".join(match[0] for match in parts if (match[4] or "").lower() in fields)


def trait_tests(
    text: str, fields: Sequence[FilterField], traits: Collection[str]
) -> Iterator[tuple[str, Test]]:
    """What the parts of a line that name some traits ask of their stored values; of times, of UTC days."""
    for field in fields:
        parts = naming(text, (field.name,)) if field.name in traits else ""
        query = parse(parts, clock.now_ms(), [field._replace(read=lambda value: value)])
        if query.tests:
            yield field.name, partial(_on_day, query) if field.kind == "age" else query.matches


def _on_day(query: Query, day: str) -> bool:
    """Whether a time of a UTC day may match: then the day's begin or its end does."""
    return query.matches(f"{day}T00:00:00.000Z") or query.matches(f"{day}T23:59:59.999Z")


def _is_word(match: re.Match[str]) -> bool:
    return not (match[2] or match[3] or match[4])


def _part(
    reader: _Reader, no_begun: str, begun: str, no: str, name: str, quoted: str, word: str
) -> Test | None:
    if begun:  # a field whose value is not typed yet is left open
        test = None if field_named(begun, reader.fields) else _contains(reader, f"{begun}:")
    else:
        value = quoted or word
        test = _test(reader, name, value) if value else None
    if test is None or not (no_begun or no):
        return test
    return lambda row: not test(row)


def _test(reader: _Reader, name: str, value: str) -> Test | None:
    if not name:
        return _contains(reader, value)
    field = field_named(name, reader.fields)
    if field is None:
        return _unknown(reader, name, value)
    test = _MAKERS[field.kind](field, value.lower(), reader.now_ms)
    if test is None:
        reader.problems.append(f"{field.name}: {_expectation(field)}")
    return test


def _unknown(reader: _Reader, name: str, value: str) -> Test | None:
    """A mistyped field is left out; what resembles none is text with a colon, as in `https://…`."""
    from difflib import get_close_matches

    close = get_close_matches(name.lower(), [field.name for field in reader.fields], 1)
    if close:
        reader.problems.append(f"{name}: is no field, {close[0]}: is; left out")
        return None
    if not value.startswith("/"):
        reader.problems.append(f"{name}: is no field; searched as it is")
    return _contains(reader, f"{name}:{value}")


def _expectation(field: FilterField) -> str:
    """Which values a field takes, for a message about another value."""
    if field.values:
        values = reversed(field.values) if field.kind == "rank" else field.values
        return f"knows {', '.join(values)}"
    wants = {"number": "a number", "age": "an age or a day"}.get(field.kind, "a value")
    return f"wants {wants}, as in {field.example}"


def _contains(reader: _Reader, word: str) -> Test:
    low, text_of = word.lower(), reader.text_of
    if text_of is haystack_of:
        return lambda row: low in row.haystack
    return lambda row: low in text_of(row)


def _words(field: FilterField, value: str, _now: int) -> Test | None:
    parts = tuple(dict.fromkeys(part for part in value.split(",") if part))[:MOST_PARTS]
    unknown = [part for part in parts if not any(each.startswith(part) for each in field.values)]
    if not parts or (field.values and unknown):
        return None
    read = field.read

    def starts_with(row: Any) -> bool:
        values = read(row)
        if isinstance(values, str):
            return values.startswith(parts)
        return any(each.startswith(parts) for each in values)

    def contains(row: Any) -> bool:
        values = read(row)
        text = values.lower() if isinstance(values, str) else "\0".join(values).lower()
        return any(part in text for part in parts)

    return starts_with if field.values else contains


def _numbers(field: FilterField, value: str, _now: int) -> Test | None:
    match = _NUMBER.match(value)
    if match is None:
        return None
    compare, number, read = _COMPARE[match[1] or "="], int(match[2]), field.read
    return lambda row: (row_number := read(row)) is not None and compare(row_number, number)


def _ranks(field: FilterField, value: str, _now: int) -> Test | None:
    match = _RANK.match(value)
    ranks = {name: at for at, name in enumerate(field.values)}
    place = next((at for name, at in ranks.items() if match and name.startswith(match[2])), None)
    if match is None or place is None:
        return None
    compare, read = _COMPARE[match[1] or "="], field.read
    return lambda row: (rank := ranks.get(read(row))) is not None and compare(rank, place)


def _ages(field: FilterField, value: str, now_ms: int) -> Test | None:
    """`<7d`: younger than seven days; `>2026-11-01`: made after that day."""
    read = field.read
    if match := _DAY.match(value):
        day, holds = match[2], _COMPARE[match[1] or "="]
        return lambda row: holds(read(row)[:10], day)
    if match := _AGE.match(value):
        span = min(int(match[2]) * _UNITS[match[3]], now_ms)
        since = clock.iso(now_ms - span)[:19]
        younger = (match[1] or "<") in ("<", "<=")
        return lambda row: (read(row)[:19] >= since) == younger
    return None


_MAKERS: dict[str, Callable[[FilterField, str, int], Test | None]] = {
    "word": _words, "number": _numbers, "rank": _ranks, "age": _ages,
}  # fmt: skip


def completions(
    text: str, held: Callable[[FilterField], Iterable[str]], fields: Sequence[FilterField] = FIELDS
) -> list[str]:
    """Completions of the last word: fields, or values that the field knows or the rows have."""
    last = last_word(text)
    minus = "-" if last.startswith("-") else ""
    name, colon, value = last.removeprefix("-").partition(":")
    if not colon:
        return [f"{minus}{field.name}:" for field in fields if name and field.name.startswith(name.lower())]
    field = field_named(name, fields)
    if field is None or (not field.values and field.kind != "word"):
        return []
    done, comma, begun = value.rpartition(",")
    sign = re.match(r"^[<>=]*", begun)
    lead = f"{minus}{name}:{done}{comma}{sign[0] if sign else ''}"
    begun = begun.lstrip("<>=").strip('"').lower()
    choices = field.values or (choice for choice in held(field) if choice)
    return [
        lead + (f'"{choice}"' if any(map(str.isspace, choice)) else choice)
        for choice in choices
        if choice.lower().startswith(begun) and choice.lower() != begun
    ]


def last_word(text: str) -> str:
    """The word that is being typed: after the last space outside quotes."""
    match = _LAST.search(text)
    return match[0] if match else ""

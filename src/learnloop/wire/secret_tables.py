"""Secrets in the columns of a table whose head names them: Markdown, CSV, tabs, and columns of blanks."""

from learnloop.wire.secret_loose import PASSWORD, TOKEN
from learnloop.wire.secret_values import random, telling

TYPE_CHECKING = False  # what type checkers take for true; `typing` costs as much as the interpreter
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

_BLANKS = "  "
_SIGNS = ("|", "\t", ";", ",", _BLANKS)
_MOST_HEADS, _MOST_ROWS, _LONG_LINE, _LONG_HEAD, _LEAST = 8, 40, 400, 24, 5
_AROUND = " \t\"'`*"


def spans(value: str, names: "Sequence[int]") -> "Iterator[tuple[int, int]]":
    """Where the values of a column are whose head has a name at one of some places."""
    for at in names[:_MOST_HEADS]:
        start = value.rfind("\n", 0, at) + 1
        stop = value.find("\n", at)
        head = value[start : min(stop, start + _LONG_LINE)]
        sign = next((each for each in _SIGNS if each in head.strip()), "")
        if sign:
            yield from _column(value, stop + 1, head, at - start, sign)


def _column(value: str, start: int, head: str, place: int, sign: str) -> "Iterator[tuple[int, int]]":
    """Where the values are below the cell of a head that has a name at a place."""
    before = head[:place].rpartition(sign)[0] + sign if sign in head[:place] else ""
    is_secret = _judge(head[len(before) :].partition(sign)[0].strip(_AROUND))
    if is_secret is None:
        return
    for line in value[start : start + _MOST_ROWS * _LONG_LINE].split("\n")[:_MOST_ROWS]:
        if sign not in line.strip() or (sign != _BLANKS and line.count(sign) != head.count(sign)):
            return
        left = _left_of(line, head, before, sign)
        cell = line[left:].partition(sign)[0]
        word = cell.strip(_AROUND)
        is_word = len(word) >= _LEAST and not word.split()[1:] and any(map(str.isalpha, word))
        if is_word and is_secret(word, "loose"):
            at = start + left + cell.index(word)
            yield at, at + len(word)
        start += len(line) + 1


def _left_of(line: str, head: str, before: str, sign: str) -> int:
    """Where the cell of a line begins that stands below the one behind `before`."""
    if sign == _BLANKS:
        return len(head) - len(head[len(before) :].lstrip())
    cells = line.split(sign)[: before.count(sign)]
    return sum(map(len, cells)) + len(cells) * len(sign)


def _judge(title: str) -> "Callable[[str, str], bool] | None":
    """Who says whether a value below a title is a secret; None where the title names none."""
    import re

    if len(title) > _LONG_HEAD:
        return None
    if re.fullmatch(rf"[\w .-]{{0,16}}?{PASSWORD}\W?", title, re.ASCII):
        return telling
    return random if re.fullmatch(rf"[\w .-]{{0,16}}?{TOKEN}\W?", title, re.ASCII) else None

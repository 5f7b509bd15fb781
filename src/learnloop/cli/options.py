"""Options that several verbs share, and how their values are read."""

from __future__ import annotations

import re
from argparse import ArgumentParser, ArgumentTypeError
from typing import TYPE_CHECKING, NoReturn

from learnloop.cli import failures, output
from learnloop.errors import NotFound, Refused
from learnloop.wire import project as wire_project

if TYPE_CHECKING:
    from collections.abc import Sequence

_LESSON_ID = "a lesson's id, or the first 4 characters or more"

_PARTS = {"d": 86400, "h": 3600, "m": 60, "s": 1}
_DURATION = re.compile(r"(?:\d+[dhms])+")


def add_json(parser: ArgumentParser) -> None:
    """`--json`: one JSON document on stdout and nothing else."""
    parser.add_argument("--json", action="store_true", help="print one JSON document and nothing else")


def add_limit(parser: ArgumentParser, default: int) -> None:
    """`--limit N`, with its default."""
    parser.add_argument(
        "--limit", type=positive, default=default, metavar="N", help=f"show at most N (default {default})"
    )


def add_none(parser: ArgumentParser) -> None:
    """Nothing, for verbs without options."""


def add_id(parser: ArgumentParser, dest: str = "id") -> None:
    """The id of one lesson."""
    parser.add_argument(dest, metavar="ID", help=_LESSON_ID)


def add_ids(parser: ArgumentParser) -> None:
    """The ids of lessons, at least one."""
    parser.add_argument("ids", nargs="+", metavar="ID", help=_LESSON_ID)


def shown_id(words: Sequence[str], pattern: str) -> str:
    """The id in `ID` or `show ID`, where words have its look; else they are a filter, and it is empty."""
    named = words[-1] if len(words) == 1 or (len(words) == 2 and words[0] == "show") else ""
    return named if re.fullmatch(pattern, named) else ""


def positive(text: str) -> int:
    """A whole number above zero; raises ArgumentTypeError for anything else."""
    if not text.isascii() or not text.isdigit() or int(text) < 1:
        raise ArgumentTypeError(f"{text!r} is not a number above 0")
    return int(text)


def share(text: str) -> float:
    """A share from 0 to 100, as 0–1; raises ArgumentTypeError for anything else."""
    return _number(text, 1)


def score(text: str) -> float:
    """A score from 0 to 200, as 0–2; raises ArgumentTypeError for anything else."""
    return _number(text, 2)


def _number(text: str, most: int) -> float:
    """A number of hundredths; scripts may give it as a fraction too."""
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 100 * most:
        raise ArgumentTypeError(f"{text!r} is not a number between 0 and {100 * most}")
    return value if value <= most else value / 100


def duration(text: str) -> int:
    """Seconds from `90s`, `30m`, `1h`, `1h30m` or `2d`; raises ArgumentTypeError for anything else."""
    if not text.isascii() or not _DURATION.fullmatch(text):
        raise ArgumentTypeError(f"{text!r} is not a time such as 30m, 1h or 2d")
    seconds = sum(int(number) * _PARTS[unit] for number, unit in re.findall(r"(\d+)([dhms])", text))
    if not 0 < seconds <= 365 * 86400:
        raise ArgumentTypeError(f"{text!r} is not between a second and a year")
    return seconds


def project_of(path: str) -> str:
    """The project that a folder belongs to; raises NotFound for a missing folder."""
    from pathlib import Path

    folder = Path(path).expanduser().resolve()
    if not folder.is_dir():
        raise NotFound(f"there is no folder {path}", "name the project by its folder")
    return wire_project.find(str(folder))


def project_named(path: str) -> str:
    """As `project_of`, but a folder that no longer exists is taken as written: its records remain."""
    try:
        return project_of(path)
    except NotFound:
        from pathlib import Path

        return str(Path(path).expanduser().resolve())


def numbers(answer: str, most: int) -> list[int]:
    """The numbers in an answer such as `1 3 5-7` or `all`; raises Refused for anything else."""
    if answer.lower() == "all":
        return list(range(1, most + 1))
    chosen: list[int] = []
    for part in answer.replace(",", " ").split():
        first, _, last = part.partition("-")
        if not (first.isdecimal() and (last or first).isdecimal()):
            raise Refused(f"{part!r} is no number of the list", "answer with numbers, or all")
        chosen += range(int(first), int(last or first) + 1)
    if not chosen or min(chosen) < 1 or max(chosen) > most:
        raise Refused("nothing was chosen", f"answer with numbers from 1 to {most}, or all")
    return list(dict.fromkeys(chosen))


def ask_numbers(question: str, most: int, default: str = "") -> list[int]:
    """The numbers that a person answers with; at a terminal a wrong answer is asked again.

    Raises Refused for a wrong answer from elsewhere.
    """
    while True:
        answer = output.ask(question)
        try:
            return numbers(answer or default, most)
        except Refused as error:
            if not (answer and output.can_ask()):
                raise
            failures.print_error(error.message, error.hint)


def wrong_usage(what: str, prog: str) -> NoReturn:
    """Print what is wrong and exit with 2, as the parser does; raises SystemExit."""
    failures.print_error(what, f"see: {prog} --help")
    raise SystemExit(2)

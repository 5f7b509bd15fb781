"""What readers of other tools' files give: pieces with where they stood, and what was left out and why."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from learnloop.errors import Unreadable

MOST_BYTES = 20_000_000
Doc = dict[str, Any]


@dataclass(frozen=True)
class Piece:
    """One thing to learn, as another tool kept it."""

    rule: str
    """Its origin, as a lesson's source says it: `import:reflect`."""
    words: str
    """What was said; a statement is made of it where `fields` has none."""
    place: str
    """The file, and the line in it."""
    fields: Doc = field(default_factory=dict)
    """By the names of the process-knowledge schema, or of discoveries."""
    ts: str = ""
    project: str = ""
    context: str = ""


@dataclass
class Reading:
    """What a file or folder held."""

    pieces: list[Piece] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)
    """Place and reason of each thing that could not be taken."""
    feedback: list[Doc] = field(default_factory=list)
    agents: list[Doc] = field(default_factory=list)

    def skip(self, place: str, reason: str) -> None:
        """Note what is left out."""
        self.skipped.append(f"{place}: {reason}")


def text_of(path: Path) -> str:
    """A file's text; raises Unreadable where it is none, or larger than 20 MB."""
    try:
        if path.stat().st_size > MOST_BYTES:
            raise Unreadable(f"{path} is larger than 20 MB", "give the file that the other tool wrote")
        return path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise Unreadable(
            f"{path}: {(error.strerror or 'cannot be read').lower()}", "name another file"
        ) from None
    except UnicodeDecodeError:
        raise Unreadable(f"{path} is no text", "give the file that the other tool wrote") from None


def json_of(path: Path) -> Any:
    """A JSON file's value; raises Unreadable where it is none."""
    try:
        return json.loads(text_of(path))
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"{path} is not JSON ({error})", "give the file that the other tool wrote") from None


def json_lines(path: Path, reading: Reading) -> Iterator[tuple[int, Doc]]:
    """The objects of a JSONL file with their line numbers; other lines are noted as left out."""
    for number, line in enumerate(text_of(path).split("\n"), 1):
        if not line.strip():
            continue
        try:
            found = json.loads(line)
        except (ValueError, RecursionError):
            found = None
        if isinstance(found, dict):
            yield number, found
        else:
            reading.skip(f"{path}:{number}", "is no JSON object")


def words_of(value: Any, most: int = 2000) -> str:
    """A text on one line; nothing for anything else."""
    return " ".join(value.split())[:most] if isinstance(value, str) else ""

"""What is read of another tool's files: items with their places, and what was left out and why."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from learnloop.errors import Unreadable
from learnloop.wire import regular

MOST_BYTES = 20_000_000
Doc = dict[str, Any]


@dataclass(frozen=True)
class ImportItem:
    """One thing to learn, as another tool stored it."""

    rule: str
    """The origin, which becomes the lesson's source: `import:reflect`."""
    words: str
    """The person's words; a statement is made of them where `fields` has none."""
    place: str
    """The file, and the line in it."""
    fields: Doc = field(default_factory=dict)
    """By the names of the process-knowledge schema, or of discoveries."""
    ts: str = ""
    project: str = ""
    context: str = ""


@dataclass
class ImportBatch:
    """The content of a file or folder."""

    items: list[ImportItem] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)
    """Place and reason of each thing that was left out."""
    feedback: list[Doc] = field(default_factory=list)
    agents: list[Doc] = field(default_factory=list)

    def skip(self, place: str, reason: str) -> None:
        """Note that something is left out."""
        self.skipped.append(f"{place}: {reason}")


def files_in(folder: Path, pattern: str, batch: ImportBatch) -> list[Path]:
    """The files of a folder that match; a link in it may lead anywhere, so it is left out by name."""
    files = []
    for path in sorted(folder.glob(pattern)):
        if path.resolve() == folder.resolve() / path.relative_to(folder):
            files.append(path)
        else:
            batch.skip(str(path), "is a link")
    return files


def text_of(path: Path) -> str:
    """A file's text; raises Unreadable where it cannot be read, is no UTF-8 or is larger than 20 MB."""
    try:
        data = regular.read(str(path), MOST_BYTES + 1)
        if len(data) > MOST_BYTES:
            raise Unreadable(f"{path} is larger than 20 MB", "give the file that the other tool wrote")
        return data.decode("utf-8-sig")
    except OSError as error:
        reason = (error.strerror or "cannot be read").lower()
        raise Unreadable(f"{path}: {reason}", "name another file") from None
    except UnicodeDecodeError:
        raise Unreadable(f"{path} is no text", "give the file that the other tool wrote") from None


def json_of(path: Path, kind: type, name: str) -> Any:
    """The value of a JSON file; raises Unreadable where it is not JSON, or not of that kind."""
    try:
        value = json.loads(text_of(path))
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"{path} is not JSON ({error})", "give the file that the other tool wrote") from None
    if not isinstance(value, kind):
        raise Unreadable(f"{path} is no {name}", "give the file that the other tool wrote")
    return value


def json_lines(path: Path, batch: ImportBatch) -> Iterator[tuple[int, Doc]]:
    """The objects of a JSONL file with their line numbers; other lines are noted as left out."""
    for number, line in enumerate(text_of(path).split("\n"), 1):
        if not line.strip():
            continue
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            value = None
        if isinstance(value, dict):
            yield number, value
        else:
            batch.skip(f"{path}:{number}", "is no JSON object")


def words_of(value: Any, most: int = 2000) -> str:
    """A text on one line, cut; empty for any other value."""
    return " ".join(value.split())[:most] if isinstance(value, str) else ""

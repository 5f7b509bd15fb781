"""What other tools keep: LEARNED.md, AGENTS.md, CLAUDE.md, auto-memory, claude-reflect's queue, notepads.

Each reader yields items with their places, and what was left out and why.
"""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from learnloop.errors import Unreadable
from learnloop.learn.language import bullets as markdown_items
from learnloop.wire import regular

BULLETS, MEMORY, REFLECT, NOTEPAD = "import:bullets", "import:memory", "import:reflect", "import:notepad"
MOST_BYTES = 20_000_000
_WRITTEN = "give the file that the other tool wrote"
_INDEX = re.compile(r"^\[[^\]]*\]\([^)]*\.md\)")
_H3 = re.compile(r"^### +(.+)$", re.M)
_LEAST_WORDS = 3
_MOST_CHARS = 500
_MOST_FILES = 500
_CATEGORIES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("performance", ("performance", "slow", "optimize")), ("workaround", ("workaround", "hack", "fix")),
    ("pattern", ("pattern", "convention", "style")), ("gotcha", ("gotcha", "careful", "warning")),
    ("dependency", ("dependency", "package", "install")),
    ("configuration", ("config", "environment", "setting")),
)  # fmt: skip
"""The first category with one of its words in the text counts."""


@dataclass(frozen=True)
class ImportItem:
    """One thing to learn, as another tool stored it."""

    rule: str
    """The origin, which becomes the lesson's source: `import:reflect`."""
    words: str
    """The person's words; a statement is made of them where `fields` has none."""
    place: str
    """The file, and the line in it."""
    fields: dict[str, str] = field(default_factory=dict)
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
            raise Unreadable(f"{path} is larger than 20 MB", _WRITTEN)
        return data.decode("utf-8-sig")
    except OSError as error:
        reason = (error.strerror or "cannot be read").lower()
        raise Unreadable(f"{path}: {reason}", "name another file") from None
    except UnicodeDecodeError:
        raise Unreadable(f"{path} is no text", _WRITTEN) from None


def _words(value: object, most: int = 2000) -> str:
    """A text on one line, cut; empty for any other value."""
    return " ".join(value.split())[:most] if isinstance(value, str) else ""


def reflect(path: Path) -> ImportBatch:
    """The messages of a queue, without praise; raises Unreadable where the file has no queue."""
    batch = ImportBatch()
    try:
        queue = json.loads(text_of(path))
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"{path} is not JSON ({error})", _WRITTEN) from None
    if not isinstance(queue, list):
        raise Unreadable(f"{path} is no claude-reflect queue", _WRITTEN)
    for number, item in enumerate(queue, 1):
        place, given = f"{path} item {number}", item if isinstance(item, dict) else {}
        words, sure = _words(given.get("message")), given.get("confidence")
        if not words or "positive" in (given.get("sentiment"), given.get("type")):
            batch.skip(place, "is praise: nothing for an agent to learn" if words else "has no message")
            continue
        fields = {"confidence": str(min(max(sure, 0.0), 1.0) if isinstance(sure, int | float) else 0.6)}
        ts, project, about = (_words(given.get(name)) for name in ("timestamp", "project", "patterns"))
        batch.items.append(ImportItem(REFLECT, words, place, fields, ts, project, about))
    return batch


def bullets(path: Path, rule: str = BULLETS) -> ImportBatch:
    """Each item of a file's lists; code, links to other files and Learnloop's own blocks are skipped."""
    batch = ImportBatch()
    for item in markdown_items.items(text_of(path)):
        words, place = markdown_items.plain(item.words)[:_MOST_CHARS], f"{path}:{item.line}"
        if not item.is_bullet or _INDEX.match(item.words):
            continue
        if len(words.split()) < _LEAST_WORDS:
            batch.skip(place, "is too short to say anything")
        else:
            batch.items.append(ImportItem(rule, words, place, context=item.heading))
    return batch


def memory(path: Path) -> ImportBatch:
    """Auto-memory, a file or a folder: a file with front matter is one item, any other is a list.

    Raises Unreadable where a folder has no such file.
    """
    batch = ImportBatch()
    files = files_in(path, "*.md", batch)[:_MOST_FILES] if path.is_dir() else [path]
    if not files:
        raise Unreadable(f"there are no .md files in {path}", "name a memory folder or file")
    for file in files:
        front, body = _front(text_of(file))
        if not front:
            listed = bullets(file, MEMORY)
            batch.items += listed.items
            batch.skipped += listed.skipped
            continue
        words = markdown_items.plain(front.get("description") or body.strip().split("\n")[0])[:_MOST_CHARS]
        if len(words.split()) < _LEAST_WORDS:
            batch.skip(str(file), "is too short to say anything")
            continue
        fields = {"description": " ".join(body.split())[:1000], "label": front.get("name", "")[:100]}
        batch.items.append(ImportItem(MEMORY, words, str(file), fields, context=front.get("type", "")))
    return batch


def notepads(project: Path) -> ImportBatch:
    """`.olympus/notepads/**/*.md`: each `###` section is a discovery; its words decide its category.

    Raises Unreadable where the project has no notepads.
    """
    folder = project / ".olympus" / "notepads"
    if not folder.is_dir():
        raise Unreadable(f"there is no {folder}", "name the project whose notepads are to be read")
    batch = ImportBatch()
    for file in files_in(folder, "**/*.md", batch)[:_MOST_FILES]:
        _sections(file, folder, batch)
    return batch


def _sections(file: Path, folder: Path, batch: ImportBatch) -> None:
    text = text_of(file).replace("\r\n", "\n")
    starts = list(_H3.finditer(text))
    for start, following in zip(starts, [*starts[1:], None], strict=True):
        summary = " ".join(start[1].split())[:100]
        details = " ".join(text[start.end() : following.start() if following else len(text)].split())[:1000]
        place = f"{file}:{text.count(chr(10), 0, start.start()) + 1}"
        task = str(file.parent.relative_to(folder))
        fields = {
            "summary": summary, "details": details, "confidence": "0.7", "agent": "migration",
            "category": category_of(f"{summary} {details}"), "task_context": "" if task == "." else task,
        }  # fmt: skip
        batch.items.append(ImportItem(NOTEPAD, details, place, fields))


def category_of(text: str) -> str:
    """The category of a note, by the words in it."""
    low = text.lower()
    return next((name for name, cues in _CATEGORIES if any(cue in low for cue in cues)), "technical_insight")


def _front(text: str) -> tuple[dict[str, str], str]:
    """Front matter as plain names and values, and what follows it."""
    if not text.startswith("---\n"):
        return {}, text
    head, end, body = text[4:].partition("\n---")
    if not end:
        return {}, text
    pairs = (line.partition(":") for line in head.split("\n"))
    return {name.strip(): value.strip().strip("\"'") for name, colon, value in pairs if colon}, body


READERS: dict[str, Callable[[Path], ImportBatch]] = {
    "reflect": reflect, "memory": memory, "bullets": bullets, "notepads": notepads,
}  # fmt: skip
"""By what `--from` names."""

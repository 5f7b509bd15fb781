"""Lists that people and tools keep in Markdown: LEARNED.md, AGENTS.md, CLAUDE.md, auto-memory, notepads."""

import re
from pathlib import Path

from learnloop.errors import Unreadable
from learnloop.importers.import_items import ImportBatch, ImportItem, files_in, text_of
from learnloop.learn.language import bullets as markdown_items

BULLETS, MEMORY, NOTEPAD = "import:bullets", "import:memory", "import:notepad"
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

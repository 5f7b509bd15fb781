"""Lists that people and tools keep in Markdown: LEARNED.md, AGENTS.md, CLAUDE.md, auto-memory, notepads."""

import re
from collections.abc import Iterator
from pathlib import Path

from learnloop.errors import Unreadable
from learnloop.importers.import_items import ImportBatch, ImportItem, files_in, text_of

BULLETS, MEMORY, NOTEPAD = "import:bullets", "import:memory", "import:notepad"
_FENCE = re.compile(r"^\s*(```|~~~)")
_BULLET = re.compile(r"^(\s*)[-*+]\s+(?:\[[ xX]\]\s+)?(.+)$")
_HEADING = re.compile(r"^#{1,6}\s+(\S.*)$")
_INDEX = re.compile(r"^\[[^\]]*\]\([^)]*\.md\)")
_FORM = re.compile(r"\*\*(.+?)\*\*|__(.+?)__|`([^`]*)`|\[([^\[\]]*)\]\([^)\[]*\)")
_H3 = re.compile(r"^### +(.+)$", re.M)
_LEAST_WORDS = 3
_MOST_FILES = 500
_CATEGORIES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("performance", ("performance", "slow", "optimize")),
    ("workaround", ("workaround", "hack", "fix")),
    ("pattern", ("pattern", "convention", "style")),
    ("gotcha", ("gotcha", "careful", "warning")),
    ("dependency", ("dependency", "package", "install")),
    ("configuration", ("config", "environment", "setting")),
)
"""The first category with one of its words in the text counts."""


def bullets(path: Path, rule: str = BULLETS) -> ImportBatch:
    """Each item of a file's lists; code, links to other files and Learnloop's own blocks are skipped."""
    batch = ImportBatch()
    heading = ""
    for number, line in _lines(text_of(path)):
        if title := _HEADING.match(line):
            heading = title[1].rstrip().rstrip("#").rstrip()
            continue
        item = _BULLET.match(line)
        if item is None or _INDEX.match(item[2]):
            continue
        words = _plain(item[2])
        place = f"{path}:{number}"
        if len(words.split()) < _LEAST_WORDS:
            batch.skip(place, "is too short to say anything")
        else:
            batch.items.append(ImportItem(rule, words, place, context=heading))
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
        words = _plain(front.get("description") or body.strip().split("\n")[0])
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


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """The lines that are not code and not written by Learnloop."""
    fence, ours = "", False
    for number, line in enumerate(text.replace("\r\n", "\n").split("\n"), 1):
        if mark := _FENCE.match(line):
            fence = "" if fence == mark[1] else fence or mark[1]
            continue
        if "<!-- learnloop:begin" in line or "<!-- learnloop:end" in line:
            ours = "<!-- learnloop:begin" in line
            continue
        if not fence and not ours:
            yield number, line


def _front(text: str) -> tuple[dict[str, str], str]:
    """Front matter as plain names and values, and what follows it."""
    if not text.startswith("---\n"):
        return {}, text
    head, end, body = text[4:].partition("\n---")
    if not end:
        return {}, text
    pairs = (line.partition(":") for line in head.split("\n"))
    return {name.strip(): value.strip().strip("\"'") for name, colon, value in pairs if colon}, body


def _plain(text: str) -> str:
    """Words without their markup."""
    bare = _FORM.sub(lambda form: next((part for part in form.groups() if part is not None), ""), text)
    return " ".join(bare.split())[:500]

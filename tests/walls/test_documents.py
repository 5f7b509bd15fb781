"""The documents name files that exist; their sentences are such that a reader takes them in at once."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
NAMES = ("design", "faq", "index", "lessons", "panes", "troubleshooting", "tutorial")
PAGES = ("README.md", *(f"docs/{name}.md" for name in NAMES))
MOST_WORDS = 25
SHARE = 0.97
"""Of the sentences, how many keep to `MOST_WORDS`: a list of names may be longer."""


def sentences(text: str) -> list[str]:
    """The sentences of running text: no headings, tables, or list markers."""
    lines = [line.lstrip("- ") for line in text.splitlines() if not line.startswith(("#", "|", "<!--"))]
    joined = "\n".join("\n" if not line.strip() else line for line in lines)
    paragraphs = [re.sub(r"`[^`]*`", "code", " ".join(part.split())) for part in re.split(r"\n\s*\n", joined)]
    return [sentence for part in paragraphs for sentence in re.split(r"(?<=[.:;!?])\s+", part) if sentence]


def test_every_file_that_a_document_names_exists() -> None:
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")]
    named = {path for page in pages for path in re.findall(r"`((?:[a-z_]+/)+[a-z_]+\.py)`", page.read_text())}
    assert len(named) > 30
    roots = (ROOT, ROOT / "src" / "learnloop", ROOT / "tui" / "learnloop_tui")
    assert [path for path in sorted(named) if not any((root / path).is_file() for root in roots)] == []


@pytest.mark.parametrize("name", PAGES)
def test_sentences_are_short(name: str) -> None:
    page = (ROOT / name).read_text("utf-8")
    prose = re.sub(r"```.*?```", "", page, flags=re.S)
    lengths = {sentence: len(sentence.split()) for sentence in sentences(prose)}
    long = [sentence for sentence, words in lengths.items() if words > MOST_WORDS]
    assert len(lengths) > 5
    assert len(long) <= (1 - SHARE) * len(lengths), "\n".join(long)

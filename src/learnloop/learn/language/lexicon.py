"""Word lists that the rules share, each written as text and read into a set."""

import json
from pathlib import Path
from typing import Any

_WORDS: dict[str, Any] = json.loads(Path(__file__).with_name("words.json").read_text("utf-8"))


def words(name: str) -> frozenset[str]:
    """The words of a list of `words.json`."""
    return listed(_WORDS[name])


def table(name: str) -> Any:
    """A table of `words.json`, as JSON has it."""
    return _WORDS[name]


def listed(text: str) -> frozenset[str]:
    """The words of a text; a phrase is written with underscores for its spaces."""
    return frozenset(word.replace("_", " ") for word in text.split())


COMMON = words("lexicon.common")
"""Words without a subject of their own."""

TALKING = words("lexicon.talking")
"""Words about somebody's feelings, or about doing something differently."""

FOREIGN = words("lexicon.foreign")
"""Words without a subject of their own, in other languages that people use with agents."""

PLAIN_ACTS = words("lexicon.plain_acts")
"""Words that occur in too many prompts to recall a lesson by."""

SUBCOMMANDS = {
    "git": listed("add checkout clean commit fetch merge pull push rebase reset revert stash switch tag"),
    "terraform": listed("apply destroy import init plan"),
    "docker": listed("build compose exec pull push run"),
    "kubectl": listed("apply delete exec rollout scale"),
    "npm": listed("audit ci install publish update"),
    "pip": listed("freeze install uninstall"),
    "alembic": listed("downgrade revision upgrade"),
}
"""Programs that people name together with a subcommand, and those subcommands."""

GENERIC = words("lexicon.generic")
"""Words in too many prompts and files to identify a subject alone; with another word they do."""

NO_FILES = words("lexicon.no_files")
"""Words about things that are no files."""

NO_KEYWORDS = COMMON | TALKING | FOREIGN

PROSE = listed("""adoc cfg csv gif ini jpg json lock log md pdf png rst svg toml txt xml yaml yml""")
"""Extensions of files that are no code."""

LANGUAGES = {
    "python": ("py", "pyi", "ipynb"), "typescript": ("ts", "tsx", "mts"), "javascript": ("js", "jsx", "mjs"),
    "rust": ("rs",), "golang": ("go",), "java": ("java",), "kotlin": ("kt",), "swift": ("swift",),
    "ruby": ("rb",), "php": ("php",), "css": ("css", "scss"), "html": ("html",), "sql": ("sql",),
    "yaml": ("yaml", "yml"), "markdown": ("md",), "vue": ("vue",), "svelte": ("svelte",),
}  # fmt: skip
"""Languages, and the extensions of their files."""

PROGRAMS = words("lexicon.programs")
"""Programs of command lines."""

FILLER = words("lexicon.filler")
"""Words that do not change the meaning of a lesson."""

PLAIN_ORDERS = words("lexicon.plain_orders")
"""Verbs that begin an order wherever they occur: hardly ever nouns in a list."""

MODAL = words("lexicon.modal")
"""Verbs that stay as they are in the third person."""

REGULAR_VERBS = words("lexicon.regular_verbs")
"""Regular verbs that people use with agents."""

DOUBLING_VERBS = words("lexicon.doubling_verbs")
"""Verbs that double their last letter: `stopped`."""

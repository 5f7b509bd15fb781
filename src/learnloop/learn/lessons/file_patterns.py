"""File patterns of triggers: which kinds of files a lesson's words are about. Pure."""

import re
from collections.abc import Collection, Sequence

from learnloop.learn.language import lexicon

MOST_PATTERNS = 4
RELATED_WORDS = {
    "pytest": ("test", "tests"), "jest": ("test", "tests"), "vitest": ("test", "tests"),
    "unittest": ("test", "tests"),
    "npm": ("install", "package"), "pnpm": ("install", "package"), "yarn": ("install", "package"),
    "pip": ("install", "package"), "uv": ("install", "package"), "formatter": ("format",),
    "linter": ("lint",), "pr": ("pull request",),
    "committing": ("commit",), "committed": ("commit",), "tests": ("test",), "test": ("tests",),
}  # fmt: skip
"""Other words that people use for the same subject."""
WORD = re.compile(r"--?[a-z][\w-]*|[^\W\d_][\w]*(?:[./+-][\w]+)*", re.I)

_TEST_FILE = re.compile(
    r"^(?:(?P<before>test_)[\w-]+|[\w-]+(?P<after>_test|[.-](?:test|spec)))\.(?P<ext>\w+)$"
)
_TESTS_OF = {"py": "**/test_*.py", "go": "**/*_test.go"} | {
    extension: f"**/*.test.{extension}" for extension in ("ts", "tsx", "js", "jsx")
}
_JS = ("ts", "tsx", "js", "jsx")
_TOOLS = {"pytest": ("py",), "unittest": ("py",), "jest": _JS, "vitest": _JS}
"""Test tools, and the extensions of their files."""
_FILE_NAME = re.compile(
    r"(?:[\w-]+/)*[\w-]+\.(?:json|toml|ya?ml|lock|cfg|ini|sql|md|txt|xml|py|tsx?|css|html|sh|go|rs)", re.I
)
_NAMED_FILE = re.compile(rf"(?<![\w/.-])(?:{_FILE_NAME.pattern})(?![\w/-])", re.I)
_PART = re.compile(r"[A-Z]?[a-z\d]+|[A-Z]+")
_TESTS = frozenset(("test", "tests", "testing"))
_OF_CODE = re.compile(
    r"\b(?:is|are)\s(?:(?:not|always|never|usually)\s)*(?:used|reused|imported|exported|called|declared|defined|mocked"
    r"|named|written|formatted|indented|rewritten|edited|raised|thrown|logged|caught|returned|wrapped|renamed"
    r"|hardcoded|preferred|avoided|extended|swallowed)\b"
    r"|\b(?:be?nutz|verwend|nimm|utilise|usa\b|utiliza)",
    re.I,
)


def files_named(text: str) -> list[str]:
    """The files that a text names, in order, each once."""
    return list(dict.fromkeys(_NAMED_FILE.findall(text)))


def file_patterns(
    text: str, subjects: Sequence[str], files: Sequence[str], *, has_commands: bool
) -> tuple[str, ...]:
    """Patterns of the files that words are about: named files, kinds of written files, or a language's files.

    `subjects` are the words of the text that carry its subject; `files` are those that the turn wrote.
    """
    if spelled_out := _spelled_out(text, files):
        return spelled_out
    words = {word.lower() for word in WORD.findall(text)}
    named = [path for path in files if _is_about(subjects, path)]
    tools = sorted(words & _TOOLS.keys())
    if not lexicon.TALK.isdisjoint(words) or (has_commands and not named and not tools):
        return ()
    return (
        _of_languages(words, files)
        or _patterns(named)
        or _tests_of_tools(tools, files)
        or _of_written(text, words, files)
    )


def _of_languages(words: Collection[str], files: Sequence[str]) -> tuple[str, ...]:
    """The written files of the languages that words name, or all files of the first one."""
    extensions = [ext for word in sorted(words) for ext in lexicon.LANGUAGES.get(word, ())]
    written = [path for path in files if path.rpartition(".")[2] in extensions]
    return _patterns(written) or tuple(f"**/*.{extension}" for extension in extensions[:1])


def _tests_of_tools(tools: Sequence[str], files: Sequence[str]) -> tuple[str, ...]:
    """The tests that tools such as pytest run."""
    extensions = [ext for tool in tools for ext in _TOOLS[tool]]
    written = [path for path in files if path.rpartition(".")[2] in extensions]
    return _tests(written or [f".{extension}" for extension in extensions[:1]])


def _of_written(text: str, words: set[str], files: Sequence[str]) -> tuple[str, ...]:
    """The kinds of code files that the turn wrote, if the text is about code."""
    is_about_code = _OF_CODE.search(text) is not None or not lexicon.CODE.isdisjoint(words)
    if not is_about_code or not lexicon.NO_FILES.isdisjoint(words):
        return ()
    code = [path for path in files if path.rpartition(".")[2].lower() not in lexicon.PROSE]
    return _patterns(code) if _TESTS.isdisjoint(words) else _tests(code)


def _spelled_out(text: str, files: Sequence[str]) -> tuple[str, ...]:
    """The files that the text names in full: `plugin.json`, or a file that the turn wrote."""
    written = {path.rpartition("/")[2] for path in files}
    words = (word.strip("./") for word in WORD.findall(text))
    names = (word for word in words if word.rpartition("/")[2] in written or _FILE_NAME.fullmatch(word))
    whole = dict.fromkeys(name for name in names if "." in name)
    return tuple(f"**/{name}" for name in whole)[:MOST_PATTERNS]


def _is_about(subjects: Sequence[str], path: str) -> bool:
    """Whether a word is part of a file's name."""
    name = path.rpartition("/")[2]
    parts = {part.lower().removesuffix("s") for part in _PART.findall(name)} | {name.lower()}
    near = (related for word in subjects for related in (RELATED_WORDS.get(word) or (word,)))
    return any(len(word) > 2 and word.rpartition("/")[2].removesuffix("s") in parts for word in near)


def _tests(files: Sequence[str]) -> tuple[str, ...]:
    """Patterns of the tests for these kinds of files."""
    kinds = (_TESTS_OF.get(path.rpartition(".")[2]) for path in files)
    return tuple(dict.fromkeys(kind for kind in kinds if kind))[:MOST_PATTERNS]


def _patterns(files: Sequence[str]) -> tuple[str, ...]:
    """Patterns of kinds of files: tests of a language, an extension, or a name without one."""
    return tuple(dict.fromkeys(_pattern(path.rpartition("/")[2]) for path in files))[:MOST_PATTERNS]


def _pattern(name: str) -> str:
    test = _TEST_FILE.match(name)
    if test:
        return f"**/test_*.{test['ext']}" if test["before"] else f"**/*{test['after']}.{test['ext']}"
    stem, dot, extension = name.rpartition(".")
    return f"**/*.{extension}" if dot and stem else f"**/{name}"

"""When a lesson matters: from the words of its statement and from what the turn before it touched."""

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise

from learnloop.learn.language import lexicon, verbs
from learnloop.models.lesson import Triggers

_MOST = 6
_MOST_PATTERNS = 4
_WORD = re.compile(r"--?[a-z][\w-]*|[^\W\d_][\w]*(?:[./+-][\w]+)*", re.I)
_CONTRACTED = re.compile(r"\b\w+n['’]t\b|['’](?:s|d|ll|re|ve|m)\b", re.I)
_WHOSE = re.compile(
    r"(?<=\w)(?<!\bbefore)(?<!\bafter)(?<!\bwhen)[\s,]+(?:that|which|who|the agent|the user|it)"
    r"\s(?:does not\s|did not\s)?[a-z-]+",
    re.I,
)
_DONE = re.compile(r"(\b(?:is|are|be|agent)\s(?:(?:not|always|never|usually|to be)\s)*)([a-z-]+)", re.I)
_RELATIVES = {
    "pytest": ("test", "tests"), "jest": ("test", "tests"), "vitest": ("test", "tests"),
    "unittest": ("test", "tests"),
    "npm": ("install", "package"), "pnpm": ("install", "package"), "yarn": ("install", "package"),
    "pip": ("install", "package"), "uv": ("install", "package"), "formatter": ("format",),
    "linter": ("lint",), "pr": ("pull request",),
    "committing": ("commit",), "committed": ("commit",), "tests": ("test",), "test": ("tests",),
}  # fmt: skip
"""Words that people use for the same matter."""

_ACTS = {
    "commit": "git commit", "commits": "git commit", "committing": "git commit", "push": "git push",
    "pushing": "git push", "rebase": "git rebase", "squash": "git merge", "merge": "git merge", "pr": "gh pr",
}  # fmt: skip
"""Words that stand for a command."""

_EVERYDAY = frozenset(("build", "format", "install", "package", "packages", "test", "tests"))
"""Arguments of commands that tell nothing about a lesson, unless it is about what is run."""
_RUN = re.compile(r"\b(?:run|started)\b", re.I)

_TEST_FILE = re.compile(
    r"^(?:(?P<before>test_)[\w-]+|[\w-]+(?P<after>_test|[.-](?:test|spec)))\.(?P<ext>\w+)$"
)
_TESTS_OF = {"py": "**/test_*.py", "go": "**/*_test.go"} | {
    extension: f"**/*.test.{extension}" for extension in ("ts", "tsx", "js", "jsx")
}
_JS = ("ts", "tsx", "js", "jsx")
_TOOLS = {"pytest": ("py",), "unittest": ("py",), "jest": _JS, "vitest": _JS}
"""What runs tests, and the extensions of its files."""
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
    """The files that words name, in order, each once."""
    return list(dict.fromkeys(_NAMED_FILE.findall(text)))


def derive(
    statement: str, quote: str = "", *, files: Sequence[str] = (), commands: Sequence[str] = ()
) -> Triggers:
    """Triggers that reach the agent at a prompt about the matter and beside a matching call."""
    said = _matters(statement) if statement else content_words(quote)
    telling = _telling(statement, said)
    on_commands = _command_patterns(statement or quote, said, commands)
    near = (near for word in telling for near in _RELATIVES.get(word, ()))
    action = tuple(dict.fromkeys((*telling, *near)))
    on_files = _file_patterns(statement or quote, said, files, has_commands=bool(on_commands))
    if not (action or on_files or on_commands):
        action = content_words(statement)
    known = {*action, *content_words(statement)} - lexicon.GENERIC | lexicon.PLAIN_ACTS | {*action}
    return Triggers(
        file_patterns=on_files,
        command_patterns=on_commands,
        action_keywords=action[: _MOST + 2],
        context_keywords=_context(word for word in (*content_words(quote), *said) if word not in known),
    )


_MANIFESTS = frozenset(("json", "toml", "yaml", "yml", "lock", "cfg", "ini", "xml"))
"""Files that are known by their name, not by their kind."""


_WRITERS = ("Write", "Edit")


def add_written_files(found: Triggers, files: Sequence[str]) -> Triggers:
    """The same, at the tools that write, also for manifests that the turn wrote.

    What was forgotten belongs to what was done.

    A name with `version` in it stands for all such names, as in the process-knowledge specification.
    """
    if not found.file_patterns or not files:
        return found
    names = (path.rpartition("/")[2] for path in files)
    also = [
        _general(name) for name in names if name.rpartition(".")[2].lower() in _MANIFESTS or _is_version(name)
    ]
    patterns = tuple(dict.fromkeys((*found.file_patterns, *also)))[: _MOST_PATTERNS + 2]
    return found.with_(tool_names=_WRITERS, file_patterns=patterns)


def _is_version(name: str) -> bool:
    return "version" in name.lower()


def _general(name: str) -> str:
    stem, dot, extension = name.rpartition(".")
    return f"**/*version*{dot}{extension}" if stem and _is_version(name) else f"**/{name}"


def _context(words: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(words))[:_MOST]


def _telling(statement: str, said: Sequence[str]) -> tuple[str, ...]:
    """The words that tell the matter by themselves, and pairs of those that tell it together: `api keys`.

    The name of a language tells it where nothing else does, else the first word: the subject.
    """
    words = [word.lower().strip("._/") for word in _WORD.findall(statement)]
    pairs = [
        f"{first} {second}"
        for first, second in pairwise(words)
        if first in said and second in said and not lexicon.GENERIC.isdisjoint((first, second))
    ]
    alone = [word for word in said if word not in lexicon.GENERIC]
    telling = [*pairs, *(word for word in alone if word not in lexicon.LANGUAGES)]
    whole = (_with_subcommand(word, statement) for word in telling or alone or said[:1])
    return tuple(dict.fromkeys(whole))


def content_words(text: str) -> tuple[str, ...]:
    """The words of a text that carry its matter, lower-cased, each once."""
    plain = _CONTRACTED.sub(" ", text)
    found = (word.lower().strip("._/") for word in _WORD.findall(plain))
    return tuple(dict.fromkeys(word for word in found if len(word) > 1 and word not in lexicon.NO_KEYWORDS))[
        :_MOST
    ]


def _matters(statement: str) -> tuple[str, ...]:
    """The words of a statement that tell its matter: what is done in its base form, no relative clauses."""
    plain = _DONE.sub(_base, _WHOSE.sub(" ", statement))
    return tuple(word for word in content_words(plain) if word not in lexicon.PLAIN_ACTS)


def _base(done: re.Match[str]) -> str:
    """`is never commit` for `is never committed`: people name acts by the base form."""
    return done[1] + (verbs.base_of(done[2]) or done[2])


def _command_patterns(text: str, said: Sequence[str], commands: Sequence[str]) -> tuple[str, ...]:
    """Commands that the words name: a program that was run or is known, or an act that stands for one."""
    ran = {program for command in commands if (program := _program(command))}
    is_run = _RUN.search(text) is not None
    words = dict.fromkeys(word.lower() for word in _WORD.findall(text)) if is_run else said
    known = ran | lexicon.PROGRAMS - (frozenset() if is_run else lexicon.LANGUAGES.keys())
    named = [word for word in words if word in known]
    telling = [word for word in said if word not in _EVERYDAY or is_run]
    calls = (_call(command, telling) for command in commands if _program(command) not in named)
    called = [call for call in calls if call]
    acts = [_ACTS[last] for word in said if (last := _plain(word.rpartition("-")[2])) in _ACTS]
    whole = [_with_subcommand(word, text) for word in named]
    return tuple(dict.fromkeys(whole + called + acts))[:_MOST_PATTERNS]


def _with_subcommand(program: str, text: str) -> str:
    """`git add` where each time the words name `git`, they name `git add`."""
    words = [word.lower() for word in _WORD.findall(text)]
    after = {second for first, second in pairwise([*words, ""]) if first == program}
    known = lexicon.SUBCOMMANDS.get(program, frozenset())
    return f"{program} {after.pop()}" if len(after) == 1 and after <= known else program


def _plain(word: str) -> str:
    """`push` for `pushes`."""
    forms = (word, word.removesuffix("es"), word.removesuffix("s"))
    return next((form for form in forms if form in _ACTS), word)


def _call(command: str, telling: Sequence[str]) -> str:
    """The beginning of a command up to an argument that the words name: `python -m unittest`."""
    words = command.split()[:_MOST]
    if not words or any(sign in command for sign in "|&;<>$`*\n"):
        return ""
    stems = {word.removesuffix("s") for word in telling}
    named = next((at for at, word in enumerate(words) if at and word.lower().removesuffix("s") in stems), 0)
    return " ".join(words[: named + 1]) if named else ""


def _program(command: str) -> str:
    words = [word for word in command.split() if "=" not in word and word not in ("sudo", "&&", "cd")]
    return words[0].rpartition("/")[2].lower() if words else ""


def _file_patterns(
    text: str, said: Sequence[str], files: Sequence[str], *, has_commands: bool
) -> tuple[str, ...]:
    """The kinds of files that the words are about: of those written, or of a language they name."""
    spelled = _spelled(text, files)
    if spelled:
        return spelled
    low = {word.lower() for word in _WORD.findall(text)}
    named = [path for path in files if _is_about(said, path)]
    if not lexicon.TALK.isdisjoint(low) or (has_commands and not named and not low & _TOOLS.keys()):
        return ()
    extensions = [ext for word in sorted(low) for ext in lexicon.LANGUAGES.get(word, ())]
    if extensions:
        of_language = [path for path in files if path.rpartition(".")[2] in extensions]
        return _patterns(of_language) or (f"**/*.{extensions[0]}",)
    if named:
        return _patterns(named)
    tools = sorted(low & _TOOLS.keys())
    if tools:
        kinds = [kind for tool in tools for kind in _TOOLS[tool]]
        return _tests([path for path in files if path.rpartition(".")[2] in kinds] or [f".{kinds[0]}"])
    if not lexicon.NO_FILES.isdisjoint(low) or not (
        _OF_CODE.search(text) or not lexicon.CODE.isdisjoint(low)
    ):
        return ()
    written = [path for path in files if path.rpartition(".")[2].lower() not in lexicon.PROSE]
    return _tests(written) if not _TESTS.isdisjoint(low) else _patterns(written)


def _spelled(text: str, files: Sequence[str]) -> tuple[str, ...]:
    """The files that the words name in full, as `plugin.json` or as one that was written."""
    written = {path.rpartition("/")[2] for path in files}
    words = (word.strip("./") for word in _WORD.findall(text))
    names = (word for word in words if word.rpartition("/")[2] in written or _FILE_NAME.fullmatch(word))
    return tuple(f"**/{name}" for name in dict.fromkeys(name for name in names if "." in name))[
        :_MOST_PATTERNS
    ]


def _is_about(said: Sequence[str], path: str) -> bool:
    """Whether the words name something that stands in the name of a file."""
    name = path.rpartition("/")[2]
    parts = {part.lower().removesuffix("s") for part in _PART.findall(name)} | {name.lower()}
    near = (one for word in said for one in (_RELATIVES.get(word) or (word,)))
    return any(len(word) > 2 and word.rpartition("/")[2].removesuffix("s") in parts for word in near)


def _tests(files: Sequence[str]) -> tuple[str, ...]:
    """The tests of the kinds of files that were written."""
    kinds = (_TESTS_OF.get(path.rpartition(".")[2]) for path in files)
    return tuple(dict.fromkeys(kind for kind in kinds if kind))[:_MOST_PATTERNS]


def _patterns(files: Sequence[str]) -> tuple[str, ...]:
    """The kinds of files: tests of a language, an extension, or a name without one."""
    return tuple(dict.fromkeys(_pattern(path.rpartition("/")[2]) for path in files))[:_MOST_PATTERNS]


def _pattern(name: str) -> str:
    test = _TEST_FILE.match(name)
    if test:
        return f"**/test_*.{test['ext']}" if test["before"] else f"**/*{test['after']}.{test['ext']}"
    stem, dot, extension = name.rpartition(".")
    return f"**/*.{extension}" if dot and stem else f"**/{name}"

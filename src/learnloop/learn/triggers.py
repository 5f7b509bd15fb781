"""When a lesson matters: from the words of its statement and from what the turn before it touched."""

import re
from collections.abc import Sequence

from learnloop.learn import lexicon
from learnloop.models.lesson import Triggers

_MOST = 6
_MOST_PATTERNS = 4
_WORD = re.compile(r"--?[a-z][\w-]*|[^\W\d_][\w]*(?:[./+-][\w]+)*", re.I)
_CONTRACTED = re.compile(r"\b\w+n['’]t\b|['’](?:s|d|ll|re|ve|m)\b", re.I)
_RELATIVES = {
    "pytest": ("test", "tests"), "jest": ("test", "tests"), "vitest": ("test", "tests"),
    "unittest": ("test", "tests"),
    "npm": ("install", "package"), "pnpm": ("install", "package"), "yarn": ("install", "package"),
    "pip": ("install", "package"), "uv": ("install", "package"), "formatter": ("format",),
    "linter": ("lint",),
    "committing": ("commit",), "committed": ("commit",), "tests": ("test",), "test": ("tests",),
}  # fmt: skip
"""Words that people use for the same matter."""

_ACTS = {
    "commit": "git commit", "commits": "git commit", "committing": "git commit", "committed": "git commit",
    "push": "git push", "pushed": "git push", "pushes": "git push", "pushing": "git push",
    "rebase": "git rebase", "rebased": "git rebase", "rebases": "git rebase",
    "squash": "git merge", "merged": "git merge", "merges": "git merge",
}  # fmt: skip
"""Words that stand for a command."""

_EVERYDAY = frozenset(("build", "format", "install", "package", "packages", "test", "tests"))
"""Arguments of commands that tell nothing about a lesson."""

_TEST_FILE = re.compile(
    r"^(?:(?P<before>test_)[\w-]+|[\w-]+(?P<after>_test|[.-](?:test|spec)))\.(?P<ext>\w+)$"
)


def derive(
    statement: str, quote: str = "", *, files: Sequence[str] = (), commands: Sequence[str] = ()
) -> Triggers:
    """Triggers that reach the agent at a prompt about the matter and beside a matching call."""
    said = content_words(statement) or content_words(quote)
    on_commands = _command_patterns(said, commands)
    talk = any(word in lexicon.TALK for word in said)
    on_files = () if talk or (on_commands and not _about_files(said, files)) else _file_patterns(files)
    action = tuple(dict.fromkeys((*said, *(near for word in said for near in _RELATIVES.get(word, ())))))
    return Triggers(
        file_patterns=on_files,
        command_patterns=on_commands,
        action_keywords=action[: _MOST + 2],
        context_keywords=tuple(word for word in content_words(quote) if word not in action)[:_MOST],
    )


def content_words(text: str) -> tuple[str, ...]:
    """The words of a text that carry its matter, lower-cased, each once."""
    plain = _CONTRACTED.sub(" ", text)
    found = (word.lower().strip("._/") for word in _WORD.findall(plain))
    return tuple(dict.fromkeys(word for word in found if len(word) > 1 and word not in lexicon.COMMON))[
        :_MOST
    ]


def _command_patterns(said: Sequence[str], commands: Sequence[str]) -> tuple[str, ...]:
    """Commands that the words name: a program that was run or is known, or an act that stands for one."""
    ran = {program for command in commands if (program := _program(command))}
    named = [word for word in said if word in ran or word in lexicon.PROGRAMS]
    calls = (_call(command, said) for command in commands if _program(command) not in named)
    called = [call for call in calls if call]
    acts = [_ACTS[last] for word in said if (last := word.rpartition("-")[2]) in _ACTS]
    return tuple(dict.fromkeys(named + called + acts))[:_MOST_PATTERNS]


def _call(command: str, said: Sequence[str]) -> str:
    """The beginning of a command up to an argument that the words name: `python -m unittest`."""
    words = command.split()[:_MOST]
    if not words or any(sign in command for sign in "|&;<>$`*\n"):
        return ""
    telling = [word for word in said if word not in _EVERYDAY]
    named = next((at for at, word in enumerate(words) if at and word.lower() in telling), 0)
    return " ".join(words[: named + 1]) if named else ""


def _program(command: str) -> str:
    words = [word for word in command.split() if "=" not in word and word not in ("sudo", "&&", "cd")]
    return words[0].rpartition("/")[2].lower() if words else ""


def _about_files(said: Sequence[str], files: Sequence[str]) -> bool:
    """Whether the words name something that stands in the name of a file that was written."""
    names = " ".join(path.rpartition("/")[2].lower() for path in files)
    return any(word in names or near in names for word in said for near in (_RELATIVES.get(word) or (word,)))


def _file_patterns(files: Sequence[str]) -> tuple[str, ...]:
    """The kinds of files that were written: tests of a language, an extension, or a name without one."""
    return tuple(dict.fromkeys(_pattern(path.rpartition("/")[2]) for path in files))[:_MOST_PATTERNS]


def _pattern(name: str) -> str:
    test = _TEST_FILE.match(name)
    if test:
        return f"**/test_*.{test['ext']}" if test["before"] else f"**/*{test['after']}.{test['ext']}"
    stem, dot, extension = name.rpartition(".")
    return f"**/*.{extension}" if dot and stem else f"**/{name}"

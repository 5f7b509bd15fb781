"""Triggers from what the corrected turn did, where none that the words name would have caught it. Pure."""

from collections.abc import Sequence

from learnloop.learn.lessons import file_patterns, meaning
from learnloop.learn.lessons.trigger_choice import PossibleTrigger
from learnloop.wire import globs

_LOOKS = frozenset((
    "ls", "cat", "head", "tail", "less", "cd", "pwd", "echo", "printf", "grep", "rg", "find", "wc", "which",
    "env", "true", "sleep", "diff", "tree", "file", "stat",
))  # fmt: skip
_GIT_LOOKS = frozenset(("git status", "git log", "git diff", "git show", "git branch", "git fetch"))
"""Programs and acts that change nothing: they are hardly what was corrected."""
_NOUNS = frozenset(("git commit",))
"""A text with the word may speak of the thing; `trigger_tools.acts` knows those that mean the act."""


_SIGNS = str.maketrans("/*-._", "     ")


def candidates(text: str, files: Sequence[str], commands: Sequence[str]) -> list[PossibleTrigger]:
    """The acts and files of a turn that a text is about; `files` are below the project."""
    terms = meaning.read(text).signs.keys()
    calls = [call for command in commands for call in globs.simple_commands(command)]
    acts = dict.fromkeys(_act(call) for call in calls if _terms(call) & terms)
    near = [path for path in files if _terms(path) & terms]
    return [
        *(PossibleTrigger("command", (act,)) for act in filter(None, acts)),
        *(PossibleTrigger("file", (path,)) for path in file_patterns.of_written(near)),
    ]


def _act(call: str) -> str:
    """A command as far as it names its act: the program, a subcommand, and a telling flag behind it."""
    words = call.split()
    program = words[0].rpartition("/")[2] if words else ""
    second = words[1] if len(words) > 1 and words[1].replace("-", "").isalnum() else ""
    act = f"{program} {second}".strip()
    if not program.isascii() or program in _LOOKS or act in _GIT_LOOKS | _NOUNS:
        return ""
    flag = next((word for word in words[2:] if word.startswith("--")), "")
    return f"{act} *{flag}" if second and flag else act


def _terms(words: str) -> set[str]:
    return set(meaning.read(words.translate(_SIGNS)).signs)

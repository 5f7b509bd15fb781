"""When a lesson matters: from the words of its statement and from what the turn before it touched."""

import re
from collections.abc import Sequence

from learnloop.models.lesson import Triggers

_MOST = 6
_MOST_PATTERNS = 4
_WORD = re.compile(r"--?[a-z][\w-]*|[^\W\d_][\w]*(?:[./+-][\w]+)*", re.I)
_COMMON = frozenset(
    """a about above after again agent all always an and another any anything are as ask asked asks at be because been before being below both
    but by can code come could did do does doing done down each either else end even ever every everything everywhere few file files find first
    for from get give given go good had has have having her here him his how i if in instead into is it its just keep kept know last least less
    let like line lines list look made make makes many may me mean might more most much must my name need needs never new next no none not nothing
    now of off often on once one only onto or other our out over own part place please preferred prefer put rather really right run runs said same
    say says see seen set should show shown side since so some something still such take taken tell tells than that the their them then there
    these they thing things think this those three through time times to together told too two under until up upon us use used user uses using
    very want was way we well were what when whenever where whether which while who whole why will with within without word words work works
    would write written yet you your project repo repository codebase""".split()
)
_RELATIVES = {
    "pytest": ("test", "tests"), "jest": ("test", "tests"), "vitest": ("test", "tests"), "unittest": ("test", "tests"),
    "npm": ("install", "package"), "pnpm": ("install", "package"), "yarn": ("install", "package"),
    "pip": ("install", "package"), "uv": ("install", "package"), "formatter": ("format",), "linter": ("lint",),
    "committing": ("commit",), "committed": ("commit",), "tests": ("test",), "test": ("tests",),
}  # fmt: skip
"""Words that people use for the same matter."""

_ACTS = {
    "commit": "git commit", "commits": "git commit", "committing": "git commit", "committed": "git commit",
    "push": "git push", "pushed": "git push", "pushing": "git push", "rebase": "git rebase", "rebased": "git rebase",
    "squash": "git merge", "merged": "git merge",
}  # fmt: skip
"""Words that stand for a command."""

_PROGRAMS = frozenset(
    """npm pnpm yarn npx bun pip pip3 uv poetry conda cargo go make cmake docker podman kubectl terraform git gh pytest
    tox nox jest vitest mocha eslint prettier ruff black flake8 mypy pyright python python3 node deno ruby bundle rake
    gradle mvn dotnet swift rustup brew apt apt-get psql sqlite3 curl wget rm""".split()
)
_TALK = frozenset(
    "answer answers answered ask asks asked tell tells told explain explains explained summary english german reply replies".split()
)
_TEST_FILE = re.compile(
    r"^(?:(?P<before>test_)[\w-]+|[\w-]+(?P<after>_test|[.-](?:test|spec)))\.(?P<ext>\w+)$"
)


def derive(
    statement: str, quote: str = "", *, files: Sequence[str] = (), commands: Sequence[str] = ()
) -> Triggers:
    """Triggers that reach the agent at a prompt about the matter and beside a matching Write, Edit or Bash."""
    said = content_words(statement) or content_words(quote)
    on_commands = _command_patterns(said, commands)
    talk = any(word in _TALK for word in said)
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
    found = (word.lower().strip("./") for word in _WORD.findall(text))
    return tuple(dict.fromkeys(word for word in found if len(word) > 1 and word not in _COMMON))[:_MOST]


def _command_patterns(said: Sequence[str], commands: Sequence[str]) -> tuple[str, ...]:
    """Commands that the words name: a program that was run or is known, or what the person calls a command."""
    ran = {program for command in commands if (program := _program(command))}
    named = [word for word in said if word in ran or word in _PROGRAMS]
    acts = [_ACTS[word] for word in said if word in _ACTS]
    return tuple(dict.fromkeys(named + acts))[:_MOST_PATTERNS]


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

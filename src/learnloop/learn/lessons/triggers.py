"""Derives a lesson's triggers from the words of its statement and from the turn before it. Pure."""

import re
from collections.abc import Sequence
from itertools import pairwise

from learnloop.learn.language import lexicon, verbs
from learnloop.learn.lessons.file_patterns import MOST_PATTERNS, RELATED_WORDS, WORD, file_patterns
from learnloop.models.lesson import Triggers

_MOST = 6
_CONTRACTED = re.compile(r"\b\w+n['’]t\b|['’](?:s|d|ll|re|ve|m)\b", re.I)
_WHOSE = re.compile(
    r"(?<=\w)(?<!\bbefore)(?<!\bafter)(?<!\bwhen)[\s,]+(?:that|which|who|the agent|the user|it)"
    r"\s(?:does not\s|did not\s)?[a-z-]+",
    re.I,
)
_DONE = re.compile(r"(\b(?:is|are|be|agent)\s(?:(?:not|always|never|usually|to be)\s)*)([a-z-]+)", re.I)
_ACTS = {
    "commit": "git commit", "commits": "git commit", "committing": "git commit", "push": "git push",
    "pushing": "git push", "rebase": "git rebase", "squash": "git merge", "merge": "git merge", "pr": "gh pr",
}  # fmt: skip
"""Commands that a word implies."""

_EVERYDAY = frozenset(("build", "format", "install", "package", "packages", "test", "tests"))
"""Arguments of commands that say nothing about a lesson, unless it is about running something."""
_RUN = re.compile(r"\b(?:run|started)\b", re.I)


def derive(
    statement: str, quote: str = "", *, files: Sequence[str] = (), commands: Sequence[str] = ()
) -> Triggers:
    """Triggers for prompts about the lesson's subject and for matching tool calls.

    `files` and `commands` are those of the turn that was corrected.
    """
    subjects = _subjects(statement) if statement else content_words(quote)
    distinctive = _distinctive(statement, subjects)
    on_commands = _command_patterns(statement or quote, subjects, commands)
    related = (related for word in distinctive for related in RELATED_WORDS.get(word, ()))
    action = tuple(dict.fromkeys((*distinctive, *related)))
    on_files = file_patterns(statement or quote, subjects, files, has_commands=bool(on_commands))
    if not (action or on_files or on_commands):
        action = content_words(statement)
    covered = {*action, *content_words(statement)} - lexicon.GENERIC | lexicon.PLAIN_ACTS | {*action}
    context = [word for word in (*content_words(quote), *subjects) if word not in covered]
    return Triggers(
        file_patterns=on_files,
        command_patterns=on_commands,
        action_keywords=action[: _MOST + 2],
        context_keywords=tuple(dict.fromkeys(context))[:_MOST],
    )


_MANIFESTS = frozenset(("json", "toml", "yaml", "yml", "lock", "cfg", "ini", "xml"))
"""Extensions of files that are triggered by name, not by extension."""
_WRITERS = ("Write", "Edit")
"""Tools that write files."""


def add_written_files(triggers: Triggers, files: Sequence[str]) -> Triggers:
    """The triggers limited to tools that write, with the manifests that the turn wrote as further files.

    An omission is noticed when those files are written. A file name with `version` in it triggers on all such
    names, as in the process-knowledge specification.
    """
    if not triggers.file_patterns or not files:
        return triggers
    also = []
    for name in (path.rpartition("/")[2] for path in files):
        stem, dot, extension = name.rpartition(".")
        is_version = "version" in name.lower()
        if is_version or extension.lower() in _MANIFESTS:
            also.append(f"**/*version*{dot}{extension}" if stem and is_version else f"**/{name}")
    patterns = tuple(dict.fromkeys((*triggers.file_patterns, *also)))[: MOST_PATTERNS + 2]
    return triggers.with_(tool_names=_WRITERS, file_patterns=patterns)


def _distinctive(statement: str, subjects: Sequence[str]) -> tuple[str, ...]:
    """The words that identify the subject alone, and pairs that identify it together: `api keys`.

    If there are none: the names of languages, or else the first word.
    """
    words = [word.lower().strip("._/") for word in WORD.findall(statement)]
    pairs = [
        f"{first} {second}"
        for first, second in pairwise(words)
        if first in subjects and second in subjects and not lexicon.GENERIC.isdisjoint((first, second))
    ]
    alone = [word for word in subjects if word not in lexicon.GENERIC]
    chosen = [*pairs, *(word for word in alone if word not in lexicon.LANGUAGES)] or alone or subjects[:1]
    return tuple(dict.fromkeys(_with_subcommand(word, statement) for word in chosen))


def content_words(text: str) -> tuple[str, ...]:
    """The words of a text that carry its subject, in lower case, each once."""
    plain = _CONTRACTED.sub(" ", text)
    words = (word.lower().strip("._/") for word in WORD.findall(plain))
    content = dict.fromkeys(word for word in words if len(word) > 1 and word not in lexicon.NO_KEYWORDS)
    return tuple(content)[:_MOST]


def _subjects(statement: str) -> tuple[str, ...]:
    """The content words of a statement, verbs in their base form, without relative clauses."""
    # `is never commit` for `is never committed`: people name acts by the base form.
    plain = _DONE.sub(lambda done: done[1] + (verbs.base_of(done[2]) or done[2]), _WHOSE.sub(" ", statement))
    return tuple(word for word in content_words(plain) if word not in lexicon.PLAIN_ACTS)


def _command_patterns(text: str, subjects: Sequence[str], commands: Sequence[str]) -> tuple[str, ...]:
    """Commands that the words name: a program that was run or is known, or an act that implies one."""
    ran = {program for command in commands if (program := _program(command))}
    is_run = _RUN.search(text) is not None
    words = dict.fromkeys(word.lower() for word in WORD.findall(text)) if is_run else subjects
    programs = ran | lexicon.PROGRAMS - (frozenset() if is_run else lexicon.LANGUAGES.keys())
    named = [word for word in words if word in programs]
    arguments = [word for word in subjects if word not in _EVERYDAY or is_run]
    calls = (_call(command, arguments) for command in commands if _program(command) not in named)
    called = [call for call in calls if call]
    acts = [_ACTS[last] for word in subjects if (last := _plain(word.rpartition("-")[2])) in _ACTS]
    whole = [_with_subcommand(word, text) for word in named]
    return tuple(dict.fromkeys(whole + called + acts))[:MOST_PATTERNS]


def _with_subcommand(program: str, text: str) -> str:
    """`git add` if the text names `git` only as `git add`."""
    words = [word.lower() for word in WORD.findall(text)]
    after = {second for first, second in pairwise([*words, ""]) if first == program}
    subcommands = lexicon.SUBCOMMANDS.get(program, frozenset())
    return f"{program} {after.pop()}" if len(after) == 1 and after <= subcommands else program


def _plain(word: str) -> str:
    """`push` for `pushes`."""
    forms = (word, word.removesuffix("es"), word.removesuffix("s"))
    return next((form for form in forms if form in _ACTS), word)


def _call(command: str, arguments: Sequence[str]) -> str:
    """The beginning of a command up to one of these arguments: `python -m unittest`; empty if it has none."""
    words = command.split()[:_MOST]
    if not words or any(sign in command for sign in "|&;<>$`*\n"):
        return ""
    stems = {word.removesuffix("s") for word in arguments}
    named = next((at for at, word in enumerate(words) if at and word.lower().removesuffix("s") in stems), 0)
    return " ".join(words[: named + 1]) if named else ""


def _program(command: str) -> str:
    words = [word for word in command.split() if "=" not in word and word not in ("sudo", "&&", "cd")]
    return words[0].rpartition("/")[2].lower() if words else ""

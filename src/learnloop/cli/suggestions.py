"""Suggestions for a shell that completes a `learn` command line, by argcomplete.

The shell runs `learn` itself with `_ARGCOMPLETE` set. Only the parser of the verb that is typed is built, and
names come from `service.lessons.completion_names`, which loads neither the store nor the models.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from learnloop.cli.registry import VERBS, Parser, find, for_verb, view_of
from learnloop.wire import paths
from learnloop.wire.text import clean

if TYPE_CHECKING:
    from argparse import Action
    from collections.abc import Callable, Mapping

    Completer = Callable[..., Mapping[str, str] | list[str]]

SHELLS = ("bash", "zsh", "fish")

_STATES: dict[str, tuple[str, ...]] = {
    "promote": ("draft",), "reject": ("draft",), "archive": ("active",), "pause": ("active",),
    "resume": ("active",), "rate": ("active",), "restore": ("archived", "rejected"),
    "keep": ("draft", "active"), "merge": ("draft", "active"),
    "replace": ("draft", "active"), "holdout": ("active",),
}  # fmt: skip
"""The states of the lessons that a verb takes; the other verbs take all."""


def script(shell: str) -> str:
    """The script that makes a shell complete `learn`."""
    from argcomplete.shell_integration import shellcode

    return shellcode(["learn"], use_defaults=False, shell=shell)


def answer() -> int:
    """Write the suggestions to where the shell reads them, and end the process."""
    from argcomplete.completers import SuppressCompleter
    from argcomplete.finders import CompletionFinder

    parser, has_words = _parser()
    options = False if has_words else "long"
    CompletionFinder()(parser, always_complete_options=options, default_completer=SuppressCompleter())
    return 0


def _parser() -> tuple[Parser, bool]:
    """The parser for what is typed, and whether it takes words besides options."""
    line = os.environ.get("COMP_LINE", "")
    typed = line[: int(os.environ.get("COMP_POINT") or len(line))]
    words = typed.split()
    name = words[1] if len(words) > 2 or (len(words) == 2 and typed[-1:].isspace()) else ""
    verb = find(name)
    if verb is None:
        if name == "help":
            os.environ["_ARGCOMPLETE"] = "2"
        return _verbs(), True
    verb, _ = view_of(verb, words[2:])
    os.environ["_ARGCOMPLETE"] = "2"  # argcomplete skips two words: the verb's parser reads what follows
    parser = for_verb(verb, verb.load())
    for action in parser._actions:
        if complete := completer(verb.name, action):
            action.completer = complete  # type: ignore[attr-defined]  # where argcomplete looks
    return parser, any(not action.option_strings for action in parser._actions)


def _verbs() -> Parser:
    parser = Parser(prog="learn", allow_abbrev=False)
    parser.add_argument("--version", action="store_true", help="show the version")
    verb = parser.add_argument("verb")
    verb.completer = lambda **_: {row.name: row.summary for row in VERBS}  # type: ignore[attr-defined]
    return parser


def completer(verb: str, action: Action) -> Completer | None:
    """The function that completes an argument; None where its choices do, or nothing does."""
    from argcomplete.completers import FilesCompleter

    from learnloop.service.lessons import completion_names

    root, metavar, named = paths.root(), str(action.metavar or ""), action.option_strings
    if (verb, action.dest) in (("sessions", "id"), ("forget", "session")):
        return lambda prefix, **_: _harmless(completion_names.sessions(root, prefix))
    if (verb, action.dest) == ("tasks", "query"):
        return lambda prefix, **_: _harmless(completion_names.tasks(root, prefix))
    if (verb, action.dest) == ("experiments", "name"):
        return lambda prefix, **_: _harmless(_experiments(root, prefix))
    if metavar == "ID" and not named and verb == "patches":
        return lambda prefix, **_: _harmless(completion_names.patches(root, prefix))
    if metavar == "ID" and not named and verb != "preferences":
        states = _STATES.get(verb, ())
        return lambda prefix, **_: _harmless(completion_names.lessons(root, prefix, states))
    if "--project" in named:
        return _projects
    if "--agent" in named or (verb, action.dest) == ("agents", "name"):
        return lambda **_: [name for name in completion_names.agents(root) if name.isprintable()]
    if (verb, action.dest) == ("config", "key"):
        return _settings
    return FilesCompleter() if metavar in ("FILE", "PATH", "FOLDER") else None


def _experiments(root: str, prefix: str) -> dict[str, str]:
    """The experiments whose ids begin with a prefix, with their names."""
    from learnloop.service.experiments import reports
    from learnloop.service.workspace import open_workspace

    every = reports.experiments(open_workspace(root))
    return {key[:4]: experiment.name for key, experiment in every.items() if key.startswith(prefix)}


def _harmless(descriptions: Mapping[str, str]) -> dict[str, str]:
    """Descriptions that can steer neither the shell's list nor the terminal."""
    return {name: " ".join(clean(text).split()) for name, text in descriptions.items()}


def _projects(prefix: str, **_: Any) -> list[str]:
    from argcomplete.completers import DirectoriesCompleter

    from learnloop.service.lessons import completion_names

    recorded = (path for path in completion_names.projects(paths.root()) if path.isprintable())
    return [*(path for path in recorded if path.startswith(prefix)), *DirectoriesCompleter()(prefix)]


def _settings(**_: Any) -> list[str]:
    from learnloop.service.setup.settings_file import entries_without_file

    return [entry.key for entry in entries_without_file()]

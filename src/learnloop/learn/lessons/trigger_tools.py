"""Programs that stand in for each other, and the commands that an act is done by. Pure tables.

`always use pnpm` matters where npm or yarn is about to run; `never push on Fridays` beside `git push`.
"""

import re
from collections.abc import Sequence

from learnloop.learn.language import lexicon
from learnloop.wire import globs

RIVALS: tuple[tuple[str, ...], ...] = tuple(map(tuple, lexicon.table("rivals")))
"""Programs of which people use one instead of another."""
ALSO_RUN_AS: dict[str, list[str]] = lexicon.table("also_run_as")
"""The beginnings of the commands that run a program, where its name alone is not enough."""
PROGRAMS = lexicon.PROGRAMS.union(*RIVALS, lexicon.words("trigger_tools.programs"))
AMBIGUOUS = lexicon.words("trigger_tools.ambiguous")
"""Programs whose names are also words or languages: they count where the words speak of running something."""
FORMATS = ("json", "yaml", "yml", "xml", "csv", "html", "sql", "toml", "md")


_ACTS: list[tuple[str, list[str]]] = lexicon.table("acts")
_ACT_PATTERNS = tuple((re.compile(rf"\b(?:{words})\b", re.I), commands) for words, commands in _ACTS)
_MESSAGES = re.compile(r"\bcommit (?:messages?|titles?|subjects?|bodies)\b|\bconventional commits\b", re.I)


def acts(when: str, whole: str, ran: Sequence[str] = ()) -> list[str]:
    """The commands of the acts that words name as a moment; a rule on commit messages names one anywhere.

    Where `ran`, the commands of the moment, has some of an act's commands, the others are left out.
    """
    named: list[str] = []
    for words, commands in _ACT_PATTERNS:
        if words.search(when):
            own = [command for command in commands if any(globs.runs(command, [call], call) for call in ran)]
            named += own or commands
    for part, act in (("git push *", "git push"), ("git commit *", "git commit")):
        if any(command.startswith(part) for command in named):
            named = [command for command in named if command != act]
    return [*named, *(["git commit"] if _MESSAGES.search(whole) else ())]


def rivals_of(program: str) -> tuple[str, ...]:
    """The programs that are used in place of one."""
    return next(
        (tuple(name for name in group if name != program) for group in RIVALS if program in group), ()
    )

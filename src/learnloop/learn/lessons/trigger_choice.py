"""Chooses triggers by backtest: what fires at the moment that led to a lesson, and rarely elsewhere. Pure."""

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Literal, NamedTuple

from learnloop.models.lesson import Triggers
from learnloop.wire import globs, relevance

TOO_BROAD = 0.10
"""A trigger that fires at a larger share of a person's own calls or prompts is too broad."""
_TOO_BROAD_NAMED, _TOO_BROAD_UNNAMED, _TOO_COMMON = 0.35, 0.02, 0.05
"""The same for files and commands that the person's own words name, for those that only the evidence names,
and for words in prompts. One call in fifty is in every fourth session already."""
_LEAST_CALLS, _LEAST_PROMPTS = 30, 15
"""Below so many a share says nothing."""
_MOST = {"file": 5, "command": 8, "word": 3}

Kind = Literal["file", "command", "word"]


class PossibleTrigger(NamedTuple):
    """A possible trigger."""

    kind: Kind
    options: tuple[str, ...]
    """The pattern or keyword, and narrower ones to fall back on, widest first."""
    named: bool = True
    """Whether the words name it; otherwise only the evidence does."""
    is_style: bool = False
    """Whether it is about how code is written, so that every file of its kind is a moment."""
    is_certain: bool = False
    """Whether the words name it as what to leave, or as the moment itself, so that it stands unseen."""


class Calls(NamedTuple):
    """Tool calls and prompts: those of one moment, or the newest of a project."""

    files: Sequence[str] = ()
    commands: Sequence[str] = ()
    prompts: Sequence[str] = ()


def choose(
    candidates: Sequence[PossibleTrigger], moment: Calls, history: Calls, project: str = ""
) -> Triggers:
    """The triggers that stand: each as wide as the history allows, none that misses the moment.

    `moment` are the calls of the turn that was corrected, `history` those before it, oldest first.
    """
    elsewhere, here = _Tried(_before(history, moment), project), _Tried(moment, project)
    chosen: dict[Kind, dict[str, None]] = {"file": {}, "command": {}, "word": {}}
    for candidate in candidates:
        if not candidate.named and not _adds(candidate, chosen[candidate.kind], here):
            continue
        if (option := _widest(candidate, elsewhere, here)) is not None:
            chosen[candidate.kind][option] = None
    files, commands, words = (_few(chosen[kind], kind, here) for kind in ("file", "command", "word"))
    return Triggers(file_patterns=files, command_patterns=commands, action_keywords=words)


def catches(triggers: Triggers, moment: Calls, project: str = "") -> bool:
    """Whether triggers fire at a call of the moment: a word in a call alone hardly tells a lesson there."""
    here = _Tried(moment, project)
    return any(here.at("file", option) for option in triggers.file_patterns) or any(
        here.at("command", option) for option in triggers.command_patterns
    )


def _widest(candidate: PossibleTrigger, elsewhere: "_Tried", here: "_Tried") -> str | None:
    """The widest option that is rare elsewhere; of what the words name also a more frequent one."""
    kind, whole = candidate.kind, here.at(candidate.kind, candidate.options[0])
    options = [option for option in candidate.options if not whole or here.at(kind, option)]
    fits = (
        option for limit in _limits(candidate) for option in options if elsewhere.share(kind, option) <= limit
    )
    return next(fits, None)


def _limits(candidate: PossibleTrigger) -> tuple[float, ...]:
    """The shares that a trigger may have, the one it should have first."""
    if candidate.kind == "word":
        return (_TOO_COMMON,)
    if candidate.named:
        return TOO_BROAD, _TOO_BROAD_NAMED
    return (TOO_BROAD if candidate.is_style else _TOO_BROAD_UNNAMED,)


def _adds(candidate: PossibleTrigger, chosen: Iterable[str], here: "_Tried") -> bool:
    """Whether what only the evidence names fires at a call of the moment that nothing chosen fires at.

    A plain word only has to be in the words of the moment.
    """
    calls = {call for option in candidate.options for call in here.at(candidate.kind, option)}
    if candidate.kind == "word":
        return bool(calls)
    return not calls <= {call for option in chosen for call in here.at(candidate.kind, option)}


def _few(values: dict[str, None], kind: Kind, here: "_Tried") -> tuple[str, ...]:
    """As many as a lesson has, those first that fire at the moment."""
    order = sorted(values, key=lambda value: not here.at(kind, value)) if kind != "word" else list(values)
    return tuple(order)[: _MOST[kind]]


def _before(history: Calls, moment: Calls) -> Calls:
    """The history without the moment itself, which is its end."""
    return Calls(
        _without_end(history.files, moment.files), _without_end(history.commands, moment.commands),
        history.prompts,
    )  # fmt: skip


def _without_end(calls: Sequence[str], moment: Sequence[str]) -> Sequence[str]:
    own, end = set(moment), len(calls)
    while end and calls[end - 1] in own:
        end -= 1
    return calls[:end]


class _Tried:
    """Calls made ready to try triggers on."""

    def __init__(self, calls: Calls, project: str) -> None:
        self._calls, self._bases = calls, (project,) if project else ()

    @cached_property
    def _files(self) -> list[globs.Spot]:
        return [globs.spot(file, self._bases) for file in self._calls.files]

    @cached_property
    def _commands(self) -> list[tuple[list[str], str]]:
        return [(globs.simple_commands(line), line) for line in self._calls.commands]

    @cached_property
    def _prompts(self) -> list[relevance.Moment]:
        return [relevance.Moment({"moment": "prompt", "words": words}) for words in self._calls.prompts]

    def at(self, kind: Kind, option: str) -> list[int]:
        """The places of the calls or prompts that a trigger fires at."""
        if kind == "file":
            return [at for at, where in enumerate(self._files) if globs.covers(option, where)]
        if kind == "command":
            return [at for at, (calls, line) in enumerate(self._commands) if globs.runs(option, calls, line)]
        return [at for at, text in enumerate(self._prompts) if relevance.found((option,), text)]

    def share(self, kind: Kind, option: str) -> float:
        """The share of calls, or of prompts for a keyword; 0 where there are too few to say."""
        if kind == "word":
            whole, least = len(self._calls.prompts), _LEAST_PROMPTS
        else:
            whole, least = len(self._calls.files) + len(self._calls.commands), _LEAST_CALLS
        return len(self.at(kind, option)) / whole if whole >= least else 0.0

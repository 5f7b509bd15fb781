"""Command patterns: programs and acts that an instruction speaks against, or its moment. Pure.

`always use pnpm` matters where npm or yarn is about to run; `never push on Fridays` beside `git push`.
"""

import re
from collections.abc import Sequence

from learnloop.learn.language import lexicon
from learnloop.learn.language.words import INLINE_CODE
from learnloop.learn.lessons.trigger_choice import PossibleTrigger
from learnloop.learn.lessons.trigger_words import Parts
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


def commands_of_acts(when: str, whole: str, ran: Sequence[str] = ()) -> list[str]:
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


_WORD = re.compile(r"--?[a-z][\w-]*|[^\W\d_][\w]*(?:[.+:-][\w]+)*", re.I)
_RUN = re.compile(
    r"run|runs|ran|running|call|calls|calling|invoke\w*|execut\w+|start\w*|via|through|typing|using", re.I
)
_SCRIPT = re.compile(
    r"\b(?:run|running|runs|ran|call\w*|execut\w+|start\w*) (?:the |`)?(?:[\w.-]+/)*([\w-]+\.(?:sh|py|js|ts"
    r"|rb|pl|ps1))\b",
    re.I,
)
_CHOSEN = re.compile(
    r"\b(?:use|prefer|switch to|go with|stick (?:to|with)|adopt|with) (?:only |always )?`?([\w-]+)`?"
    r"(?=\s*(?:$|[,.;]|(?:for|in|to|as|here|everywhere|always|instead|on|when|now|please|from)\b))",
    re.I | re.M,
)
"""A tool that is chosen, not one that only describes a thing: a conda environment."""
_THINGS_OF = lexicon.words("trigger_commands.things_of")
"""After the name of a program: the words speak of a thing, not of running it."""
_MOST_WORDS = 4
_PATH = re.compile(r"\S*\w/\S*")
_HOW = re.compile(r"\b(?:in the background|with|under|via|without|only|needs?)\b|--?\w", re.I)
"""After the name of a command that is wanted: how it is run, which is told when it is."""


def candidates(text: str, parts: Parts, commands: Sequence[str]) -> list[PossibleTrigger]:
    """What of the commands a lesson may be told at.

    `commands` are those of the turn that was corrected.
    """
    ran = [call for command in commands for call in globs.simple_commands(command)]
    unwanted, moments = programs(parts.unwanted, ran), programs(parts.moment, ran)
    plain = (
        ()
        if unwanted or parts.moment
        else filter(lambda call: _is_how(parts.plain, call), programs(parts.plain, ran))
    )
    named = list(dict.fromkeys([*unwanted, *moments, *plain]))
    if not named and not parts.unwanted:
        names = (match[1].lower() for match in _CHOSEN.finditer(parts.wanted))
        named = [rival for name in names for rival in rivals_of(name)]
    scripts = [f"*{name}" for name in _SCRIPT.findall(parts.when)]
    spoken = f"{parts.moment}\n{parts.unwanted}" if parts.moment else parts.when
    acts = [] if unwanted else commands_of_acts(INLINE_CODE.sub(" ", spoken), text, ran)
    certain = {form for call in (*unwanted, *moments) for form in forms(call)}
    certain.update(commands_of_acts(f"{parts.moment}\n{parts.unwanted}", text, ran))
    from_words = dict.fromkeys([*(form for call in named for form in forms(call)), *acts, *scripts])
    return [
        PossibleTrigger("command", (form, *_narrower(form, text, ran)), is_certain=form in certain)
        for form in from_words
    ]


def _is_how(text: str, call: str) -> bool:
    return _HOW.search(text.lower().partition(call.split()[0])[2]) is not None


def programs(text: str, ran: Sequence[str]) -> list[str]:
    """The commands that a text names, as far as it names them: `terraform apply`, `rm -rf`, `git add .`."""
    whole = [_without_blanks(code) for code in INLINE_CODE.findall(text) if is_command(code, ran)]
    for line in _PATH.sub(" ", INLINE_CODE.sub(" ", text)).splitlines():
        words = _WORD.findall(line)
        whole += [_named(words, at, ran) for at in range(len(words))]
    return list(dict.fromkeys(filter(None, whole)))


def _named(words: Sequence[str], at: int, ran: Sequence[str]) -> str:
    """The command that a word of a line names; empty if it names none."""
    name, before = words[at].lower(), words[at - 1].lower() if at else ""
    if name.startswith("--"):
        return "" if before in PROGRAMS else f"* {name}"
    is_run = bool(_RUN.fullmatch(before)) or (
        before == "the" and at > 1 and bool(_RUN.fullmatch(words[at - 2]))
    )
    if name not in PROGRAMS and not (is_run and name in map(_program, ran)):
        return ""
    call = _with_arguments(name, words[at + 1 : at + 3])
    follows = words[at + 1].lower() if at + 1 < len(words) else ""
    if follows in _THINGS_OF:
        return ""
    is_plain_word = name in AMBIGUOUS and not is_run and call == name
    return "" if is_plain_word or call in ("git", "gh") else call


def is_command(code: str, ran: Sequence[str] = ()) -> bool:
    """Whether quoted code is a command: it begins with a program, or is a flag."""
    first = _program(code)
    return first in PROGRAMS or first in map(_program, ran) or code.startswith("--")


def _without_blanks(code: str) -> str:
    """A quoted command up to its first placeholder."""
    if code.startswith("--"):
        return f"* {code.split()[0]}"
    words = code.split()[:_MOST_WORDS]
    end = next((at for at, word in enumerate(words) if word[0] in "<[{$\"'" or word == "..."), len(words))
    return " ".join(words[:end])


def _with_arguments(program: str, after: Sequence[str]) -> str:
    """A program with the subcommand or the flag that follows it in the text."""
    subcommands = lexicon.SUBCOMMANDS.get(program, frozenset()) | {"run", "exec"}
    follows = [word.lower() for word in after]
    if not follows:
        return program
    if follows[0].startswith("-"):
        return f"{program} *{follows[0]}"
    if follows[0] in subcommands or "." in follows[0] or ":" in follows[0]:
        is_script = follows[0] in ("run", "exec") and len(follows) > 1
        return f"{program} {' '.join(follows[: 2 if is_script else 1])}"
    return program


def forms(call: str) -> tuple[str, ...]:
    """A command in the ways in which it is run: `pip`, `pip3`, `python -m pip`."""
    program, blank, rest = call.partition(" ")
    return tuple(f"{form}{blank}{rest}" for form in ALSO_RUN_AS.get(program, (program,)))


def _narrower(form: str, text: str, ran: Sequence[str]) -> list[str]:
    """Patterns that cover less: with what the text says of the arguments, or as the command was run."""
    if " " in form:
        return []
    low = text.lower()
    formats = [f"{form} *{name}*" for name in FORMATS if re.search(rf"\b{name}\b", low)]
    calls = (call.split() for call in ran if _program(call) == form)
    return [*formats, *dict.fromkeys(f"{form} {words[1]}" for words in calls if len(words) > 1)][:3]


def _program(call: str) -> str:
    return call.split()[0].rpartition("/")[2].lower() if call.split() else ""

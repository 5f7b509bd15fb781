"""Command patterns: programs and acts that an instruction speaks against, or its moment. Pure."""

import re
from collections.abc import Sequence

from learnloop.learn.language import lexicon
from learnloop.learn.language.words import INLINE_CODE
from learnloop.learn.lessons import trigger_tools
from learnloop.learn.lessons.trigger_choice import PossibleTrigger
from learnloop.learn.lessons.trigger_words import Parts
from learnloop.wire import globs

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
        named = [rival for name in names for rival in trigger_tools.rivals_of(name)]
    scripts = [f"*{name}" for name in _SCRIPT.findall(parts.when)]
    spoken = f"{parts.moment}\n{parts.unwanted}" if parts.moment else parts.when
    acts = trigger_tools.acts(INLINE_CODE.sub(" ", spoken), text, ran)
    certain = {form for call in (*unwanted, *moments) for form in forms(call)}
    certain.update(trigger_tools.acts(f"{parts.moment}\n{parts.unwanted}", text, ran))
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
    for line in INLINE_CODE.sub(" ", text).splitlines():
        words = _WORD.findall(line)
        whole += [_named(words, at, ran) for at in range(len(words))]
    return list(dict.fromkeys(filter(None, whole)))


def _named(words: Sequence[str], at: int, ran: Sequence[str]) -> str:
    """The command that a word of a line names; empty if it names none."""
    name, before = words[at].lower(), words[at - 1].lower() if at else ""
    if name.startswith("--"):
        return "" if before in trigger_tools.PROGRAMS else f"* {name}"
    is_run = bool(_RUN.fullmatch(before)) or (
        before == "the" and at > 1 and bool(_RUN.fullmatch(words[at - 2]))
    )
    if name not in trigger_tools.PROGRAMS and not (is_run and name in map(_program, ran)):
        return ""
    call = _with_arguments(name, words[at + 1 : at + 3])
    follows = words[at + 1].lower() if at + 1 < len(words) else ""
    if follows in _THINGS_OF:
        return ""
    is_plain_word = name in trigger_tools.AMBIGUOUS and not is_run and call == name
    return "" if is_plain_word or call in ("git", "gh") else call


def is_command(code: str, ran: Sequence[str] = ()) -> bool:
    """Whether quoted code is a command: it begins with a program, or is a flag."""
    first = _program(code)
    return first in trigger_tools.PROGRAMS or first in map(_program, ran) or code.startswith("--")


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
    return tuple(f"{form}{blank}{rest}" for form in trigger_tools.ALSO_RUN_AS.get(program, (program,)))


def _narrower(form: str, text: str, ran: Sequence[str]) -> list[str]:
    """Patterns that cover less: with what the text says of the arguments, or as the command was run."""
    if " " in form:
        return []
    low = text.lower()
    formats = [f"{form} *{name}*" for name in trigger_tools.FORMATS if re.search(rf"\b{name}\b", low)]
    calls = (call.split() for call in ran if _program(call) == form)
    return [*formats, *dict.fromkeys(f"{form} {words[1]}" for words in calls if len(words) > 1)][:3]


def _program(call: str) -> str:
    return call.split()[0].rpartition("/")[2].lower() if call.split() else ""

"""A rule's words made plain for reading: commands in backticks, idioms as what they mean. Pure.

`Use make test, not go test` names two commands, though `make` and `go` are everyday words as well.
"""

import re
from collections.abc import Callable
from functools import partial

from learnloop.learn.language import lexicon
from learnloop.learn.language.words import INLINE_CODE
from learnloop.learn.lessons import trigger_tools

_SUBCOMMANDS = {
    "go": "build fmt generate get install mod run test vet",
    "cargo": "add bench build check clean clippy doc fmt install publish run test update",
    "gh": "issue_close issue_create pr_close pr_create pr_edit pr_merge release_create repo_delete",
    "docker": "compose_down compose_up",
    "git": "add checkout clean commit fetch merge pull push rebase reset revert stash switch tag",
    "bun": "add install link run test",
    "npm": "ci install link publish run test update",
    "poetry": "add install run_pytest update",
    "uv": "add pip_install run_pytest sync",
    "terraform": "apply destroy import init plan",
}
_COMMAND = re.compile(
    r"\b(?:git add \.(?=\s|$|,)|"
    + "|".join(
        rf"{program} (?:{'|'.join(sorted(lexicon.listed(names), key=len, reverse=True))})(?![\w-])"
        r"(?: --?[a-z][\w-]*(?![\w-]))*"
        for program, names in _SUBCOMMANDS.items()
    )
    + r"|(?:make|just) [a-z][\w-]*(?=\s*(?:$|[,.;!]| (?:instead|not|rather|over|and never|directly)\b)))",
    re.I | re.M,
)
"""Programs with a subcommand that nobody writes by chance, and targets at the end of a clause."""
_BEFORE = re.compile(
    r"(?:^|[,;.:]|\b(?:use|using|used|prefer|never|always|not|of|than|over|run|running|call|calling|via|through"
    r"|with|ever|plain|just|or|invoke))\s*$",
    re.I | re.M,
)
_WORD = re.compile(r"(?<![\w/.-])[a-z][\w-]*(?![\w/-]|\.\w)", re.I)
_IDIOMS = tuple(
    (re.compile(rf"\b{words}", re.I), meaning)
    for words, meaning in (
        (r"leave (?:the )?([\w./-]+(?: (?:folder|directory|file))?) alone\b", r"never touch \1"),
        (r"(?:keep )?(?:your )?(?:hands off|(?:stay|keep) out) (?:of )?(?=\S)", "never touch "),
        (r"only (?:ever )?(?:edit|write|change|touch|modify) (?:files? |code |things? )?"
         r"(?:in|inside|under|within|below) ", "never write outside "),
    )
)  # fmt: skip


def plain(statement: str) -> str:
    """A rule in which commands stand in backticks, and some idioms as what they mean."""
    text = statement
    for idiom, meaning in _IDIOMS:
        text = idiom.sub(meaning, text)
    names = {word.lower() for word in _WORD.findall(text)}
    commands_quoted = _outside_code(text, _with_commands)
    return _outside_code(commands_quoted, partial(_with_rivals, names=names))


def _outside_code(text: str, change: Callable[[str], str]) -> str:
    """A text with what stands outside of its inline code changed."""
    pieces: list[str] = []
    start = 0
    for code in INLINE_CODE.finditer(text):
        pieces += [change(text[start : code.start()]), code[0]]
        start = code.end()
    return "".join([*pieces, change(text[start:])])


def _with_commands(text: str) -> str:
    return _COMMAND.sub(lambda match: _quoted(match, text), text)


def _quoted(match: re.Match[str], text: str) -> str:
    is_named = match[0].split()[0] not in trigger_tools.AMBIGUOUS or _BEFORE.search(text[: match.start()])
    return f"`{match[0]}`" if is_named else match[0]


def _with_rivals(text: str, names: set[str]) -> str:
    """Programs whose names are words as well are code where another program for the same is named."""
    return _WORD.sub(lambda match: _rival(match[0], names), text)


def _rival(word: str, names: set[str]) -> str:
    rivals = trigger_tools.rivals_of(word.lower()) if word.lower() in trigger_tools.AMBIGUOUS else ()
    return word if names.isdisjoint(rivals) else f"`{word.lower()}`"

"""The calls that an instruction asks for and speaks against, read from its words. Pure.

`Use pnpm, not npm` wants `pnpm` and speaks against `npm`. Where the words tie the act to a condition that
no call shows (`no npm in the old packages`, `never deploy when tests fail`), nothing is unwanted: what is
stopped must be meant.
"""

import re
from collections.abc import Callable, Set
from functools import partial
from typing import NamedTuple

from learnloop.learn.language import lexicon
from learnloop.learn.language.words import INLINE_CODE
from learnloop.learn.lessons import (
    named_files,
    sure_forms,
    trigger_commands,
    trigger_tools,
    trigger_words,
)
from learnloop.models.lesson_check import MOST_RULES, CheckRule, of_patterns
from learnloop.wire import globs

_LONGEST = 1200
_TOKEN = re.compile(
    r"(?<![\w./@(-])(?:[a-z_$][\w$]*(?:\.[a-z_][\w]*)+(?:\(\))?|[a-z_][\w]*\(\)|pkg/[\w-]+|@ts-[a-z-]+|\w+::\w+)"
    r"(?![\w/*]|\.[\w*])",
    re.I,
)
_EMPTY_CALL = re.compile(r"\(\)$")
_ANY = re.compile(
    r"^\W*(?:use |the |type |explicit |as |an? )*\W*any\W*(?:types?\b|in (?:typescript|ts)\b|$)", re.I | re.M
)
_ANY_TOKENS = (": any", "as any", "<any>", "any[]")
_CHANGES = re.compile(
    r"\b(?:edit\w*|touch\w*|chang\w+|modif\w+|overwrit\w+|alter\w*|rewrit\w+|reformat\w*|update|anything"
    r"|(?:writ\w+|put|creat\w+|add\w*)(?= (?:(?:any|new|more|files?|anything|code|things?|stuff) )*"
    r"(?:to|in|into|inside|under|outside|anywhere)\b))"
    r"(?:\W+(?:the|any|a|new|more|files?|anything|things?|stuff|code|in|to|inside|under|of|into|existing"
    r"|generated|applied|old|our|my|your|all)\b(?!/))*"
    r"\W*?(?P<place>[\w./*-]+/?(?: (?:folder|directory|files?)\b)?)"
    r"(?P<also>(?:,? (?:or|and|nor) `?[\w.*-]*[/.][\w./*-]*`?)*)",
    re.I,
)
"""A file or folder that is changed itself, not something in it."""
_BLANK = "\u2423"
_QUESTION = re.compile(r"\?\W*$")
_OUTSIDE = re.compile(r"\b(?:outside(?: of)?|anywhere (?:but|except)(?: in)?)\b(.*)", re.I)
_WRITES = re.compile(r"\b(?:writ\w+|edit\w*|touch\w*|chang\w+|modif\w+|put|creat\w+|add\w*|anything)\b", re.I)
_FOLDER = re.compile(r"([a-z_][\w.-]*) (?:folder|directory)", re.I)
_NO_FOLDERS = lexicon.words("call_patterns.no_folders")
_BRANCH = re.compile(
    r"\bpush\w*(?: \w+)*? (?:in)?to (?:the )?`?(main|master|develop|production|release)\b", re.I
)
_HARMLESS = lexicon.words("call_patterns.harmless")
"""Words around an act that narrow it to nothing a call would not show."""
_AROUND_CODE = _HARMLESS - lexicon.listed("test testing tests") | lexicon.words("call_patterns.around_code")
_WORD = re.compile(r"[\w'-]+")


class CallPatterns(NamedTuple):
    """Patterns of calls that obey an instruction, or that break it."""

    commands: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    """Files that are written; with `!` before it, every file but those."""
    tokens: tuple[str, ...] = ()
    """Code in what is written: `console.log`."""


class Sides(NamedTuple):
    """What obeys an instruction, and what breaks it."""

    wanted: CallPatterns
    unwanted: CallPatterns


def derive(statement: str) -> tuple[CheckRule, ...]:
    """The check that a statement states, as far as its words name acts for certain."""
    instead, unwanted = sides(statement)
    stated = sure_forms.derive(statement)
    due = [rule for rule in stated if rule["form"] == "due"]
    if due and unwanted.files:  # `never change X without Y`: Y is due, X is no harm
        unwanted = CallPatterns()
    besides = [rule for rule in stated if rule in due or any(event["on"] == "read" for event in rule["act"])]
    rules = [*of_patterns(unwanted._asdict(), instead._asdict()), *(besides if any(unwanted) else stated)]
    return tuple(map(CheckRule.model_validate, rules[:MOST_RULES]))


def sides(statement: str) -> Sides:
    """The calls that a statement wants and does not want, as far as its words name them for certain."""
    text = _plain(statement[:_LONGEST])
    text = INLINE_CODE.sub(_unparted, text)
    parts = trigger_words.parts("" if _QUESTION.search(text) else text)
    asked = f"{parts.wanted}\n{parts.plain}" if parts.unwanted else parts.wanted
    named_wanted = trigger_commands.programs(asked, ())
    against = "" if parts.moment or _is_narrowed(parts.plain) else parts.unwanted
    commands = _commands(against)
    files = _files(against)
    tokens = () if commands or files else _tokens(against)
    if against.strip() and not (commands or files or tokens):
        return Sides(CallPatterns(), CallPatterns())
    wanted = CallPatterns(commands=_forms(named_wanted), tokens=_tokens(parts.wanted) if tokens else ())
    unwanted = CallPatterns(commands=commands, files=files, tokens=tokens)
    if not any(unwanted) and wanted.commands and not (parts.moment or _is_narrowed(parts.plain)):
        unwanted = CallPatterns(commands=_rivals(parts.wanted, named_wanted))
    return Sides(CallPatterns() if _overlap(wanted, unwanted) else wanted, unwanted)


def _overlap(asked: CallPatterns, against: CallPatterns) -> bool:
    """Whether a call may be of both sides."""
    pairs = [(ours, theirs) for ours in asked.commands for theirs in against.commands]
    pairs += [(theirs, ours) for ours, theirs in pairs]
    is_both = any(globs.runs(pattern, [globs.plain_program(call)], call) for pattern, call in pairs)
    return is_both or not set(asked.tokens).isdisjoint(against.tokens)


def _unparted(code: re.Match[str]) -> str:
    """Code without blanks if it begins with a sign, which would end a clause: `: any`."""
    return code[0] if code[1][0].isalnum() else code[0].replace(" ", _BLANK)


def _is_narrowed(plain: str) -> bool:
    """Whether a clause of its own says where a rule holds: `in CI`, `on JSON output`."""
    return any(_WHERE.match(line) and not _is_whole(line, []) for line in plain.splitlines())


_WHERE = re.compile(r"\W*(?:on|in|for|with|at|during|inside|under|within|outside|by)\b", re.I)


def _commands(against: str) -> tuple[str, ...]:
    """The commands that a text speaks against; none where it only speaks against them somewhere."""
    if branch := _BRANCH.search(against):
        return (f"git push * {branch[1].lower()}", f"git push *:{branch[1].lower()}")
    named: list[str] = []
    for line in against.splitlines():
        calls = trigger_commands.programs(line, ())
        flags = [call for call in calls if call.startswith("* -")]
        spoken = [call for call in calls if call not in flags] or [
            act for act in trigger_tools.acts(INLINE_CODE.sub(" ", line), "") if act not in _BROAD
        ]
        spoken = [_as_spoken(call, line) for call in spoken]
        if _is_whole(line, [*spoken, *flags]):
            named += _with_flags(spoken, flags) if flags else spoken
    return _forms(named)


def _as_spoken(call: str, line: str) -> str:
    """A command with the flag that stands behind it: `git add -A`."""
    flag = re.search(rf"\b{re.escape(call)} (-[A-Za-z]+)(?![\w-])", line)
    return f"{call} {flag[1]}" if flag else call


_BROAD = lexicon.words("call_patterns.broad")
"""Commands that also install what is there already, or that only look."""


def _with_flags(calls: list[str], flags: list[str]) -> list[str]:
    """`commit` and `--no-verify` speak against the flag at that command."""
    plain = [call for call in calls if "*" not in call]
    return [f"{call} {flag.replace(' ', '')}" for call in plain for flag in flags] or calls or flags


def _forms(calls: list[str]) -> tuple[str, ...]:
    loose = (_FLAG.sub(" *-", call) for call in calls)  # a flag may stand anywhere
    return tuple(dict.fromkeys(form for call in loose for form in trigger_commands.forms(call)))


_FLAG = re.compile(r"(?<=\w) -(?!m )")


def _is_whole(line: str, commands: list[str], harmless: Set[str] = _HARMLESS) -> bool:
    """Whether a line names commands or code, and no circumstance."""
    known = {word.lower() for command in commands for word in _WORD.findall(command)}
    words = (word.lower().strip("'-") for word in _WORD.findall(INLINE_CODE.sub(" ", line)))
    return all(
        word in harmless or word in known or word.strip("-") in {name.strip("-") for name in known}
        or trigger_tools.acts(word, "") for word in words
    )  # fmt: skip


def _rivals(text: str, chosen: list[str]) -> tuple[str, ...]:
    """The package managers that are used in place of a chosen one."""
    if not _is_whole(text, chosen):
        return ()
    return _forms([name for call in chosen if call in _MANAGERS for name in trigger_tools.rivals_of(call)])


_MANAGERS = lexicon.listed("npm pnpm yarn bun npx bunx pip uv poetry")


def _files(against: str) -> tuple[str, ...]:
    if (outside := _OUTSIDE.search(against)) and _WRITES.search(against):
        return tuple(f"!{pattern}" for pattern in named_files.named_patterns(outside[1], bare=True))
    patterns: list[str] = []
    for match in _CHANGES.finditer(against):
        folder = _FOLDER.fullmatch(match["place"])
        is_name = folder is not None and folder[1].lower() not in _NO_FOLDERS
        patterns += [f"**/{folder[1]}/**"] if folder and is_name else []
        patterns += [] if folder else named_files.named_patterns(match["place"])
        patterns += named_files.named_patterns(match["also"])
        patterns += filter(named_files.is_updated, named_files.things(match["place"], ()))
    return tuple(dict.fromkeys(patterns))


def _tokens(text: str) -> tuple[str, ...]:
    """The code that a text names: quoted, with the look of code, or by a name of its own."""
    if _ANY.search(INLINE_CODE.sub(r"\1", text)):
        return _ANY_TOKENS
    codes = (_EMPTY_CALL.sub("(", code.replace(_BLANK, " ")) for code in INLINE_CODE.findall(text))
    quoted = [code for code in codes if not trigger_commands.is_command(code)]
    rest = INLINE_CODE.sub(" ", text)
    named = [match[0].removesuffix(")") for match in _TOKEN.finditer(rest)]
    for spoken, code in _SPOKEN_CODE:
        named += [code] if spoken.search(rest) else []
        rest = spoken.sub(" ", rest)
    files = set(named_files.files_named(text))
    tokens = [code.strip() for code in (*quoted, *named) if code.strip() not in files]
    return tuple(dict.fromkeys(tokens)) if _is_whole(rest, tokens, _AROUND_CODE) else ()


_SPOKEN_CODE = tuple(
    (re.compile(rf"\b(?:{words})\b", re.I), code) for words, code in lexicon.table("spoken_code")
)
"""Code that people call by a name."""


_SUBCOMMANDS: dict[str, str] = lexicon.table("spoken_subcommands")
_SPOKEN = re.compile(
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
_NAMED_AFTER = re.compile(
    r"(?:^|[,;.:]|\b(?:use|using|used|prefer|never|always|not|of|than|over|run|running|call|calling|via|through"
    r"|with|ever|plain|just|or|invoke))\s*$",
    re.I | re.M,
)
_PLAIN_WORD = re.compile(r"(?<![\w/.-])[a-z][\w-]*(?![\w/-]|\.\w)", re.I)
_IDIOMS = tuple((re.compile(rf"\b{words}", re.I), meaning) for words, meaning in lexicon.table("idioms"))


def _plain(statement: str) -> str:
    """A rule in which commands stand in backticks, and some idioms as what they mean."""
    text = statement
    for idiom, meaning in _IDIOMS:
        text = idiom.sub(meaning, text)
    names = {word.lower() for word in _PLAIN_WORD.findall(text)}
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
    return _SPOKEN.sub(lambda match: _as_code(match, text), text)


def _as_code(match: re.Match[str], text: str) -> str:
    before, program = text[: match.start()], match[0].split()[0]
    is_named = program not in trigger_tools.AMBIGUOUS or _NAMED_AFTER.search(before)
    return f"`{match[0]}`" if is_named else match[0]


def _with_rivals(text: str, names: set[str]) -> str:
    """Programs whose names are words as well are code where another program for the same is named."""
    return _PLAIN_WORD.sub(lambda match: _rival(match[0], names), text)


def _rival(word: str, names: set[str]) -> str:
    rivals = trigger_tools.rivals_of(word.lower()) if word.lower() in trigger_tools.AMBIGUOUS else ()
    return word if names.isdisjoint(rivals) else f"`{word.lower()}`"

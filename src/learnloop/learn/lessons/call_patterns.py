"""The calls that an instruction asks for and speaks against, read from its words. Pure.

`Use pnpm, not npm` wants `pnpm` and speaks against `npm`. Where the words tie the act to a condition that
no call shows (`no npm in the old packages`, `never deploy when tests fail`), nothing is unwanted: what is
stopped must be meant. Forms state some checks for certain (naming, places, order, what is due): each is a
pattern of words and the rules that they mean, with `<1>` for what a group holds, a line of `sure_forms.json`.
"""

import json
import re
from collections.abc import Callable, Iterator, Set
from functools import cache, partial
from pathlib import Path
from typing import Any, NamedTuple

from learnloop.learn.language import lexicon
from learnloop.learn.language.words import INLINE_CODE
from learnloop.learn.lessons import file_patterns, trigger_commands, trigger_words
from learnloop.models.lesson_check import ANY_SOURCE, ANY_TEST, MOST_RULES, CheckRule, of_patterns
from learnloop.wire import globs

_Rule = dict[str, Any]
_LONGEST_SENTENCE = 400
_CONDITION = re.compile(r"\b(?:unless|except when|if needed|if possible)\b|\?\W*$", re.I)
_AGAINST = re.compile(r"\b(?:never|do not|no need to|stop|avoid)\b|n['’]t\b", re.I)
_CASES = {
    "all caps": "[A-Z0-9_-]+", "upper case": "[A-Z0-9_-]+", "kebab[- ]case": "[a-z0-9-]+",
    "title snake case": "[A-Z][A-Za-z0-9_]*", "snake[_ -]case": "[a-z0-9_]+",
    "camel ?case": "[a-z][A-Za-z0-9]*", "pascal ?case": "[A-Z][A-Za-z0-9]*", "lower ?case": "[^A-Z]+",
}  # fmt: skip
_CASED = re.compile(
    r"\b(?:docs|files|file names) (?:in|under) (?:the )?`?(?:\./)?([\w./-]*\w)/?`?(?: folder| directory)?"
    rf" (?:are|is|must be)(?: named)?(?: in| with)? ({'|'.join(_CASES)})\b",
    re.I,
)
_GOALS = {
    "commit": ["git commit"], "push": ["git push"], "merge": ["git merge"], "pr": ["gh pr create"],
    "pull request": ["gh pr create"], "publish": ["npm publish", "cargo publish", "uv publish"],
}  # fmt: skip
_BEFORE = re.compile(
    r"\bbefore (?:(?:you|each|every|any|the|an?|your|creat\w+|open\w*|mak\w+) )*"
    rf"({'|'.join(_GOALS)}|start|begin)\w*\b",
    re.I,
)
_DONE = re.compile(
    r"\bbefore (?:you )?(?:say|claim|report|call|declare|are)\b.{0,24}\b(?:done|finished|complete\w*)", re.I
)
_COMMAND = re.compile(
    r"`([^`\n]{2,60})`|\b((?:npm run|npm|pnpm|yarn|make(?! these| it| sure| them)|just|cargo|go|bd|uv run"
    r"|npx) [a-z][\w:.-]*|git (?:status|diff|fetch|pull)|ruff (?:check|format)"
    r"|golangci-lint|pre-commit|ruff|mypy|eslint|tsc)\b"
)
_TESTS = re.compile(r"\b(?:re-?run|run|pass|validate)\b.{0,40}\btests?\b|\band the tests\b", re.I)


_CHANGED = r"(?:chang(?:e[sd]?|ing)|edit(?:s|ed|ing)?|modif(?:y|ies|ied|ying)|touch(?:es|ed|ing)?)"
_OPENING = re.compile(
    rf"\b(?:with|after|on|for|in|to)? ?(?:every|each|any|all) (?:code |source )?{_CHANGED}"
    r"(?: (?:in|to|of|under) (?P<in>[^\s,;:]+))?(?=\W*$|[,;:.]\s|\s(?:must|should|needs?|requires?|run|add"
    r"|update)\b)"
    rf"|\b(?:when(?:ever)?|every time|each time|after|if) (?:you |we )?(?:{_CHANGED}|write) "
    r"(?P<what>[^,;:]+?)(?=\W*$|,\s|\s(?:run|update|add|regenerate)\b)"
    r"|\b(?:when(?:ever)?|every time|each time) (?:the )?(?P<it>[\w./*-]+) (?:is )?changed?s?\b"
    r"|\bnever (?:change|edit|touch|modify) (?P<alone>\S+) without\b",
    re.I,
)
"""The words for a change of files, which makes something due."""
_NARROWS = re.compile(
    r"\b(?:if|unless|except\w*|until|before|only|maybe|perhaps|where|consider|ask|tell|explain|show|needed|necessary"
    r"|appropriate|relevant|possible|affect\w*|might|could|may|optional\w*|which|that|who|how|why|whether|propose|check"
    r"|review\w*|when\w*|after|once|than|release\w*|deploy\w*|commits?|push\w*|end|as required|lock ?files?"
    r"|never|not|no|instead|stop|avoid|skip|log|small|green)\b|n['’]t\b|\?",
    re.I,
)
_WRITING = re.compile(
    r"\b(?:updat\w+|add\w*|extend|enter|document|keep|needs?|requires?|gets?|goes|belongs?|entry)\b", re.I
)
_FORGET = re.compile(r"\b(?:never|not|don['’]?t|do not) (?:ever )?(?:forget|skip|omit)\b", re.I)
_RUN_WORD = re.compile(r"\b(?:re-?)?run (\w[\w-]+)$", re.I)
_ANY_CODE = re.compile(
    r"(?:(?:any|some|new|all|the|our|your) )*(?:source )?(?:code|source|files?)(?: files?)?", re.I
)


def derive_sure(statement: str) -> list[_Rule]:
    """The rules that a statement states; none where it asks, or says them under a condition."""
    text = statement[:_LONGEST_SENTENCE].strip()
    if _CONDITION.search(text):
        return []
    stated = [_filled(rules, match) for words, rules in _sure_forms() if (match := words.search(text))]
    rules: list[_Rule] = [*_cased(text), *(rule for rules_ in stated for rule in rules_)]
    return rules or [*_before(text), *_done(text)] or [*_due(text)]


@cache
def _sure_forms() -> list[tuple[re.Pattern[str], list[_Rule]]]:
    rows = json.loads(Path(__file__).with_name("sure_forms.json").read_text("utf-8"))
    return [(re.compile(words, re.I), rules) for words, rules in rows]


def _filled(part: Any, match: re.Match[str]) -> Any:
    """A part of a form in which each group stands for its words."""
    if isinstance(part, dict):
        return {name: _filled(value, match) for name, value in part.items()}
    if isinstance(part, list):
        return [_filled(value, match) for value in part]
    return (
        re.sub(r"<(\d)>", lambda group: match[int(group[1])] or "", part) if isinstance(part, str) else part
    )


def _cased(text: str) -> Iterator[_Rule]:
    """Files of a folder whose names are written in one way."""
    if match := _CASED.search(text):
        case = next(form for words, form in _CASES.items() if re.fullmatch(words, match[2], re.I))
        unlike = rf"re:^{case}\.[a-z0-9.]+$"
        event = {"on": "write", "files": [f"/{match[1]}/*.*"], "fresh": True, "unlike": unlike}
        yield {"form": "never", "act": [event]}


def _named(text: str) -> list[str]:
    """The commands that a text names, and the tests where it names none for them."""
    named = [match[1] or match[2] for match in _COMMAND.finditer(text)]
    is_about_tests = _TESTS.search(text) and not any("test" in name for name in named)
    return [*named, *([ANY_TEST] if is_about_tests else ())]


def _before(text: str) -> Iterator[_Rule]:
    """Before a commit, a push or a start there was each of the commands that the words name."""
    goal = _BEFORE.search(text)
    if goal is None or _AGAINST.search(text[: goal.start()]):
        return
    act: _Rule = {"on": "write", "files": ["**"]}
    if runs := _GOALS.get(goal[1].lower()):
        act = {"on": "command", "runs": runs, "lacks": ["--dry-run", "--abort", "--continue", "--help"]}
    for command in _named(f"{text[: goal.start()]} {text[goal.end() :]}"):
        rule: _Rule = {"form": "before", "act": [act], "then": [{"on": "command", "runs": [command]}]}
        yield rule | ({"since": "edit", "passing": command[:4] != "git "} if runs else {})


def _done(text: str) -> Iterator[_Rule]:
    """What has to pass after a change of code, before the agent says that it is done."""
    if (done := _DONE.search(text)) and not _AGAINST.search(text[: done.start()]):
        for command in _named(text[: done.start()]):
            yield {
                "form": "due", "act": [{"on": "write", "files": [ANY_SOURCE]}], "passing": True,
                "then": [{"on": "command", "runs": [command]}],
            }  # fmt: skip


def _due(text: str) -> Iterator[_Rule]:
    """What goes with a change of files, where the words name both sides and nothing but them."""
    opening = _OPENING.search(text)
    if opening is None or trigger_words.is_conduct(text):
        return
    act = _FORGET.sub(" ", f"{text[: opening.start()]}\n{text[opening.end() :]}")
    after, then = _files_of(next(filter(None, opening.groups()), "")), _settling(act)
    is_itself = then and then.get("files") == [ANY_TEST] and any("test" in name for name in after)
    if after and then and not is_itself and not _NARROWS.search(INLINE_CODE.sub(" ", act)):
        yield {"form": "due", "act": [{"on": "write", "files": after}], "then": [then]}


def _files_of(what: str) -> list[str]:
    """The files that words for a change are about; none where they say more of it than where it is."""
    bare = what.strip(" .").replace("`", "")
    if not bare or _ANY_CODE.fullmatch(bare):
        return [ANY_SOURCE]
    if bare.rstrip("/") in file_patterns.ROOTS:
        return [f"{bare.rstrip('/')}/**"]
    languages = [f"**/*.{ending}" for ending in file_patterns.of_languages(bare, ())]
    patterns = file_patterns.named_patterns(bare) or file_patterns.things(bare, ()) or languages
    words = re.sub(r"(?<!\S)(?:an?|the|any|files?|folder|or|and|in)(?!\S)", " ", bare).split()
    return patterns if patterns and len(words) <= len(patterns) else []


def _settling(act: str) -> _Rule | None:
    """The command or the file that is due; None where the words name none, or both."""
    words, names = act.replace("`", ""), _named(act) or _RUN_WORD.findall(act.strip(" .\n"))
    files = file_patterns.named_patterns(words) or [
        name for name in file_patterns.things(words, ()) if file_patterns.is_updated(name)
    ]
    is_written, is_run = _WRITING.search(act), re.search(r"\bruns?\b", act, re.I)
    if names and (names != [ANY_TEST] or is_run):
        is_both = is_written and files and not re.search(r"\b(?:with|using|via)\b", act)
        return None if is_both or len(names) > 1 else {"on": "command", "runs": names}
    if files and is_written:
        return {"on": "write", "files": [name if name[:3] == "**/" else f"**/{name}" for name in files]}
    is_test = is_written and re.search(r"\btests?\b", act, re.I)
    return {"on": "write", "files": [ANY_TEST]} if is_test else None


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
    stated = derive_sure(statement)
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
        acts = trigger_commands.commands_of_acts(INLINE_CODE.sub(" ", line), "")
        spoken = [call for call in calls if call not in flags] or [act for act in acts if act not in _BROAD]
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
        or trigger_commands.commands_of_acts(word, "") for word in words
    )  # fmt: skip


def _rivals(text: str, chosen: list[str]) -> tuple[str, ...]:
    """The package managers that are used in place of a chosen one."""
    if not _is_whole(text, chosen):
        return ()
    return _forms([name for call in chosen if call in _MANAGERS for name in trigger_commands.rivals_of(call)])


_MANAGERS = lexicon.listed("npm pnpm yarn bun npx bunx pip uv poetry")


def _files(against: str) -> tuple[str, ...]:
    if (outside := _OUTSIDE.search(against)) and _WRITES.search(against):
        return tuple(f"!{pattern}" for pattern in file_patterns.named_patterns(outside[1], bare=True))
    patterns: list[str] = []
    for match in _CHANGES.finditer(against):
        folder = _FOLDER.fullmatch(match["place"])
        is_name = folder is not None and folder[1].lower() not in _NO_FOLDERS
        patterns += [f"**/{folder[1]}/**"] if folder and is_name else []
        patterns += [] if folder else file_patterns.named_patterns(match["place"])
        patterns += file_patterns.named_patterns(match["also"])
        patterns += filter(file_patterns.is_updated, file_patterns.things(match["place"], ()))
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
    files = set(file_patterns.files_named(text))
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
    is_named = program not in trigger_commands.AMBIGUOUS or _NAMED_AFTER.search(before)
    return f"`{match[0]}`" if is_named else match[0]


def _with_rivals(text: str, names: set[str]) -> str:
    """Programs whose names are words as well are code where another program for the same is named."""
    return _PLAIN_WORD.sub(lambda match: _rival(match[0], names), text)


def _rival(word: str, names: set[str]) -> str:
    rivals = trigger_commands.rivals_of(word.lower()) if word.lower() in trigger_commands.AMBIGUOUS else ()
    return word if names.isdisjoint(rivals) else f"`{word.lower()}`"

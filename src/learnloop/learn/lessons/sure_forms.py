"""Checks that the words of an instruction state for certain: naming, places, order, what is due. Pure.

A form is a pattern of words and the rules that they mean, with `<1>` for what a group holds. Each line of
`sure_forms.json` is one.
What no form covers is left alone: a wrong stop is worse than a lesson that is only told.
"""

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from learnloop.learn.language.words import INLINE_CODE
from learnloop.learn.lessons import named_files, trigger_words
from learnloop.models.lesson_check import ANY_SOURCE, ANY_TEST

CheckRule = dict[str, Any]
_LONGEST = 400
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
_SUCH_AS = re.compile(r"\bno [\w -]{0,40}\bsuch as ([\w -]+)", re.I)
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
    r"|npx) [a-z][\w:.-]*|git (?:status|diff|fetch|pull)|golangci-lint|pre-commit|ruff(?: (?:check|format))?|mypy|eslint|tsc)\b"
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


def derive(statement: str) -> list[CheckRule]:
    """The rules that a statement states; none where it asks, or says them under a condition."""
    text = statement[:_LONGEST].strip()
    if _CONDITION.search(text):
        return []
    stated = [_filled(rules, match) for words, rules in _forms() if (match := words.search(text))]
    rules: list[CheckRule] = [*_cased(text), *_such_as(text), *(rule for rules_ in stated for rule in rules_)]
    return rules or [*_before(text), *_done(text)] or [*_due(text)]


@cache
def _forms() -> list[tuple[re.Pattern[str], list[CheckRule]]]:
    rows = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))
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


def _cased(text: str) -> Iterator[CheckRule]:
    """Files of a folder whose names are written in one way."""
    if match := _CASED.search(text):
        case = next(form for words, form in _CASES.items() if re.fullmatch(words, match[2], re.I))
        unlike = rf"re:^{case}\.[a-z0-9.]+$"
        event = {"on": "write", "files": [f"/{match[1]}/*.*"], "fresh": True, "unlike": unlike}
        yield {"form": "never", "act": [event]}


def _such_as(text: str) -> Iterator[CheckRule]:
    """Words with the look of code that are named as what is not wanted; switched off they do no harm."""
    match = _SUCH_AS.search(text)
    words = re.findall(r"[\w-]*(?:[a-z][A-Z]|\w-\w)[\w-]*", match[1]) if match else []
    if words:
        texts = [rf"re:\b{word}\b(?:[^:]|: true|$)" for word in words]
        yield {"form": "never", "act": [{"on": "write", "text": texts, "skip": ["comments", "docs"]}]}


def _named(text: str) -> list[str]:
    """The commands that a text names, and the tests where it names none for them."""
    named = [match[1] or match[2] for match in _COMMAND.finditer(text)]
    is_about_tests = _TESTS.search(text) and not any("test" in name for name in named)
    return [*named, *([ANY_TEST] if is_about_tests else ())]


def _before(text: str) -> Iterator[CheckRule]:
    """Before a commit, a push or a start there was each of the commands that the words name."""
    goal = _BEFORE.search(text)
    if goal is None or _AGAINST.search(text[: goal.start()]):
        return
    act: CheckRule = {"on": "write", "files": ["**"]}
    if runs := _GOALS.get(goal[1].lower()):
        act = {"on": "command", "runs": runs, "lacks": ["--dry-run", "--abort", "--continue", "--help"]}
    for command in _named(f"{text[: goal.start()]} {text[goal.end() :]}"):
        rule: CheckRule = {"form": "before", "act": [act], "then": [{"on": "command", "runs": [command]}]}
        yield rule | ({"since": "edit", "passing": command[:4] != "git "} if runs else {})


def _done(text: str) -> Iterator[CheckRule]:
    """What has to pass after a change of code, before the agent says that it is done."""
    if (done := _DONE.search(text)) and not _AGAINST.search(text[: done.start()]):
        for command in _named(text[: done.start()]):
            yield {
                "form": "due", "act": [{"on": "write", "files": [ANY_SOURCE]}], "passing": True,
                "then": [{"on": "command", "runs": [command]}],
            }  # fmt: skip


def _due(text: str) -> Iterator[CheckRule]:
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
    if bare.rstrip("/") in named_files.ROOTS:
        return [f"{bare.rstrip('/')}/**"]
    languages = [f"**/*.{ending}" for ending in named_files.of_languages(bare, ())]
    patterns = named_files.named_patterns(bare) or named_files.things(bare, ()) or languages
    words = re.sub(r"(?<!\S)(?:an?|the|any|files?|folder|or|and|in)(?!\S)", " ", bare).split()
    return patterns if patterns and len(words) <= len(patterns) else []


def _settling(act: str) -> CheckRule | None:
    """The command or the file that is due; None where the words name none, or both."""
    words, names = act.replace("`", ""), _named(act) or _RUN_WORD.findall(act.strip(" .\n"))
    files = named_files.named_patterns(words) or [
        name for name in named_files.things(words, ()) if named_files.is_updated(name)
    ]
    is_written, is_run = _WRITING.search(act), re.search(r"\bruns?\b", act, re.I)
    if names and (names != [ANY_TEST] or is_run):
        is_both = is_written and files and not re.search(r"\b(?:with|using|via)\b", act)
        return None if is_both or len(names) > 1 else {"on": "command", "runs": names}
    if files and is_written:
        return {"on": "write", "files": [name if name[:3] == "**/" else f"**/{name}" for name in files]}
    is_test = is_written and re.search(r"\btests?\b", act, re.I)
    return {"on": "write", "files": [ANY_TEST]} if is_test else None

"""Rules that cannot both hold: opposite orders about a thing, or another tool for the same purpose. Pure."""

import re
from collections.abc import Iterable
from itertools import combinations
from typing import NamedTuple

from learnloop.learn.language import lexicon
from learnloop.learn.lessons import fingerprint
from learnloop.models.ids import draft_id
from learnloop.models.lesson import Lesson
from learnloop.models.preferences import Contradiction, Side

SAME_OBJECT = 0.6
"""The share of words in common from which on two orders are about the same thing."""
SAME_PURPOSE = 0.5
_MOST_SHARING = 60
"""Rules that share a word; a word in more of them says nothing of what a rule is about."""

_KINDS: dict[str, str] = {
    "package manager for JavaScript": "npm yarn pnpm bun",
    "package manager for Python": "pip uv poetry pipenv conda",
    "JavaScript test runner": "jest vitest mocha ava jasmine",
    "Python test runner": "pytest unittest nose",
    "Python formatter": "black yapf autopep8 ruff",
    "JavaScript formatter": "prettier biome dprint",
    "browser driver": "playwright cypress selenium puppeteer",
    "indentation": "tabs spaces tab space",
    "quotation marks": "single-quotes double-quotes backticks",
    "naming": "snake_case camelcase kebab-case pascalcase snake-case camel-case",
    "way to join branches": "rebase merge squash",
    "database": "postgres postgresql mysql sqlite mariadb mongodb",
    "bundler": "webpack vite rollup esbuild parcel turbopack",
    "language": "typescript javascript",
    "styling": "tailwind bootstrap styled-components",
    "HTTP client": "axios fetch requests httpx aiohttp",
    "way to write output": "print logging logger console.log",
}
_TOOLS: dict[str, str] = {tool: kind for kind, tools in _KINDS.items() for tool in tools.split()}
_CANONICAL = {"tab": "tabs", "space": "spaces", "postgresql": "postgres", "logger": "logging",
              "snake-case": "snake_case", "camel-case": "camelcase"}  # fmt: skip
_PAIRS = (
    (re.compile(r"\b(single|double) quot\w+", re.I), r"\1-quotes"),
    (re.compile(r"\b(snake|camel|kebab|pascal) case\b", re.I), r"\1case"),
)
_WORD = re.compile(r"[a-z0-9][\w.+/-]*[\w+]|[a-z0-9]", re.I)
_DENIED = re.compile(
    r"\b(?:instead of|rather than|over|never|without|avoid(?:ed|s)?|and not|(?:is|are) not|not|no"
    r"|do(?:es)? not|don't|isn't|aren't|doesn't)\b",
    re.I,
)
_REST = re.compile(r"[,;.]|\b(?:but|and (?!not)|is used|are used|used for|for|in|when|because|so)\b", re.I)
_TURNED = re.compile(r"\b(?:is|are) (?:not used|never used|avoided|not wanted|forbidden|not allowed)\b", re.I)
_SAYS_NOTHING = (
    lexicon.FILLER
    | lexicon.TALKING
    | lexicon.listed(
        """not never instead rather than over avoided avoid only prefer preferred favored run running write
        written wanted"""
    )
)


class _Rule(NamedTuple):
    lesson: Lesson
    words: frozenset[str]
    """What it is about, tools and denials left out."""
    about: frozenset[str]
    """What it is about, tools among it."""
    denies: bool
    named: dict[str, frozenset[str]]
    """By kind of tool, those that it asks for."""
    ruled_out: dict[str, frozenset[str]]


def find_contradictions(lessons: Iterable[Lesson]) -> list[Contradiction]:
    """The pairs of rules (drafts and active lessons with words) that contradict each other where both hold.

    The older rule of a pair comes first; the same whatever the order of the lessons.
    """
    rules = sorted(
        (_rule(one) for one in lessons if one.status in ("draft", "active") and one.statement),
        key=lambda rule: (rule.lesson.created, rule.lesson.id),
    )
    found = []
    for first, second in sorted(_candidates(rules)):
        one, other = rules[first], rules[second]
        if _same_place(one.lesson, other.lesson):
            made = _judged(one, other)
            if made is not None:
                found.append(made)
    return found


def _candidates(rules: list[_Rule]) -> set[tuple[int, int]]:
    """Pairs worth a look: they share a word that few rules have, or a kind of tool."""
    sharing: dict[str, list[int]] = {}
    for number, rule in enumerate(rules):
        for word in rule.about | {f"kind:{kind}" for kind in (*rule.named, *rule.ruled_out)}:
            sharing.setdefault(word, []).append(number)
    return {
        pair
        for numbers in sharing.values()
        if len(numbers) <= _MOST_SHARING
        for pair in combinations(numbers, 2)
    }


def _judged(one: _Rule, other: _Rule) -> Contradiction | None:
    if one.denies != other.denies and one.about == other.about and not _agree(one, other):
        return _made("polarity", "one asks for what the other rules out", one, other)
    for kind in sorted(
        (one.named.keys() | one.ruled_out.keys()) & (other.named.keys() | other.ruled_out.keys())
    ):
        reason = _of_tools(kind, one, other)
        if reason:
            return _made("tool", reason, one, other)
    if (
        one.denies != other.denies
        and _share(one.about, other.about) >= SAME_OBJECT
        and not _agree(one, other)
    ):
        return _made("polarity", "one asks for what the other rules out", one, other)
    return None


def _of_tools(kind: str, one: _Rule, other: _Rule) -> str:
    """Why two rules about one kind of tool contradict each other; empty where they do not."""
    nothing: frozenset[str] = frozenset()
    mine, yours = one.named.get(kind, nothing), other.named.get(kind, nothing)
    clash = (mine & other.ruled_out.get(kind, nothing)) | (yours & one.ruled_out.get(kind, nothing))
    if not _same_purpose(one.words, other.words):
        return ""
    if clash:
        return f"{kind}: one asks for {', '.join(sorted(clash))}, the other rules it out"
    if mine and yours and not mine & yours:
        return f"{kind}: {', '.join(sorted(mine))} or {', '.join(sorted(yours))}"
    return ""


def _same_purpose(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether two rules are about the same, or one is about everything."""
    return not one or not other or one <= other or other <= one or _share(one, other) >= SAME_PURPOSE


def _agree(one: _Rule, other: _Rule) -> bool:
    """Whether two rules say the same in two ways: pnpm instead of npm, and npm never."""
    kinds = one.ruled_out.keys() & other.ruled_out.keys()
    return any(one.ruled_out[kind] & other.ruled_out[kind] for kind in kinds)


def _share(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / len(one | other) if one and other else 0.0


def _rule(lesson: Lesson) -> _Rule:
    text = lesson.statement
    for pattern, joined in _PAIRS:
        text = pattern.sub(joined, text)
    wanted, unwanted = _halves(text)
    named, ruled_out = _by_kind(wanted), _by_kind(unwanted)
    named = {kind: tools - ruled_out.get(kind, frozenset()) for kind, tools in named.items()}
    normal = fingerprint.normalise(text)
    about = frozenset(word for word in normal.split() if word not in _SAYS_NOTHING)
    return _Rule(
        lesson=lesson,
        words=frozenset(word for word in about if _tool(word) is None),
        about=about,
        denies=fingerprint.denies(normal),
        named={kind: tools for kind, tools in named.items() if tools},
        ruled_out=ruled_out,
    )


def _halves(text: str) -> tuple[str, str]:
    """What a statement asks for, and what it rules out."""
    if _TURNED.search(text):
        return "", text
    wanted, unwanted, rest = [], [], text
    while match := _DENIED.search(rest):
        wanted.append(rest[: match.start()])
        after = rest[match.end() :]
        end = _REST.search(after.lstrip())
        cut = len(after) - len(after.lstrip()) + end.start() if end else len(after)
        unwanted.append(after[:cut])
        rest = after[cut:]
    return " ".join([*wanted, rest]), " ".join(unwanted)


def _by_kind(text: str) -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for word in _WORD.findall(text.lower()):
        tool = _tool(word)
        if tool is not None:
            found.setdefault(_TOOLS[tool], set()).add(tool)
    return {kind: frozenset(tools) for kind, tools in found.items()}


def _tool(word: str) -> str | None:
    known = _CANONICAL.get(word, word)
    if known in _TOOLS:
        return known
    return f"{known}s" if f"{known}s" in _TOOLS else None


def _same_place(one: Lesson, other: Lesson) -> bool:
    """Whether there is a place where both hold."""
    if "global" in (one.scope, other.scope):
        return True
    return one.project == other.project and (not one.path or not other.path or one.path == other.path)


def _made(kind: str, reason: str, one: _Rule, other: _Rule) -> Contradiction:
    sides = (_side(one.lesson), _side(other.lesson))
    key = "\0".join(sorted(side.lesson_id for side in sides))
    return Contradiction.model_validate(
        {
            "id": draft_id(key, "contradiction"),
            "kind": kind,
            "reason": reason,
            "one": sides[0],
            "other": sides[1],
        }
    )


def _side(lesson: Lesson) -> Side:
    said = lesson.evidence[-1] if lesson.evidence else None
    return Side(
        lesson_id=lesson.id, statement=lesson.statement, status=lesson.status, project=lesson.project,
        quote=said.quote if said else "", ts=said.ts if said else lesson.created,
    )  # fmt: skip

"""Finds lessons that contradict each other: opposite orders, or different tools for one purpose. Pure."""

import re
from collections.abc import Iterable
from itertools import combinations
from typing import Literal, NamedTuple

from learnloop.learn.language import lexicon, words
from learnloop.learn.lessons import fingerprint
from learnloop.models.ids import draft_id
from learnloop.models.lesson import Lesson
from learnloop.models.preferences import Contradiction, Side

SAME_OBJECT = 0.6
"""Two orders that share this much of their words, or more, are about the same thing."""
SAME_PURPOSE = 0.5
_MOST_SHARING = 60
"""Rules that may share a word. A word in more rules is too common to compare them by."""

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
    """Its subject without tools and denials."""
    about: frozenset[str]
    """Its subject with tools."""
    denies: bool
    named: dict[str, frozenset[str]]
    """Tools that it requires, by kind of tool."""
    ruled_out: dict[str, frozenset[str]]
    """Tools that it forbids, by kind of tool."""


def find_contradictions(lessons: Iterable[Lesson]) -> list[Contradiction]:
    """Pairs of drafts and active lessons that contradict each other where both apply.

    The older lesson of a pair comes first. The result does not depend on the order of the lessons.
    """
    rules = sorted(
        (_rule(lesson) for lesson in lessons if lesson.status in ("draft", "active") and lesson.statement),
        key=lambda rule: (rule.lesson.created, rule.lesson.id),
    )
    pairs = ((rules[older], rules[newer]) for older, newer in sorted(_candidates(rules)))
    return [
        contradiction
        for older, newer in pairs
        if _same_place(older.lesson, newer.lesson) and (contradiction := _compare(older, newer))
    ]


def _candidates(rules: list[_Rule]) -> set[tuple[int, int]]:
    """Pairs to compare: they share a word that few rules have, or a kind of tool."""
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


def _compare(first: _Rule, second: _Rule) -> Contradiction | None:
    # Two rules may agree in different words: pnpm instead of npm, and npm never.
    are_opposite = first.denies != second.denies and not any(
        tools & second.ruled_out.get(kind, frozenset()) for kind, tools in first.ruled_out.items()
    )
    is_same_object = first.about == second.about
    if not (are_opposite and is_same_object):
        kinds = {*first.named, *first.ruled_out} & {*second.named, *second.ruled_out}
        reasons = (_tool_conflict(kind, first, second) for kind in sorted(kinds))
        if reason := next(filter(None, reasons), ""):
            return _contradiction("tool", reason, first, second)
    if are_opposite and (is_same_object or words.jaccard(first.about, second.about) >= SAME_OBJECT):
        return _contradiction("polarity", "one asks for what the other rules out", first, second)
    return None


def _tool_conflict(kind: str, first: _Rule, second: _Rule) -> str:
    """Why two rules about one kind of tool contradict each other; empty if they do not."""
    nothing: frozenset[str] = frozenset()
    by_first, by_second = first.named.get(kind, nothing), second.named.get(kind, nothing)
    clash = by_first & second.ruled_out.get(kind, nothing) | by_second & first.ruled_out.get(kind, nothing)
    is_same_purpose = (
        first.words <= second.words  # one of them may apply to everything
        or second.words <= first.words
        or words.jaccard(first.words, second.words) >= SAME_PURPOSE
    )
    if not is_same_purpose:
        return ""
    if clash:
        return f"{kind}: one asks for {', '.join(sorted(clash))}, the other rules it out"
    if by_first and by_second and not by_first & by_second:
        return f"{kind}: {', '.join(sorted(by_first))} or {', '.join(sorted(by_second))}"
    return ""


def _rule(lesson: Lesson) -> _Rule:
    text = lesson.statement
    for pattern, joined in _PAIRS:
        text = pattern.sub(joined, text)
    requested, excluded = _split_polarity(text)
    named, ruled_out = _by_kind(requested), _by_kind(excluded)
    named = {kind: tools - ruled_out.get(kind, frozenset()) for kind, tools in named.items()}
    normal = fingerprint.normalise(text)
    about = frozenset(word for word in normal.split() if word not in _SAYS_NOTHING)
    plain = frozenset(word for word in about if _tool(word) is None)
    named = {kind: tools for kind, tools in named.items() if tools}
    return _Rule(lesson, plain, about, fingerprint.denies(normal), named, ruled_out)


def _split_polarity(text: str) -> tuple[str, str]:
    """The parts of a statement that require something, and those that forbid something."""
    if _TURNED.search(text):
        return "", text
    requested, excluded, rest = [], [], text
    while match := _DENIED.search(rest):
        requested.append(rest[: match.start()])
        after = rest[match.end() :]
        end = _REST.search(after.lstrip())
        cut = len(after) - len(after.lstrip()) + end.start() if end else len(after)
        excluded.append(after[:cut])
        rest = after[cut:]
    return " ".join([*requested, rest]), " ".join(excluded)


def _by_kind(text: str) -> dict[str, frozenset[str]]:
    tools_by_kind: dict[str, set[str]] = {}
    for word in _WORD.findall(text.lower()):
        tool = _tool(word)
        if tool is not None:
            tools_by_kind.setdefault(_TOOLS[tool], set()).add(tool)
    return {kind: frozenset(tools) for kind, tools in tools_by_kind.items()}


def _tool(word: str) -> str | None:
    canonical = _CANONICAL.get(word, word)
    if canonical in _TOOLS:
        return canonical
    return f"{canonical}s" if f"{canonical}s" in _TOOLS else None


def _same_place(first: Lesson, second: Lesson) -> bool:
    """Whether both lessons apply somewhere."""
    is_same_path = not first.path or not second.path or first.path == second.path
    return "global" in (first.scope, second.scope) or (first.project == second.project and is_same_path)


def _contradiction(
    kind: Literal["polarity", "tool"], reason: str, first: _Rule, second: _Rule
) -> Contradiction:
    sides = (_side(first.lesson), _side(second.lesson))
    key = "\0".join(sorted(side.lesson_id for side in sides))
    contradiction_id = draft_id(key, "contradiction")
    return Contradiction(id=contradiction_id, kind=kind, reason=reason, one=sides[0], other=sides[1])


def _side(lesson: Lesson) -> Side:
    latest = lesson.evidence[-1] if lesson.evidence else None
    return Side(
        lesson_id=lesson.id, statement=lesson.statement, status=lesson.status, project=lesson.project,
        quote=latest.quote if latest else "", ts=latest.ts if latest else lesson.created,
    )  # fmt: skip

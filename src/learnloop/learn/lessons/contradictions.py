"""Finds lessons that contradict each other: opposite orders, or different things for one purpose. Pure."""

from collections.abc import Iterable
from itertools import combinations
from typing import Literal, NamedTuple

from learnloop.learn.language import words
from learnloop.learn.lessons import meaning
from learnloop.learn.lessons.meaning import Meaning
from learnloop.models.ids import draft_id
from learnloop.models.lesson import Lesson
from learnloop.models.preferences import Contradiction, Side

OPPOSITE = 0.6
"""Two orders are opposite if this share of the weight of their words is asked for by one and ruled out by the
other."""
SAME_PURPOSE = 0.5
_MOST_SHARING = 60
"""Rules that may share a word. A word in more rules is too common to compare them by."""


class _Rule(NamedTuple):
    lesson: Lesson
    meaning: Meaning

    @property
    def about(self) -> frozenset[str]:
        """Its terms, without the things that compete with others."""
        return frozenset(term for term in self.meaning.signs if not meaning.purpose_of(term))


def find_contradictions(lessons: Iterable[Lesson]) -> list[Contradiction]:
    """Pairs of drafts and active lessons that contradict each other where both apply.

    The older lesson of a pair comes first. The result does not depend on the order of the lessons.
    """
    rules = sorted(
        (
            _Rule(lesson, meaning.read(lesson.statement))
            for lesson in lessons
            if lesson.status in ("draft", "active") and lesson.statement
        ),
        key=lambda rule: (rule.lesson.created, rule.lesson.id),
    )
    pairs = ((rules[older], rules[newer]) for older, newer in sorted(_candidates(rules)))
    return [
        contradiction
        for older, newer in pairs
        if _same_place(older.lesson, newer.lesson) and (contradiction := _compare(older, newer))
    ]


def is_opposite(first: str, second: str) -> bool:
    """Whether one text asks for what the other rules out."""
    return _opposite(meaning.read(first), meaning.read(second)) >= OPPOSITE


def _candidates(rules: list[_Rule]) -> set[tuple[int, int]]:
    """Pairs to compare: they share a word that few rules have, or a purpose."""
    sharing: dict[str, list[int]] = {}
    for number, rule in enumerate(rules):
        for key in keys_of(rule.meaning):
            sharing.setdefault(key, []).append(number)
    return {
        pair
        for numbers in sharing.values()
        if len(numbers) <= _MOST_SHARING
        for pair in combinations(numbers, 2)
    }


def keys_of(read: Meaning) -> set[str]:
    """What two rules have at least one of in common if they contradict each other."""
    return {*read.signs, *(f"for:{purpose}" for purpose in (*read.wants, *read.rules_out))}


def _compare(first: _Rule, second: _Rule) -> Contradiction | None:
    opposite = _opposite(first.meaning, second.meaning)
    if opposite < 1:
        purposes = [*first.meaning.wants, *first.meaning.rules_out]
        reasons = (_rivalry(purpose, first, second) for purpose in sorted({*purposes}))
        if reason := next(filter(None, reasons), ""):
            return _contradiction("tool", reason, first, second)
    if opposite >= OPPOSITE:
        return _contradiction("polarity", "one asks for what the other rules out", first, second)
    return None


def _opposite(first: Meaning, second: Meaning) -> float:
    """The share of their words that one asks for and the other rules out; 1 where no other word is left."""
    shared = first.signs.keys() & second.signs.keys()
    clashing = {term for term in shared if first.signs[term] * second.signs[term] < 0}
    every = first.signs.keys() | second.signs.keys()
    if clashing and first.signs.keys() == second.signs.keys():
        agrees = any(first.signs[term] * second.signs[term] > 0 for term in every)
        return 0.0 if agrees else 1.0
    return sum(map(meaning.weight, clashing)) / (sum(map(meaning.weight, every)) or 1.0)


def _rivalry(purpose: str, first: _Rule, second: _Rule) -> str:
    """Why two rules about one purpose contradict each other; empty if they do not."""
    nothing: set[str] = set()
    by_first, by_second = first.meaning.wants, second.meaning.wants
    asked = by_first.get(purpose, nothing), by_second.get(purpose, nothing)
    clash = asked[0] & second.meaning.rules_out.get(purpose, nothing)
    clash |= asked[1] & first.meaning.rules_out.get(purpose, nothing)
    if not _same_purpose(purpose, first, second):
        return ""
    if clash:
        return f"{purpose}: one asks for {', '.join(sorted(clash))}, the other rules it out"
    if all(asked) and asked[0].isdisjoint(asked[1]):
        return f"{purpose}: {' or '.join(', '.join(sorted(things)) for things in asked)}"
    return ""


def _same_purpose(purpose: str, first: _Rule, second: _Rule) -> bool:
    """Whether two rules are about the same matter. One of them may apply to everything; numbers do not."""
    if purpose == meaning.NUMBER:
        return bool(first.meaning.habits.keys() & second.meaning.habits.keys())
    is_part = first.about <= second.about or second.about <= first.about
    return is_part or words.jaccard(first.about, second.about) >= SAME_PURPOSE


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

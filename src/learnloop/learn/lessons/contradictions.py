"""Finds lessons that contradict each other: opposite orders, or different things for one purpose. Pure."""

from collections.abc import Iterable, Mapping
from itertools import combinations
from typing import Any, Literal, NamedTuple

from learnloop.learn.lessons import acts, meaning, similarity
from learnloop.learn.lessons.meaning import Meaning
from learnloop.models.ids import draft_id
from learnloop.models.lesson import Lesson
from learnloop.models.preferences import Contradiction, Side
from learnloop.wire import origin

SAME_MATTER = 0.65
"""Two orders are about one matter from this cosine on, signs, rivals and numbers left out of account."""
_MOST_SHARING = 60
"""Rules that may share a word. A word in more rules is too common to compare them by."""


class _Rule(NamedTuple):
    lesson: Lesson
    meaning: Meaning


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
    place_by_id = {rule.lesson.id: place for place, rule in enumerate(rules)}
    named = {
        (min(place, other), max(place, other))
        for place, rule in enumerate(rules)
        if (other := place_by_id.get(rule.lesson.contradicts)) is not None and other != place
    }
    pairs = ((rules[older], rules[newer]) for older, newer in sorted(_candidates(rules) | named))
    return [
        contradiction
        for older, newer in pairs
        if _same_place(older.lesson, newer.lesson) and (contradiction := _compare(older, newer))
    ]


def _candidates(rules: list[_Rule]) -> set[tuple[int, int]]:
    """Pairs to compare: they share a word that few rules have, or a purpose."""
    sharing: dict[str, list[int]] = {}
    for number, rule in enumerate(rules):
        for key in keys_of(rule.meaning) | programs(rule.lesson.as_json()):
            sharing.setdefault(key, []).append(number)
    return {
        pair
        for numbers in sharing.values()
        if len(numbers) <= _MOST_SHARING
        for pair in combinations(numbers, 2)
    }


def keys_of(read: Meaning) -> set[str]:
    """What two rules have at least one of in common if they contradict each other."""
    return {*read.signs, *(f"for:{purpose}" for purpose in map(meaning.purpose_of, read.signs) if purpose)}


def programs(doc: Mapping[str, Any]) -> set[str]:
    """The programs that the check of a lesson (a stored document) is about, as what two may share."""
    events = (
        event for rule in doc.get("check") or () for side in ("act", "then") for event in rule.get(side, ())
    )
    return {f"runs:{name.partition(' ')[0]}" for event in events for name in event.get("runs", ())}


def _clash(first: Lesson, second: Lesson) -> str:
    """The command that the check of one asks for and that of the other forbids; empty where there is none."""
    for asking, other in ((first, second), (second, first)):
        for rule in asking.check if other.check else ():
            named = [name for event in rule.then if rule.form != "after" for name in event.runs]
            calls = [acts.AgentCall(command=name.replace("*", "")) for name in named]
            if named and all(acts.breach(other.as_json(), call) for call in calls):
                return named[0]
    return ""


def _compare(first: _Rule, second: _Rule) -> Contradiction | None:
    """What two rules contradict each other in, as a model or their words say; None where they do not."""
    if first.lesson.id == second.lesson.contradicts or second.lesson.id == first.lesson.contradicts:
        is_read = not any(each.lesson.source.startswith(("import", "team")) for each in (first, second))
        why = "the model that read it says so" if is_read else "one is another version of the other"
        return _contradiction("polarity", why, first, second)
    if contradiction := _in_words(first, second):
        return contradiction
    command = _clash(first.lesson, second.lesson)
    reason = f"one asks for `{command}`, the other forbids it"
    return _contradiction("polarity", reason, first, second) if command else None


def _in_words(first: _Rule, second: _Rule) -> Contradiction | None:
    if _nearness(first.meaning, second.meaning) < SAME_MATTER:
        return None
    is_same_matter = first.meaning.signs.keys() == second.meaning.signs.keys()
    if not is_same_matter and (reason := _rivalry(first.meaning, second.meaning)):
        return _contradiction("tool", reason, first, second)
    if similarity.opposition(first.meaning, second.meaning) >= similarity.OPPOSITE:
        return _contradiction("polarity", "one asks for what the other rules out", first, second)
    return None


def _nearness(first: Meaning, second: Meaning) -> float:
    """How near the matters of two rules are: the cosine of what is no tool or number that competes."""
    left, right = _matter(first), _matter(second)
    if not left.signs or not right.signs:  # "use tabs" holds for all that "indent Go with spaces" is about
        return 1.0
    return similarity.figures(left, right).cosine


def _matter(read: Meaning) -> Meaning:
    return Meaning({term: sign for term, sign in read.signs.items() if not meaning.purpose_of(term)})


def _rivalry(first: Meaning, second: Meaning) -> str:
    """The things for one purpose that both name, one against the other; empty where there are none."""
    for purpose in sorted({meaning.purpose_of(term) for term in first.signs} - {""}):
        asked, others = (_of_purpose(read, purpose, 1) for read in (first, second))
        clash = asked & _of_purpose(second, purpose, -1) | others & _of_purpose(first, purpose, -1)
        if clash:
            return f"{purpose}: one asks for {', '.join(sorted(clash))}, the other rules it out"
        if asked and others and asked.isdisjoint(others):
            return f"{purpose}: {' or '.join(', '.join(sorted(things)) for things in (asked, others))}"
    return ""


def _of_purpose(read: Meaning, purpose: str, sign: int) -> set[str]:
    return {term for term in read.signs if read.signs[term] == sign and meaning.purpose_of(term) == purpose}


def _same_place(first: Lesson, second: Lesson) -> bool:
    """Whether both lessons apply somewhere."""
    is_same_path = not first.path or not second.path or first.path == second.path
    is_same = origin.is_same(first.project, second.project, first.repo)
    return "global" in (first.scope, second.scope) or (is_same and is_same_path)


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

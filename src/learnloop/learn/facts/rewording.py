"""Better words for a draft, as a model gives them: what of them holds, and which triggers follow. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from learnloop.learn.facts import support
from learnloop.learn.facts.answers import ReadFact
from learnloop.learn.facts.fact_findings import holds_redacted
from learnloop.learn.language import wording
from learnloop.learn.lessons import triggers
from learnloop.learn.lessons.trigger_choice import Calls
from learnloop.learn.offers import injection_flags
from learnloop.models.lesson import Lesson, Triggers
from learnloop.wire import redact

_NONE, _SAME = "the model found no better words", "they are the words that it has"
_UNSUPPORTED = "fewer than half of the words stand in what you typed"
_SECRET = "they hold what was blacked out"


class BetterWords(NamedTuple):
    """What a model says in place of a draft's statement, or why it counts for nothing."""

    statement: str = ""
    caution: str = ""
    """Why the words look as if they spoke to the agent; empty where they do not."""
    why_not: str = ""


def typed(lesson: Lesson) -> str:
    """What the person typed, as far as the lesson quotes it."""
    return "\n".join(dict.fromkeys(seen.quote for seen in lesson.evidence))


def of_answer(
    facts: Iterable[ReadFact], drafts: Mapping[str, Lesson], extras: Sequence[str]
) -> dict[str, BetterWords]:
    """By the names of the request, what an answer says of each draft: the first that it says counts."""
    said: dict[str, str] = {}
    for fact in facts:
        for name in fact.names:
            said.setdefault(name, fact.text)
    return {name: _judged(said.get(name, ""), lesson, extras) for name, lesson in drafts.items()}


def _judged(text: str, lesson: Lesson, extras: Sequence[str]) -> BetterWords:
    words = redact.cleaned(text, extras)
    if not words:
        return BetterWords(why_not=_NONE)
    if holds_redacted(words):
        return BetterWords(why_not=_SECRET)
    if not support.is_supported(words, typed(lesson)):
        return BetterWords(why_not=_UNSUPPORTED)
    statement = wording.as_sentence(words)
    if statement == lesson.statement:
        return BetterWords(why_not=_SAME)
    return BetterWords(statement, injection_flags.injection_warning(statement))


def triggers_of(statement: str, lesson: Lesson, history: Calls) -> Triggers:
    """The triggers that follow from other words; those that it has where none follow."""
    seen = lesson.evidence[0]
    derived = triggers.derive(
        statement, seen.quote, files=seen.files, commands=seen.commands, task=seen.task,
        project=lesson.project, history=history,
    )  # fmt: skip
    return derived if any(derived.model_dump().values()) else lesson.triggers

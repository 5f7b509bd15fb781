"""How good facts are that any answers hold, by labels.

Labels are lines {"text": a prompt, "facts": […]} and {"statement": a draft, "verdict": "A"}: A as worded, B
in other words, C true of its task alone, D wrong. Answers are lines of `learn facts requests`, each with an
`answer`.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple

from pydantic import TypeAdapter, ValidationError

from learnloop.errors import Unreadable
from learnloop.learn.facts import answers, fact_findings, requests
from learnloop.learn.facts.fact_findings import Checks, TypedPrompt
from learnloop.learn.lessons.scorer import LEAST_SURE
from learnloop.learn.profile import agent_tallies
from learnloop.models.agent import Interval
from learnloop.models.base import Document
from learnloop.wire import clock, redact

Doc = Mapping[str, Any]
_HEAD = 80
"""Characters by which a prompt is known again."""


class LabelledPrompt(Document):
    """A prompt, and the lessons that a reader found in it; one that several prompts carry counts once."""

    text: str
    facts: tuple[str, ...]


class JudgedDraft(Document):
    """A draft, and what a reader made of it who does not know where it is from."""

    statement: str
    verdict: Literal["A", "B", "C", "D"]
    """A: approved as worded · B: worth keeping in other words · C: true of its task alone · D: wrong, or the
    opposite."""


class AnsweredDraft(NamedTuple):
    """What an answer would make a draft of."""

    statement: str
    sure: int
    prompts: tuple[str, ...]
    """The words of those that it rests on."""


class AnswerScore(Document):
    """How good drafts of answers are, by labels and by a reader's verdicts."""

    answers: int = 0
    failed: int = 0
    """Of the answers, those that cannot be read."""
    least_sure: int = 0
    """So sure the drafts are that were counted, or surer."""
    drafts: int = 0
    judged: int = 0
    approved: int = 0
    approved_interval: Interval | None = None
    worth_keeping: int = 0
    """Approved, or worth it in other words."""
    reversed: int = 0
    reversed_interval: Interval | None = None
    lessons: int = 0
    found: int = 0
    """Lessons of the labels of which a prompt has a draft."""
    found_interval: Interval | None = None


def score(
    drafts: Iterable[AnsweredDraft], labels: Iterable[LabelledPrompt], judged: Iterable[JudgedDraft],
    least_sure: int,
) -> AnswerScore:  # fmt: skip
    """The score of all drafts that are at least so sure."""
    counted = [draft for draft in drafts if draft.sure >= least_sure]
    verdict_by_words = {_flat(each.statement): each.verdict for each in judged}
    verdicts = Counter(verdict_by_words.get(_flat(draft.statement), "") for draft in counted)
    del verdicts[""]
    spoken = [_flat(words) for draft in counted for words in draft.prompts]
    prompts_by_lesson: dict[str, list[str]] = {}
    for label in labels:
        for lesson in label.facts:
            prompts_by_lesson.setdefault(_flat(lesson), []).append(_flat(label.text))
    found = sum(
        any(words[:_HEAD] in prompt for prompt in prompts for words in spoken)
        for prompts in prompts_by_lesson.values()
    )
    total, wilson = verdicts.total(), agent_tallies.wilson
    return AnswerScore(
        least_sure=least_sure, drafts=len(counted), judged=total, approved=verdicts["A"],
        approved_interval=wilson(verdicts["A"], total), worth_keeping=verdicts["A"] + verdicts["B"],
        reversed=verdicts["D"], reversed_interval=wilson(verdicts["D"], total),
        lessons=len(prompts_by_lesson), found=found, found_interval=wilson(found, len(prompts_by_lesson)),
    )  # fmt: skip


def _flat(words: str) -> str:
    return " ".join(words.split()).rstrip(".").casefold()


_LABELS = TypeAdapter(LabelledPrompt | JudgedDraft)
_LABEL = 'a line is {"text": a prompt, "facts": […]} or {"statement": a draft, "verdict": "A"}'
_ANSWER = "a line is one of learn facts requests, with an answer"


def of_answers(labels: Iterable[str], answered: Iterable[str]) -> list[AnswerScore]:
    """The score of answered requests by labels, of all drafts and of the sure ones; raises Unreadable."""
    read, held = list(_labels(labels)), list[Sequence[AnsweredDraft] | None]()
    for number, line in enumerate(answered, 1):
        if line.strip():
            try:
                held.append(_drafts(json.loads(line)))
            except (ValueError, KeyError, IndexError, TypeError):
                raise Unreadable(f"line {number} is no request with an answer", _ANSWER) from None
    return _scored(read, held)


def _scored(
    labels: Sequence[LabelledPrompt | JudgedDraft], held: Sequence[Sequence[AnsweredDraft] | None]
) -> list[AnswerScore]:
    prompts = [label for label in labels if isinstance(label, LabelledPrompt)]
    judged = [label for label in labels if isinstance(label, JudgedDraft)]
    drafts = [draft for of_answer in held for draft in of_answer or ()]
    scored = (score(drafts, prompts, judged, least) for least in (0, LEAST_SURE))
    return [each.with_(answers=len(held), failed=held.count(None)) for each in scored]


def _drafts(line: dict[str, Any]) -> list[AnsweredDraft] | None:
    """What the strict reader leaves of an answered request; None where the answer cannot be read."""
    data = [json.loads(item) for item in str(line["text"]).split("\n")[1:-1]]
    given, messages = data[0], {item["message"]: item["text"] for item in data[1:]}
    lessons = given["known lessons"]
    context = requests.Known(
        given["project"], given["files of the project say"], lessons, {name: name for name in lessons}
    )
    try:
        answer = answers.parse(line["answer"])
    except answers.BadAnswer:
        return None
    return list(_held(answer, messages, context))


def _held(answer: answers.Answer, messages: dict[str, str], given: requests.Known) -> Iterator[AnsweredDraft]:
    prompts = {name: TypedPrompt(name, clock.iso(0), "", text) for name, text in messages.items()}
    for finding in fact_findings.of_prompts(answer.facts, prompts, Checks(given)):
        if finding["status"] == "raw":
            rests_on = tuple(messages[name] for name in finding["event_ids"])
            yield AnsweredDraft(finding["text"], finding["sure"], rests_on)


def _labels(lines: Iterable[str]) -> Iterator[LabelledPrompt | JudgedDraft]:
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                label = _LABELS.validate_json(line)
            except ValidationError:
                raise Unreadable(f"line {number} is no label", _LABEL) from None
            if isinstance(label, LabelledPrompt):
                label = label.with_(text=redact.cleaned(label.text[: requests.MOST_CHARS]))
            yield label

"""How good facts are: what the person decided about each, and what readers say of answers. Pure."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, Literal, NamedTuple

from learnloop.learn.profile import agent_tallies
from learnloop.models.agent import Interval
from learnloop.models.base import Document

Doc = Mapping[str, Any]
_HEAD = 80
"""Characters by which a prompt is known again."""


def verdict(lesson: Doc) -> str:
    """What a person decided about a draft; one that expired unread has no verdict."""
    status = lesson.get("status", "")
    if status == "archived":
        is_judged = lesson.get("reviewed_at") and lesson.get("archived_reason") != "expired"
        return "accepted" if is_judged else "waiting"
    return {"active": "accepted", "rejected": "rejected", "draft": "waiting"}.get(str(status), "gone")


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


def of_answers(
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

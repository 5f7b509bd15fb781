"""How good facts are: against what the person decided, and against prompts that a reader labelled. Pure."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from learnloop.learn.facts import support
from learnloop.learn.facts.fact_findings import TypedPrompt
from learnloop.learn.lessons import similarity
from learnloop.learn.profile import agent_tallies
from learnloop.models.agent import Interval
from learnloop.models.base import Document
from learnloop.models.fact import Fact

Doc = Mapping[str, Any]
_DRAFTED = ("draft", "taken")


class FactScore(Document):
    """The facts of one model, kind or source, and what became of them."""

    by: str
    """all, model, kind, or source: the rule that drafted the sentence first, `synthesis` where none did."""
    name: str
    facts: int = 0
    unsupported: int = 0
    known: int = 0
    merged: int = 0
    refused: int = 0
    drafts: int = 0
    """Lessons that they became."""
    waiting: int = 0
    accepted: int = 0
    edited: int = 0
    """Of the accepted ones, those whose words the person changed."""
    rejected: int = 0
    accepted_share: float | None = None
    """Of the drafts with a verdict; None without one."""
    interval: Interval | None = None
    drafts_per_kept: float | None = None
    """Drafts with a verdict for each one that was accepted."""


def scores(
    facts: Iterable[Fact], models: Mapping[str, str], lessons: Mapping[str, Doc], edited: Collection[str]
) -> list[FactScore]:
    """The scores of all facts together and by group; `models` names that of a run, `edited` lessons."""
    groups: dict[tuple[str, str], list[Fact]] = {}
    for fact in facts:
        asked = " → ".join(dict.fromkeys(models.get(run_id, "?") for run_id in fact.run_ids))
        source = str(lessons.get(fact.lesson_id, {}).get("source", "")) or "none"
        for group in (("all", ""), ("model", asked), ("kind", fact.kind), ("source", source)):
            groups.setdefault(group, []).append(fact)
    return [_score(by, name, groups[by, name], lessons, edited) for by, name in sorted(groups)]


def _score(
    by: str, name: str, facts: Sequence[Fact], lessons: Mapping[str, Doc], edited: Collection[str]
) -> FactScore:
    states = Counter(fact.status for fact in facts)
    drafts = dict.fromkeys(fact.lesson_id for fact in facts if fact.status in _DRAFTED)
    verdicts = {lesson_id: _verdict(lessons.get(lesson_id, {})) for lesson_id in drafts}
    counts = Counter(verdicts.values())
    accepted, judged = counts["accepted"], counts["accepted"] + counts["rejected"]
    return FactScore(
        by=by, name=name, facts=len(facts), unsupported=states["unsupported"], known=states["known"],
        merged=states["merged"], refused=states["refused"], drafts=len(drafts), waiting=counts["waiting"],
        accepted=accepted, rejected=counts["rejected"],
        edited=sum(verdict == "accepted" and name in edited for name, verdict in verdicts.items()),
        accepted_share=accepted / judged if judged else None,
        interval=agent_tallies.wilson(accepted, judged),
        drafts_per_kept=judged / accepted if accepted else None,
    )  # fmt: skip


def _verdict(lesson: Doc) -> str:
    """What a person decided about a draft; one that expired unread has no verdict."""
    status = lesson.get("status", "")
    if status == "archived":
        is_judged = lesson.get("reviewed_at") and lesson.get("archived_reason") != "expired"
        return "accepted" if is_judged else "waiting"
    return {"active": "accepted", "rejected": "rejected", "draft": "waiting"}.get(str(status), "gone")


class LabelledPrompt(Document):
    """A prompt, and the facts that a reader found in it."""

    text: str
    facts: tuple[str, ...]


class ExtractionScore(Document):
    """What a model found of the facts that a reader found."""

    prompts: int = 0
    labelled: int = 0
    found: int = 0
    found_interval: Interval | None = None
    facts: int = 0
    """Of the model."""
    unsupported: int = 0
    """Of these, those whose words do not stand in the prompt; the pipeline keeps them aside."""
    beside: int = 0
    """Of the others, those that no reader found."""
    beside_interval: Interval | None = None
    calls: int = 0
    failed: int = 0
    seconds: float = 0.0
    cost_usd: float | None = None
    """None where a call told none."""


def compared(
    labelled: Mapping[str, LabelledPrompt], prompts: Mapping[str, TypedPrompt], findings: Iterable[Doc]
) -> tuple[int, int, int, int]:
    """Facts of a reader that findings say, findings, those without support, those that no reader has."""
    event_ids = {prompt.event_id: name for name, prompt in prompts.items()}
    said: dict[str, list[str]] = {name: [] for name in labelled}
    unsupported = beside = total = 0
    for finding in findings:
        total += 1
        names = [event_ids[event_id] for event_id in finding["event_ids"] if event_id in event_ids]
        if finding["status"] == "unsupported":
            unsupported += 1
            continue
        for name in names:
            said[name].append(finding["text"])
        beside += not any(_is_same(fact, finding["text"]) for name in names for fact in labelled[name].facts)
    found = sum(
        any(_is_same(fact, text) for text in said[name])
        for name, prompt in labelled.items()
        for fact in prompt.facts
    )
    return found, total, unsupported, beside


def _is_same(labelled: str, text: str) -> bool:
    return similarity.says_the_same(labelled, text) or support.is_supported(labelled, text)

"""The standing approval: which facts `auto` takes in, and which approvals rest on it. Pure."""

from collections.abc import Iterable, Mapping, Sequence

from learnloop.learn.facts import reach, reading_consent
from learnloop.learn.facts.reading_consent import Consent
from learnloop.learn.lessons import claims, decisions
from learnloop.learn.offers import injection_flags
from learnloop.models import Decision
from learnloop.models.fact import Fact, FactRun
from learnloop.models.lesson import Lesson

NO_STANDING = "no person let facts of that project be taken in"
NO_FACT = "it is no fact of that project in the person's words"
_ACTIONS = ("promote", "patch")
_SURE = 75
"""How sure a model must be, of 100: the question gives as much to a plain correction."""


def why_held(
    lesson: Lesson, held_facts: Iterable[Fact], runs: Sequence[FactRun], consent: Consent,
    prompts: Mapping[str, str],
) -> str:  # fmt: skip
    """Why a draft that a model read is left to the person; empty where it may be taken in.

    `prompts` are those of its evidence, by id.
    """
    words = "\n".join([lesson.statement, *(seen.quote for seen in lesson.evidence)])
    warning = injection_flags.injection_warning(words)
    every = [fact for fact in held_facts if fact.status == "draft"]
    given_up = {run.id for run in runs if run.stage == "merge" and run.error}
    quotes = [(seen.quote.rstrip("…"), prompts.get(seen.event_id, "")) for seen in lesson.evidence]
    reasons = (
        (f"it {warning}", bool(warning)),
        ("its words are not yours", lesson.trust != "user"),
        ("an agent may have decided about it", bool(lesson.claims)),
        ("its words stand in no prompt of yours", any(quote not in prompt for quote, prompt in quotes)),
        ("its words may be pasted", any(reach.may_be_pasted(prompt) for _, prompt in quotes)),
        ("it needs words", lesson.needs_words or not lesson.statement),
        ("it is CRITICAL", "CRITICAL" in (lesson.priority, lesson.proposed_priority)),
        ("it stops calls", lesson.gate or lesson.stops),
        ("it was found before you switched auto on", any(f.created < consent.auto_since for f in every)),
        ("the model is not sure enough of it", not any((fact.sure or 0) >= _SURE for fact in every)),
        ("the second stage gave no answer", any(given_up.intersection(fact.run_ids) for fact in every)),
    )
    return next((reason for reason, holds in reasons if holds), "")


def fault(decision: Decision, every: Iterable[Decision]) -> str:
    """Why an approval in the name of the standing one is claimed; empty for one that rests on a person's.

    It rests on the decision `facts` of its project that is in effect at its time and that nobody claims.
    """
    if decision.by != claims.STANDING:
        return ""
    before = [other for other in every if other.ts <= decision.ts]
    consent = reading_consent.by_project(before, reading_consent.AUTO).get(
        str(decision.args.get("project", ""))
    )
    is_given = consent is not None and consent.mode == reading_consent.AUTO
    return "" if is_given and decision.action in _ACTIONS else NO_STANDING


def approvals(every: Iterable[Decision]) -> list[Decision]:
    """What was approved by the standing approval and is in effect, oldest first.

    A `patch` among them wrote a part that could not be put back.
    """
    return [each for each in decisions.effective_decisions(every) if each.by == claims.STANDING]


def rejected(every: Iterable[Decision]) -> list[Decision]:
    """The approvals of lessons that a person rejected, at the same instant or later."""
    effective = decisions.effective_decisions(every)
    last = {name: each.action for each in effective if each.by != claims.STANDING for name in each.lesson_ids}
    return [
        each
        for each in effective
        if each.by == claims.STANDING and any(last.get(name) == "reject" for name in each.lesson_ids)
    ]

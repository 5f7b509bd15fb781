"""Makes a draft lesson of a fact: words, scope and moments as the model gave them. Pure."""

from collections.abc import Iterable
from typing import Any

from learnloop.learn.facts.answers import SURE, SUREST
from learnloop.learn.hear import wording
from learnloop.learn.hear.candidates import ScoredSentence
from learnloop.learn.language.words import own_words
from learnloop.learn.lessons import drafts, impact, meaning, origins, trigger_limits
from learnloop.learn.lessons.trigger_choice import Calls
from learnloop.learn.offers import injection_flags
from learnloop.models.fact import Finding
from learnloop.models.lesson import Evidence, Lesson, Triggers

Doc = dict[str, Any]
_FIELDS = {"write": "file_patterns", "run": "command_patterns", "prompt": "context_keywords"}


def draft(finding: Finding, project: str, history: Calls) -> Lesson:
    """The draft of a finding, with the person's quote; its chance is what the model says."""
    evidence = tuple(Evidence.model_validate(seen) for seen in finding["evidence"])
    first = evidence[0]
    own = own_words(first.quote)
    own = own if own.every else own_words(finding["text"])
    sentence = own.restore(own.every[0].text)
    words = wording.Wording(wording.as_sentence(finding["text"]))
    lesson = drafts.draft_from_candidate(
        own, ScoredSentence(0, sentence, 1.0, "fact", words), event_id=first.event_id, ts=first.ts,
        session_id=first.session_id, project=project, before={**first.as_json(), "history": history},
        source=origins.SYNTHESIS,
    )  # fmt: skip
    reach = _reach(finding, project) or impact.Reach(lesson.scope, lesson.project, lesson.path)
    return lesson.with_(
        id=finding["draft_id"], evidence=evidence, seen_count=len(evidence), **reach._asdict(),
        confidence=finding.get("sure", SURE) / SUREST, contradicts=finding.get("contradicts", ""),
        triggers=triggers_of(finding.get("when", ())) or lesson.triggers,
        fingerprint=meaning.fingerprint_of(lesson.statement, reach.scope, reach.project),
        **_caution(finding),
    )  # fmt: skip


def _reach(finding: Finding, project: str) -> impact.Reach | None:
    """Where a finding holds; None where an earlier version did not ask for it."""
    if finding["folder"]:
        return impact.Reach("module", project, finding["folder"])
    if "is_global" not in finding:
        return None
    return impact.Reach("global", "", "") if finding["is_global"] else impact.Reach("project", project, "")


def triggers_of(when: Iterable[str]) -> Triggers | None:
    """The triggers that moments are: empty ones for every start, None where no moment is valid."""
    fields: dict[str, tuple[str, ...]] = {}
    is_said = False
    for moment in when:
        name, _, words = moment.partition(" ")
        is_said |= name in ("start", "end") and not words
        field = _FIELDS.get(name, "")
        if field and words.strip() and not trigger_limits.problem({field: [words]}):
            fields[field] = (*fields.get(field, ()), words.strip())
    return Triggers(**fields) if fields or is_said else None


def _caution(finding: Finding) -> Doc:
    """Words that speak to the agent are shown as somebody else's, with the reason."""
    words = "\n".join([finding["text"], *(seen["quote"] for seen in finding["evidence"])])
    context = injection_flags.flagged("", words)
    return {"context": context, "trust": "external"} if context else {}

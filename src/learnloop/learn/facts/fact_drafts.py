"""Makes a draft lesson of a fact, through the rules that make every other draft. Pure."""

from collections.abc import Sequence
from typing import Any

from learnloop.learn.facts import own_wording
from learnloop.learn.language import wording
from learnloop.learn.language.words import own_words
from learnloop.learn.lessons import drafts, origins
from learnloop.learn.lessons.candidates import ScoredSentence
from learnloop.learn.lessons.trigger_choice import Calls
from learnloop.learn.offers import injection_flags
from learnloop.models.lesson import Evidence, Lesson

Doc = dict[str, Any]
_CHANCE = {"extract": 0.6, "merge": 0.75}
"""That a reviewer keeps it: after the first stage, and where both stages agree."""
_ANOTHER_SESSION, _ANOTHER_PROMPT = 0.6, 0.9
"""What is left of the doubt where one more session, or one more prompt, says it."""


def draft(finding: Doc, stage: str, project: str, history: Calls) -> Lesson:
    """The draft of a finding: in the person's words where their sentence says the same, with their quote."""
    evidence = [Evidence.model_validate(seen) for seen in finding["evidence"]]
    first = evidence[0]
    own = own_words(first.quote)
    own = own if own.every else own_words(finding["text"])
    sentence = own.restore(own.every[0].text)
    words = wording.Wording(own_wording.word(finding["text"], own))
    chance = _chance(stage, evidence)
    lesson = drafts.draft_from_candidate(
        own, ScoredSentence(0, sentence, chance, "fact", words), event_id=first.event_id, ts=first.ts,
        session_id=first.session_id, project=project, before={**first.as_json(), "history": history},
        source=origins.SYNTHESIS,
    )  # fmt: skip
    placed = {"scope": "module", "path": finding["folder"]} if finding["folder"] else {}
    return lesson.with_(
        id=finding["draft_id"], evidence=evidence, seen_count=len(evidence), **placed, **_caution(finding)
    )


def _chance(stage: str, evidence: Sequence[Evidence]) -> float:
    sessions, prompts = ({getattr(seen, name) for seen in evidence} for name in ("session_id", "event_id"))
    doubt = (1 - _CHANCE[stage]) * _ANOTHER_SESSION ** (len(sessions) - 1)
    return 1 - doubt * _ANOTHER_PROMPT ** (len(prompts) - len(sessions))


def _caution(finding: Doc) -> Doc:
    """Words that speak to the agent are shown as somebody else's, with the reason."""
    words = "\n".join([finding["text"], *(seen["quote"] for seen in finding["evidence"])])
    context = injection_flags.flagged("", words)
    return {"context": context, "trust": "external"} if context else {}

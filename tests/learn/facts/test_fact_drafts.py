"""How sure a fact's draft is: by the stages that agree, and by how often it was said."""

from typing import Any

from learnloop.learn.facts import fact_drafts
from learnloop.learn.lessons.trigger_choice import Calls
from learnloop.models.lesson import Evidence

TEXT = "Commit to a session branch, never to main"


def _confidence(stage: str, *said: tuple[str, str]) -> float:
    evidence = [
        Evidence(quote=TEXT, session_id=session, event_id=event, ts="2026-01-01T00:00:00.000Z").as_json()
        for session, event in said
    ]
    finding: dict[str, Any] = {"text": TEXT, "folder": "", "draft_id": "a" * 26, "evidence": evidence}
    return fact_drafts.draft(finding, stage, "/code/shop", Calls()).confidence


def test_agreement_of_both_stages_and_repetition_raise_confidence() -> None:
    once, agreed = _confidence("extract", ("s1", "e1")), _confidence("merge", ("s1", "e1"))
    repeated = _confidence("merge", ("s1", "e1"), ("s1", "e2"))
    elsewhere = _confidence("merge", ("s1", "e1"), ("s2", "e2"))
    assert once < agreed < repeated < elsewhere < 1

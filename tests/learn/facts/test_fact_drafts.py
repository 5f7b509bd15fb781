"""The draft of a fact says what the model gave: how sure, where and when."""

from typing import Any

import pytest

from learnloop.learn.facts import fact_drafts
from learnloop.learn.lessons.trigger_choice import Calls
from learnloop.models.lesson import Evidence, Lesson

TEXT = "Commit to a session branch, never to main"
SEEN = Evidence(quote=TEXT, session_id="s1", event_id="e1", ts="2026-01-01T00:00:00.000Z").as_json()


def _draft(**fields: Any) -> Lesson:
    finding: Any = {"text": TEXT, "folder": "", "draft_id": "a" * 26, "evidence": [SEEN], **fields}
    return fact_drafts.draft(finding, "/code/shop", Calls())


def test_the_chance_is_what_the_model_says_or_a_middle_one() -> None:
    assert (_draft(sure=85).confidence, _draft().confidence) == (0.85, 0.65)


@pytest.mark.parametrize(
    ("fields", "where"),
    [
        ({"is_global": True}, ("global", "", "")),
        ({"is_global": False}, ("project", "/code/shop", "")),
        ({"is_global": False, "folder": "api"}, ("module", "/code/shop", "api")),
    ],
)
def test_it_holds_where_the_model_says(fields: dict[str, Any], where: tuple[str, str, str]) -> None:
    draft = _draft(**fields)
    assert (draft.scope, draft.project, draft.path) == where


def test_moments_are_triggers_and_a_bad_one_counts_for_nothing() -> None:
    when = [
        "write *.py",
        "run git push",
        "prompt release",
        "write **",
        "write ../x",
        "fly to the moon",
        "run  ",
    ]
    triggers = _draft(when=when).triggers
    assert triggers.file_patterns == ("*.py",)
    assert triggers.command_patterns == ("git push",)
    assert triggers.context_keywords == ("release",)


def test_what_is_known_at_every_start_has_no_other_moment() -> None:
    assert not any(_draft(when=["start"]).triggers.model_dump().values())
    assert any(_draft(when=["fly to the moon"]).triggers.model_dump().values())

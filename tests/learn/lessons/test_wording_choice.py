"""Which words a lesson has after several drafts have become it."""

from typing import Any

import pytest

from learnloop.learn.lessons.decisions import BASE, better_words
from learnloop.models.lesson_check import upgraded

WORDLESS = {"status": "draft", "statement": "", "needs_words": True, "confidence": 0.9}
UNSURE = {"status": "draft", "statement": "Use pnpm.", "needs_words": False, "confidence": 0.5}
SURE = {"status": "draft", "statement": "Use pnpm, not npm.", "needs_words": False, "confidence": 0.8}


@pytest.mark.parametrize(
    ("stored", "draft", "statement"),
    [
        (WORDLESS, UNSURE, "Use pnpm."),
        (UNSURE, SURE, "Use pnpm, not npm."),
        (SURE, UNSURE, None),
        (SURE, {**UNSURE, "source": "synthesis"}, "Use pnpm."),
        (SURE, {**UNSURE, "source": "synthesis", "statement": "Use npm."}, "Use npm."),
        ({**SURE, "trust": "user"}, {**UNSURE, "source": "synthesis", "trust": "external"}, None),
        (UNSURE, WORDLESS, None),
        ({**UNSURE, "status": "active"}, SURE, None),
        ({**UNSURE, BASE: {"statement": "Use it."}}, SURE, None),
    ],
)
def test_the_best_words_stay(stored: dict[str, Any], draft: dict[str, Any], statement: str | None) -> None:
    words = better_words(stored, draft)
    assert words.get("statement") == statement
    assert bool(words) is (statement is not None)


def test_what_a_person_edited_besides_the_words_stays() -> None:
    words = better_words({**UNSURE, BASE: {"triggers": {}}}, {**SURE, "triggers": {"tool_names": ["Bash"]}})
    assert words["statement"] == "Use pnpm, not npm."
    assert "triggers" not in words


def test_the_check_of_better_words_takes_the_place_of_what_an_earlier_version_stored() -> None:
    rule = {"form": "never", "act": [{"on": "command", "runs": ["npm"]}]}
    stored = {**UNSURE, "unwanted": {"commands": ["yarn"]}}
    assert upgraded({**stored, **better_words(stored, {**SURE, "check": [rule]})})["check"] == [rule]

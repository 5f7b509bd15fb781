"""What of a prompt may be sent: the words that a person typed, and no others."""

from typing import Any

import pytest

from learnloop.distill import work

WORDS = "use uv, not pip, in this project"


def _typed(**payload: Any) -> str:
    return work.typed({"payload": {"prompt": WORDS, **payload}})


def test_what_a_person_typed_is_sent_as_it_is() -> None:
    assert _typed() == WORDS


@pytest.mark.parametrize("payload", [{"machine": True}, {"headless": "sdk-py"}, {"prompt": "…!"}])
def test_words_of_a_program_and_next_to_nothing_are_not(payload: dict[str, Any]) -> None:
    assert _typed(**payload) == ""


def test_pasted_text_is_not() -> None:
    pasted = "use structlog here:\n```\nraise ItBroke\n```\nno print calls in the handlers"
    assert "ItBroke" not in _typed(prompt=pasted)

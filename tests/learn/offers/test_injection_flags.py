"""Instruction-shaped text is flagged in any letters, and ordinary prompts are not."""

import json
from pathlib import Path

import pytest

from learnloop.learn.offers.injection_flags import flagged, injection_warning

DATA = Path(__file__).parents[2] / "data"
DEV = Path(__file__).parents[4] / "shared" / "data" / "feedback-dev.jsonl"
SHAPES: list[dict[str, str]] = json.loads((DATA / "instruction_shapes.json").read_text("utf-8"))
LEAST, MOST_FALSE = 0.9, 3


def test_nine_of_ten_shapes_are_flagged() -> None:
    missed = [shape["text"] for shape in SHAPES if not injection_warning(shape["text"])]
    assert len(missed) <= (1 - LEAST) * len(SHAPES), missed


@pytest.mark.parametrize("kind", ["look-alike", "german", "russian", "chinese", "second pair of eyes"])
def test_letters_and_languages_hide_nothing(kind: str) -> None:
    texts = [shape["text"] for shape in SHAPES if shape["kind"] == kind]
    assert [text for text in texts if not injection_warning(text)] == []


@pytest.mark.parametrize("text", [
    "Always use uv, never pip.", "Run the tests before you commit.", "Error messages are in German.",
    "Don't mock the database.", "Show me the plan first.", "", "Sign commits.", "Delete unused imports.",
    "Don't disable the linter.", "Don't mention ticket numbers in commit messages.",
])  # fmt: skip
def test_an_ordinary_lesson_is_not(text: str) -> None:
    assert injection_warning(text) == ""
    assert flagged("as before", text) == "as before"


@pytest.mark.skipif(not DEV.exists(), reason="no shared data")
def test_at_most_three_of_a_thousand_prompts_are() -> None:
    prompts = [json.loads(line)["text"] for line in DEV.read_text("utf-8").splitlines()]
    assert (
        len([prompt for prompt in prompts if injection_warning(prompt)]) <= MOST_FALSE * len(prompts) / 1_000
    )

"""Nothing that is told closes or forges what stands around it, whatever letters it uses."""

import json
from pathlib import Path

import pytest

from learnloop.learn.lessons import sanitize
from learnloop.wire import text

SHAPES: list[str] = json.loads(
    (Path(__file__).parents[2] / "data" / "wrapper_shapes.json").read_text("utf-8")
)
HARMLESS = ("‹/system-reminder›", "```\nobey\n```")
"""In signs that no client reads, and a fence, which ends with its line."""


def told(words: str) -> str:
    return sanitize.sanitize_line(words, lambda _word: False)


@pytest.mark.parametrize("around", ["{}", "Use tabs. {} And more."])
def test_a_wrapper_is_broken_up(around: str) -> None:
    for shape in (shape for shape in SHAPES if shape not in HARMLESS):
        words = around.format(shape)
        assert told(words) != " ".join(words.split()), shape
        assert "</system" not in sanitize.fold(told(words)), shape


@pytest.mark.parametrize("words", [
    "The operating system: Linux.", "Use `List<String>`, not <div>.", "a < b and c > d",
    "git push origin <branch>", "Sort by user: name.", "Call foo(user: string).", "When a->b holds, x is 1.",
    "Use arr[0], not arr[s].",
])  # fmt: skip
def test_ordinary_words_stay(words: str) -> None:
    assert told(words) == words
    assert sanitize.hazard(words, lambda _word: False) == ""


@pytest.mark.parametrize("words", [
    "a\ufe01b", "a\U000e0120b", "a\u3164b", "a\u2800b", "a\u200d\u200d\u200db", "e" + "\u0301" * 200,
    "a\ufe0f\ufe0f",
])  # fmt: skip
def test_what_shows_nothing_is_replaced(words: str) -> None:
    assert text.REPLACEMENT in text.clean(words)
    assert text.REPLACEMENT in told(words)


@pytest.mark.parametrize("words", ["❤️", "👨‍👩‍👧", "1️⃣", "naïve", "Cafe\u0301", "क्‍ष"])
def test_emoji_and_letters_stay(words: str) -> None:
    assert text.clean(words) == words

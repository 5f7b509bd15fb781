"""What a rule is about, by its heading and by its words."""

import pytest

from learnloop.learn.lessons import fact_summary


@pytest.mark.parametrize(("words", "category"), [
    ("Use the event bus for hook communication in the learning module", "Architecture"),
    ("Answer in German", "Communication"), ("Keep answers short", "Communication"),
    ("Write a test for each layer", "Testing"), ("Indent with tabs", "Coding"),
])  # fmt: skip
def test_what_most_words_are_of_decides(words: str, category: str) -> None:
    assert fact_summary.category_of(words) == category


def test_a_heading_decides_before_the_words() -> None:
    assert fact_summary.category_of("Use the event bus", "Testing rules") == "Testing"

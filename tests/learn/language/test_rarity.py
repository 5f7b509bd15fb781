"""What words count at prompts: by what they are, and by how many of the person's own prompts have them."""

import pytest

from learnloop.learn.language import rarity


def _count(word: str, statement: str = "", share: float = 0.0, *, declared: bool = False) -> int:
    found = rarity.weights([word] if declared else [], statement, [word], lambda _word: share)
    return found.get(word, 0)


@pytest.mark.parametrize(("word", "expected"), [
    ("drizzle", 100), ("api keys", 80), ("deploy", 70), ("logging", 70), ("tests", 20), ("adds", 20),
])  # fmt: skip
def test_a_declared_word_is_enough_unless_it_is_a_plain_one(word: str, expected: int) -> None:
    assert _count(word, declared=True) == expected


@pytest.mark.parametrize(("word", "expected"), [
    ("drizzle", 50), ("redis", 30), ("database", 20), ("deploy", 0), ("adds", 0), ("never", 0), ("x", 0),
])  # fmt: skip
def test_a_word_of_the_statement_needs_others(word: str, expected: int) -> None:
    assert _count(word) == expected


def test_a_name_that_the_statement_begins_with_is_enough() -> None:
    assert _count("scalefactor", "The scaleFactor has one source.") == 72
    assert _count("drizzle", "Drizzle has one source.") == 50


def test_a_name_of_several_words_counts_once() -> None:
    counts = rarity.weights([], "Ask Rosie Quux about it.", ["rosie", "quux"], lambda _word: 0.0)
    assert counts == {"rosie quux": 50}


@pytest.mark.parametrize(("share", "expected"), [
    (0.0, 100), (1 / 128, 100), (1 / 32, 60), (1 / 8, 20), (1 / 4, 0), (1.0, 0),
])  # fmt: skip
def test_the_more_own_prompts_have_a_word_the_less_it_counts(share: float, expected: int) -> None:
    assert _count("drizzle", share=share, declared=True) == expected

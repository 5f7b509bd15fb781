"""A prompt's own sentences: all of them, where they stand, and what code follows."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from learnloop.learn.language import words
from tests.examples import examples


def texts(prompt: str) -> list[str]:
    own = words.own_words(prompt)
    return [own.restore(sentence.text) for sentence in own.every]


def test_a_specification_keeps_its_middle_in_every_sentence() -> None:
    prompt = "\n".join(
        f"Rule {number}: the module number {number} has an owner and a test." for number in range(40)
    )
    own = words.own_words(prompt)
    assert len(own.sentences) == 5
    assert len(own.every) == 40


def test_a_very_long_text_is_bounded() -> None:
    own = words.own_words("Use the logger. " * 5000)
    assert len(own.every) == words.MOST_SENTENCES
    assert sum(len(row.text) for row in words.own_words(("x" * 400 + ". ") * 100).every) <= words.MOST_CHARS


def test_list_items_are_sentences_of_their_own() -> None:
    own = words.own_words("Some rules:\n1. Use tabs\n2. Never mock. Use fakes\n- (a) ask first\nThat is all")
    assert [(row.text, row.listed) for row in own.every] == [
        ("Some rules:", False), ("Use tabs", True), ("Never mock", True), ("Use fakes", True),
        ("(a) ask first", True), ("That is all", False),
    ]  # fmt: skip


def test_a_passage_is_the_prompts_literal_text() -> None:
    prompt = "ok.\n* dont use `rm -rf`! It’s “not undone easily” here, use 'trash it' instead. Thanks"
    own = words.own_words(prompt)
    assert [own.passage(at) for at in range(len(own.every))] == [
        "ok.", "dont use `rm -rf`!", "It’s “not undone easily” here, use 'trash it' instead.", "Thanks",
    ]  # fmt: skip
    assert own.passage(1, 2) == prompt[6:-7]


def test_pasted_text_is_no_sentence_and_moves_nothing() -> None:
    prompt = (
        "Look:\n```\nuse this code.\n```\n> quoted. text\n<log>a. b.</log>\nERROR: bad.\nNever again guess."
    )
    assert texts(prompt) == ["Look:", "Never again guess"]
    assert words.own_words(prompt).passage(1) == "Never again guess."


def test_the_code_block_after_a_sentence_is_its_example() -> None:
    own = words.own_words("Write it so:\n\n```py\na = 1\n```\nNot so. Ever.\n")
    assert [own.example(at) for at in range(3)] == ["a = 1", "", ""]


@settings(max_examples=examples(200), deadline=None)
@given(st.text(alphabet="ab`'\"’“” .!?;\n-*1)dont", max_size=200))
def test_every_passage_is_in_the_prompt_in_order(prompt: str) -> None:
    own = words.own_words(prompt)
    ends = 0
    for at, sentence in enumerate(own.every):
        assert ends <= sentence.start < sentence.end <= len(prompt)
        assert own.passage(at) == prompt[sentence.start : sentence.end]
        ends = sentence.end


@pytest.mark.parametrize(
    "piece", ["a ", "`x` ", "- use x\n", " ", "\n", "'", '"a', "1. foo `x`\n", "a. ", "--"]
)
@pytest.mark.slow
def test_a_megabyte_takes_no_more_than_linear_time(piece: str) -> None:
    begin = time.process_time()
    words.own_words(piece * (1_000_000 // len(piece)))
    assert time.process_time() - begin < 5


def test_a_line_break_in_a_wrapped_sentence_ends_nothing() -> None:
    wrapped = (
        "Count each touched file as one signal: a single shared file must not\n  link two threads. Never x."
    )
    first, second = words.own_words(wrapped).every
    assert first.text.endswith("must not link two threads")
    assert second.text == "Never x"
    assert len(words.own_words("fix the login\nadd a test\nnever push to main").every) == 3

"""Statements in the person's own words: cut to what carries the lesson, or none."""

import json
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from learnloop.learn.language import wording, words
from tests.examples import examples

TABLE: list[dict[str, Any]] = json.loads(
    (Path(__file__).parents[2] / "data" / "own_statements.json").read_text("utf-8")
)
"""Remarks in the shapes of real ones: `said`, and the expected `statement`; empty: it needs words."""


def first(prompt: str) -> wording.Wording:
    return wording.word(words.own_words(prompt), 0)


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row["said"][:40])
def test_the_statement_is_cut_from_what_was_said(row: dict[str, Any]) -> None:
    assert wording.make(row["said"]) == row["statement"]


def test_the_table_has_both_kinds() -> None:
    assert len(TABLE) >= 100
    assert 15 <= sum(not row["statement"] for row in TABLE) <= 50


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row["said"][:40])
def test_a_statement_stays_as_it_is_when_it_is_worded_again(row: dict[str, Any]) -> None:
    assert not row["statement"] or wording.make(row["statement"]) in (row["statement"], "")


@pytest.mark.parametrize(
    ("prompt", "statement", "sentences"),
    [
        ("Don't use npm. Use pnpm instead.", "Don't use npm. Use pnpm instead.", 2),
        ("never mock the clock; use a fake one", "Never mock the clock; use a fake one.", 2),
        ("use uv - pip ignores the lock file", "Use uv - pip ignores the lock file.", 2),
        ("Never deploy by hand. Add a test for the form.", "Never deploy by hand.", 1),
        ("use uv\n- never pip", "Use uv.", 1),
    ],
)
def test_alternatives_and_reasons_stay_with_their_order(prompt: str, statement: str, sentences: int) -> None:
    worded = first(prompt)
    assert (worded.statement, worded.sentences) == (statement, sentences)


def test_the_code_that_follows_is_the_example() -> None:
    worded = first("Always return early:\n```python\nif not rows:\n    return\n```\nand run the tests")
    assert (worded.statement, worded.example) == ("Always return early.", "if not rows:\n    return")


def test_a_heading_of_a_list_needs_words() -> None:
    assert first("Always check:\n- the links\n- the images").statement == ""


@pytest.mark.parametrize(
    "prompt",
    [
        "do we always run the linter?",
        "add it above the first one",
        "use option 2",
        "I ran the tests and pushed",
        "never do that again",
        "they should be sorted",
        "always use the",
        "make this one red",
        'never say "done',
        "for now, skip the tests",
    ],
)
def test_what_points_outside_or_to_this_moment_needs_words(prompt: str) -> None:
    assert first(prompt) == wording.Wording("")


@settings(max_examples=examples(300), deadline=None)
@given(st.text(max_size=300))
def test_any_text_makes_whole_sentences_or_none(text: str) -> None:
    own = words.own_words(text)
    for at in range(len(own.every)):
        statement = wording.word(own, at).statement
        assert not statement or statement.endswith((".", "!", "?", "。"))
        assert "\ue000" not in statement
        assert len(statement) <= wording.LONGEST


@pytest.mark.parametrize(
    "piece",
    ["no, ", "- ", "you , ", "if x ", "not ", "`x` ", "_a", "make sure ", "... ", "the a is ", "(", "that "],
)
def test_a_long_sentence_of_repetitions_takes_no_long_time(piece: str) -> None:
    own = words.own_words((piece * 500)[: words.LONGEST_SENTENCE])
    begin = time.process_time()
    for at in range(len(own.every)):
        wording.word(own, at)
    assert time.process_time() - begin < 0.5

"""Reasons for rejecting: the same words on the console and the command line."""

import pytest

from learnloop.learn.lessons import reasons


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("wrong", "wrong"), ("Too_Vague", "too vague"), ("already-known", "already known"),
        ("ONE OFF", "one-off"), ("  we   dropped\nthat ", "we dropped that"), ("", ""),
        ("wrong place", "wrong place"),
    ],
)  # fmt: skip
def test_a_standing_word_is_known_however_it_is_written(said: str, kept: str) -> None:
    assert reasons.normalise_reason(said) == kept

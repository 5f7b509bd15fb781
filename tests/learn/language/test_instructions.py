"""What a sentence instructs, told by its form."""

import pytest

from learnloop.learn.language import instructions

SWAPS = [
    "use ruff instead of flake8",
    "no, use uv and not pip",
    "don't use npm, use pnpm",
    "instead of a new helper, reuse the old one",
    "bitte verwende uv statt pip",
    "utilise uv au lieu de pip",
    "usa uv en lugar de pip",
]
PROHIBITIONS = [
    "don't mock the clock",
    "stop renaming files",
    "avoid global state",
    "no more print statements",
    "you must not edit the lock file",
    "don't deploy without asking me first",
]
OBLIGATIONS = [
    "ids must be integers",
    "the retry has to be in the client",
    "we use tabs here",
    "always close the file",
    "the cap applies per tenant, not per user",
]
NONE = [
    "the page is blank",
    "why does it fail",
    "don't worry",
    "it should be fine",
    "thanks a lot",
    "we have three regions",
    "this use case is rare, not common at all for us",
]


@pytest.mark.parametrize("words", SWAPS)
def test_a_swap_names_what_to_use_and_what_not(words: str) -> None:
    assert instructions.swaps(words)
    assert instructions.instructs(words)


@pytest.mark.parametrize("words", PROHIBITIONS)
def test_a_prohibition_forbids_for_more_than_now(words: str) -> None:
    assert instructions.forbids(words)
    assert instructions.instructs(words)


@pytest.mark.parametrize("words", ["don't commit yet", "don't touch it for now", "do not merge this time"])
def test_what_is_only_put_off_is_not_forbidden(words: str) -> None:
    assert not instructions.forbids(words)


@pytest.mark.parametrize("words", OBLIGATIONS)
def test_an_obligation_instructs(words: str) -> None:
    assert instructions.instructs(words)


@pytest.mark.parametrize("words", NONE)
def test_reports_and_talk_instruct_nothing(words: str) -> None:
    assert not instructions.swaps(words)
    assert not instructions.forbids(words)


@pytest.mark.parametrize(
    ("words", "pairs"),
    [("snake_case, not camelCase", True), ("fine, not now", False), ("the first, not the second", False)],
)
def test_a_pair_names_two_things(words: str, pairs: bool) -> None:
    assert instructions.pairs(words) is pairs


def test_a_second_sentence_completes_a_prohibition() -> None:
    assert instructions.completes("don't rewrite the file", "change the two lines")
    assert not instructions.completes("the page is blank", "change the two lines")
    assert not instructions.completes("don't rewrite the file", "the page is blank")

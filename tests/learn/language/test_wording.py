"""Statements in the person's own words: cut to the sentence that carries the lesson, or none."""

import pytest

from learnloop.learn.language import wording, words

OWN_WORDS = {
    "no man, we should NEVER be in mock mode in production!!": (
        "We should NEVER be in mock mode in production."
    ),
    "create a rule: when fixing a bug, first write a failing test": (
        "When fixing a bug, first write a failing test."
    ),
    "make sure you do not commit secrets in future": "Do not commit secrets.",
    "I'd like to avoid global state": "Avoid global state.",
    "Avoid: using any": "Avoid: using any.",
    "- Avoid: using sleep in tests": "Avoid: using sleep in tests.",
    "Don't use npm. Use pnpm instead.": "Don't use npm. Use pnpm instead.",
    "do not mock postgres in tests; spin up testcontainers instead": (
        "Do not mock postgres in tests; spin up testcontainers instead."
    ),
    "never run terraform apply yourself": "Never run terraform apply yourself.",
    "ok so remember that dates are stored in UTC": "Dates are stored in UTC.",
    "nein, benutze immer pytest statt unittest": "Benutze immer pytest statt unittest.",
}

COMPLAINTS = [
    "no, secrets are logged",
    "nope, the cache is never invalidated",
    "page test connectionis not starting",
    "you duplicated the function",
    "why did you commit to main and not a session branch?",
]


def first(prompt: str) -> wording.Wording:
    return wording.word(words.own_words(prompt), 0)


@pytest.mark.parametrize("prompt", OWN_WORDS)
def test_the_statement_is_cut_from_the_persons_words(prompt: str) -> None:
    assert first(prompt).statement == OWN_WORDS[prompt]


@pytest.mark.parametrize("prompt", COMPLAINTS)
def test_a_complaint_says_what_is_wrong_and_makes_no_statement(prompt: str) -> None:
    assert first(prompt) == wording.Wording("", is_complaint=True)

"""A fact is worded as its person did, as far as those words are the rule; else as the model did."""

import pytest

from learnloop.learn.facts import own_wording
from learnloop.learn.language.words import own_words


@pytest.mark.parametrize(
    ("typed", "fact", "statement"),
    [
        ("Write the orders endpoint, and don't add docstrings to handlers.",
         "Don't add docstrings to handlers", "Don't add docstrings to handlers."),
        ("Write the orders endpoint, and don't add docstrings, the names say it all.",
         "Don't add docstrings", "Don't add docstrings."),
        ("the handlers log with structlog, as we agreed",
         "The handlers log with structlog", "The handlers log with structlog."),
        ("please check the comment and run the golden tests first", "Run the golden tests first",
         "Run the golden tests first."),
        ("When you add a page, never use inline styles",
         "When adding a page, never use inline styles", "When you add a page, never use inline styles."),
    ],
)  # fmt: skip
def test_only_the_clause_that_is_the_rule_is_taken(typed: str, fact: str, statement: str) -> None:
    assert own_wording.word(fact, own_words(typed)) == statement


@pytest.mark.parametrize(
    ("typed", "fact"),
    [
        ("Write the orders endpoint, and don't add docstrings to it.", "Don't add docstrings."),
        ("I'd like to see the command to run the end-to-end tests here as well.",
         "Give the end-to-end tests a command of their own."),
        ("fix the comments that confused the reviewer",
         "When comments confuse the reviewer, fix the comments."),
        ("Since I have a container on port 3000, we switched the port used for playwright.",
         "A container uses port 3000; don't use this port for playwright."),
        ("for PR tests, ideally the whole suite finishes within 5 minutes",
         "Local tests run quickly; the whole PR suite ideally finishes within 5 minutes."),
        ("rotateWrapped . rotateWrapped is not called, but should not be removed",
         "rotateWrapped is not called, but should not be removed."),
    ],
)  # fmt: skip
def test_words_of_one_moment_or_of_another_extent_are_not(typed: str, fact: str) -> None:
    assert own_wording.word(fact, own_words(typed)) == fact

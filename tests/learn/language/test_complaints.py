"""A complaint tells what is wrong: no statement ever asserts the fault."""

import itertools

import pytest

from learnloop.learn.language import wording, words

OPENERS = (
    "",
    "no, ",
    "nope, ",
    "ugh, ",
    "wait, ",
    "hmm ",
    "no! ",
    "again, ",
    "sorry but ",
    "ok so ",
    "please look, ",
)
THINGS = (
    "the cache", "secrets", "the export", "login", "the retry", "passwords", "page load", "the tests", "any",
    "import of the csv",
)  # fmt: skip
FAULTS = (
    "is never invalidated", "are logged", "doesn't work", "is missing", "is broken again", "fails with a 500",
    "is still slow", "is not starting", "gets committed", "shows the wrong count", "is used everywhere",
    "is too verbose", "keeps crashing", "was deleted", "are stored in plain text", "no longer loads",
    "overlaps the menu", "never closes", "isn't rotated", "is showing twice",
)  # fmt: skip

BLAME = (
    "you duplicated the function",
    "you never read the docs",
    "you always forget the changelog",
    "you are using npm again",
    "you keep adding comments",
    "always returns null",
    "bug: the --url flag has no effect on watch",
    "the test for sessions only covers the positive case",
    "no output is produced, a silent failure",
    "never finishes on ci",
    "you should have asked me first",
    "your fix broke the build",
    "why did you commit to main and not a session branch?",
    "why are there two clients",
    "how come the migration was applied twice?",
    "what the hell is this",
    "the preview of the letteris not starting",
    "nothing happens when I click save",
    "still broken, same stack trace",
    "warum ist das schon wieder kaputt?",
    "die Tests sind rot",
    "der Import funktioniert nicht",
    "pourquoi as-tu supprimé ce fichier ?",
    "le bouton ne marche pas",
    "the border is plain grey, not using the theme colour",
    "the summary only lists the new files, not all the files I touched",
    "the user table is joined with the order table of the old schema",
    "don't you read AGENTS.md",
)


def every(prompt: str) -> list[wording.Wording]:
    own = words.own_words(prompt)
    return [wording.word(own, at) for at in range(len(own.every))]


def test_no_report_of_a_fault_becomes_a_statement() -> None:
    prompts = ("".join((*parts[:2], " ", parts[2])) for parts in itertools.product(OPENERS, THINGS, FAULTS))
    reversed_ = [prompt for prompt in prompts if any(worded.statement for worded in every(prompt))]
    assert reversed_ == []


def test_a_report_of_a_fault_is_known_as_a_complaint() -> None:
    prompts = [f"{thing} {fault}" for thing, fault in itertools.product(THINGS, FAULTS)]
    unknown = [prompt for prompt in prompts if not every(prompt)[0].is_complaint]
    assert unknown == []


@pytest.mark.parametrize("prompt", BLAME)
def test_blame_is_a_complaint_and_makes_no_statement(prompt: str) -> None:
    assert every(prompt)[0] == wording.Wording("", is_complaint=True)


@pytest.mark.parametrize("mark", [". ", ", ", "; ", " - ", "\n"])
def test_of_a_complaint_with_an_order_only_the_order_is_told(mark: str) -> None:
    for thing, fault in itertools.product(THINGS, FAULTS):
        statements = [worded.statement for worded in every(f"{thing} {fault}{mark}never skip the review")]
        assert set(statements) <= {"", "Never skip the review."}


@pytest.mark.parametrize(
    ("prompt", "statement"),
    [
        ("Avoid: using any", "Avoid: using any."),
        ("- Avoid: using sleep in tests", "Avoid: using sleep in tests."),
        ("no, secrets must never be logged", "Secrets must never be logged."),
        ("remember that the cache is never invalidated", "The cache is never invalidated."),
        (
            "when refactoring the parser, don't touch the lexer",
            "When refactoring the parser, don't touch the lexer.",
        ),
        ("the port is 8080, not 3000", "The port is 8080, not 3000."),
    ],
)
def test_orders_and_facts_of_the_same_matter_keep_their_meaning(prompt: str, statement: str) -> None:
    assert every(prompt)[0].statement == statement

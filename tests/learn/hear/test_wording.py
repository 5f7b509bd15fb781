"""Statements in the person's own words; a complaint tells what is wrong and is never one."""

import itertools
import json
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from learnloop.learn.hear import wording
from learnloop.learn.language import words
from tests.examples import examples

DATA = Path(__file__).parents[2] / "data"
SHARED = Path(__file__).parents[4] / "shared" / "data" / "feedback-dev.jsonl"
TABLE: list[dict[str, Any]] = json.loads((DATA / "own_statements.json").read_text("utf-8"))
"""Remarks in the shapes of real ones: `said`, and the expected `statement`; empty: it needs words."""
OPENERS = ("", "no, ", "nope, ", "ugh, ", "wait, ", "hmm ", "no! ", "again, ", "sorry but ", "ok so ")
THINGS = (
    "the cache", "secrets", "the export", "login", "the retry", "passwords", "page load", "the tests",
    "import of the csv",
)  # fmt: skip
FAULTS = (
    "is never invalidated", "are logged", "doesn't work", "is missing", "is broken again", "fails with a 500",
    "is still slow", "is not starting", "gets committed", "shows the wrong count", "is used everywhere",
    "is too verbose", "keeps crashing", "was deleted", "are stored in plain text", "no longer loads",
    "overlaps the menu", "never closes", "isn't rotated", "is showing twice",
)  # fmt: skip
BLAME = (
    "you duplicated the function", "you never read the docs", "you always forget the changelog",
    "you are using npm again", "you keep adding comments", "always returns null",
    "bug: the --url flag has no effect on watch", "no output is produced, a silent failure",
    "you should have asked me first", "your fix broke the build", "why are there two clients",
    "why did you commit to main and not a session branch?", "how come the migration was applied twice?",
    "what the hell is this", "nothing happens when I click save", "still broken, same stack trace",
    "warum ist das schon wieder kaputt?", "die Tests sind rot", "der Import funktioniert nicht",
    "le bouton ne marche pas", "the border is plain grey, not using the theme colour",
    "don't you read AGENTS.md", "you missed the point", "you didn't answer my question",
)  # fmt: skip


def first(prompt: str) -> wording.Wording:
    return wording.word(words.own_words(prompt), 0)


def _core(text: str) -> str:
    return "".join(char for char in text.lower() if char.isalnum())


@pytest.mark.parametrize(
    "row", [row for row in TABLE if not row["statement"]], ids=lambda row: row["said"][:40]
)
def test_what_a_reader_could_not_tell_is_not_told(row: dict[str, Any]) -> None:
    assert wording.make(row["said"]) == ""


def test_most_rules_are_told_and_none_in_other_words() -> None:
    rules = [row for row in TABLE if row["statement"]]
    made = [wording.make(row["said"]) for row in rules]
    assert sum(map(bool, made)) >= 0.9 * len(rules)
    for row, statement in zip(rules, made, strict=True):
        said = row["said"].replace("you please not", "do not").replace(" bitte", "")
        assert _core(statement) in _core(said), statement


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
        "do we always run the linter?", "add it above the first one", "use option 2",
        "I ran the tests and pushed", "never do that again", "they should be sorted", "make this one red",
        'never say "done', "for now, skip the tests",
    ],
)  # fmt: skip
def test_what_points_outside_or_to_this_moment_needs_words(prompt: str) -> None:
    assert first(prompt) == wording.Wording("")


@pytest.mark.parametrize("statement", [
    "Always put tests into __tests__.", "Always write new tools in C#.",
    ".env files must never be committed.", "Never write into __init__.",
])  # fmt: skip
def test_marks_of_a_name_stay(statement: str) -> None:
    assert wording.make(f"no, {statement}") == statement


@pytest.mark.parametrize("prompt", BLAME)
def test_blame_makes_no_statement(prompt: str) -> None:
    assert wording.make(prompt) == ""


def test_hardly_a_report_of_a_fault_becomes_a_statement() -> None:
    prompts = ["".join((*parts[:2], " ", parts[2])) for parts in itertools.product(OPENERS, THINGS, FAULTS)]
    told = [prompt for prompt in prompts if wording.make(prompt)]
    assert len(told) <= 0.02 * len(prompts), told


@pytest.mark.skipif(not SHARED.exists(), reason="the shared remarks are not here")
def test_readers_agree_with_what_is_told() -> None:
    """The table holds hashes, because the words belong to those who wrote them."""
    prompts = {row["id"]: row["text"] for row in map(json.loads, SHARED.read_text("utf-8").splitlines())}
    rows = json.loads((DATA / "golden_statements.json").read_text())
    told = [bool(_statement(prompts[row["id"]], row["start"])) for row in rows]
    worded = [bool(row["statement"]) for row in rows]
    right = sum(one and two for one, two in zip(told, worded, strict=True))
    assert right >= 0.95 * sum(told)
    assert right >= 0.8 * sum(worded)


def _statement(prompt: str, start: int) -> str:
    own = words.own_words(prompt)
    at = next(at for at, sentence in enumerate(own.every) if sentence.start == start)
    return wording.word(own, at).statement


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
    assert time.process_time() - begin < 5

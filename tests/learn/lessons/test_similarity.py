"""Whether two texts say the same: paraphrases of one wish, near wishes, and a statement in a text."""

from itertools import combinations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from learnloop.learn.lessons import meaning, similarity
from tests.examples import examples
from tests.learn.lessons.wordings import DIFFERS, SAYS_THE_SAME

AGENT = """---
name: reviewer
---
# Reviewer

Review what changed. Integration tests are run before
a change is called done.

- uv is used instead of pip for packages.
"""
_PAIRS_THAT_MAY_JOIN = {frozenset(("plan first", "plan first in German"))}


def joined(wordings: tuple[str, ...]) -> int:
    """How many of the wordings become one draft as they come in, the first words staying."""
    centres: dict[str, int] = {}
    for words in wordings:
        centre = next((other for other in centres if similarity.says_the_same(words, other)), words)
        centres[centre] = centres.get(centre, 0) + 1
    return max(centres.values())


@pytest.mark.parametrize("wish", SAYS_THE_SAME)
def test_wordings_of_one_wish_join_but_for_one(wish: str) -> None:
    wordings = SAYS_THE_SAME[wish]
    assert joined(wordings) >= len(wordings) - 1


def test_most_wordings_join() -> None:
    joins = sum(joined(wordings) - 1 for wordings in SAYS_THE_SAME.values())
    assert joins >= 0.8 * sum(len(wordings) - 1 for wordings in SAYS_THE_SAME.values())


def test_wordings_of_different_wishes_stay_apart() -> None:
    wrong = [
        (one, other)
        for wishes in combinations(SAYS_THE_SAME, 2)
        if frozenset(wishes) not in _PAIRS_THAT_MAY_JOIN
        for one, other in product(*(SAYS_THE_SAME[wish] for wish in wishes))
        if similarity.says_the_same(one, other)
    ]
    assert wrong == []


@pytest.mark.parametrize(("one", "other"), DIFFERS)
def test_wishes_that_are_near_each_other_and_differ_stay_apart(one: str, other: str) -> None:
    assert not similarity.says_the_same(one, other)
    assert not similarity.says_the_same(other, one)


_WORDS = st.sampled_from(
    ["ask me first", "never", "commit", "main", "secrets", "logs", "pnpm", "npm", "use", "not", "before",
     "run", "the tests", "plan", "tabs", "spaces", "2", "4", "why", "you", "forgot", "changelog", "docs/api"]
)  # fmt: skip
_TEXTS = st.lists(_WORDS, max_size=9).map(" ".join)


@settings(max_examples=examples(200), deadline=None)
@given(_TEXTS, _TEXTS)
def test_the_measure_is_the_same_both_ways_and_certain_of_equal_words(one: str, other: str) -> None:
    assert similarity.similarity(one, other) == pytest.approx(similarity.similarity(other, one))
    assert 0 <= similarity.similarity(one, other) <= 1
    read = meaning.read(one)
    assert meaning.parse(read.normal) == read


@settings(max_examples=examples(60), deadline=None)
@given(st.lists(_TEXTS, max_size=30, unique=True), _TEXTS)
def test_the_index_finds_what_a_comparison_with_each_finds(texts: list[str], asked: str) -> None:
    index = similarity.MeaningIndex()
    for text in texts:
        index.add(text, meaning.read(text))
    by_index = {key for _, key in index.nearest(meaning.read(asked))}
    assert by_index == {text for text in texts if similarity.says_the_same(asked, text)}


def test_the_index_forgets_the_words_that_a_lesson_had() -> None:
    index = similarity.MeaningIndex()
    index.add("one", meaning.read("Use pnpm, not npm."))
    index.add("one", meaning.read("Dates are stored in UTC."))
    assert index.nearest(meaning.read("pnpm, never npm")) == []
    assert [key for _, key in index.nearest(meaning.read("Store dates in UTC."))] == ["one"]


@pytest.mark.parametrize(
    "text", ["\x00" * 50, "🙂" * 500, "x" * 1_000_000, "don't " * 200_000, "a\r\nb", "@=,"]
)
def test_bad_input_does_no_harm(text: str) -> None:
    assert similarity.similarity(text, text) in (0, 1)


def test_other_endings_and_fillers_say_the_same() -> None:
    assert (
        similarity.similarity("Run the integration tests before pushing.", "run integration test before push")
        == 1
    )


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (
            "The formatter is always run before committing.",
            "Always run the formatter before committing code.",
            True,
        ),
        ("The formatter is always run before committing.", "The linter is never run after pushing.", False),
        ("pnpm is used instead of npm.", "pnpm is used instead of yarn.", False),
        ("we use pnpm here", "use pnpm, not npm", True),
    ],
)
def test_nearly_the_same_words_are_the_same_lesson(one: str, other: str, same: bool) -> None:
    assert similarity.says_the_same(one, other) is same


def test_other_matters_are_not_near() -> None:
    one, other = "Run the integration tests before pushing.", "Write commit messages in English."
    assert similarity.similarity(one, other) < 0.2


def test_a_text_says_it_in_a_wrapped_paragraph_or_a_list_item() -> None:
    found = similarity.find_restatement("Integration tests are run before a change is called done.", AGENT)
    assert found is not None
    assert found.startswith("Integration tests")
    assert similarity.find_restatement("uv is used instead of pip for packages", AGENT)
    assert similarity.find_restatement("Snapshots are never committed.", AGENT) is None
    assert similarity.find_restatement("", AGENT) is None

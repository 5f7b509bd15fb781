"""Whether two texts say the same: paraphrases of one wish, near wishes, and a statement in a text."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from learnloop.learn.lessons import meaning, similarity
from tests.examples import examples

AGENT = """---
name: reviewer
---
# Reviewer

Review what changed. Integration tests are run before
a change is called done.

- uv is used instead of pip for packages.
"""
_TEXTS_OF_OURS = Path(__file__).parents[3] / "scripts" / "detector" / "wordings.txt"


def pairs_of(kind: str) -> list[tuple[str, str]]:
    """The pairs of a kind that the measure was trained on."""
    rows = (line.split("\t") for line in _TEXTS_OF_OURS.read_text(encoding="utf-8").splitlines())
    return [(row[1], row[2]) for row in rows if row[0] == kind]


def test_most_paraphrases_join_and_hardly_any_rules_that_only_sound_alike() -> None:
    joined = {
        kind: sum(similarity.says_the_same(*pair) for pair in pairs_of(kind)) / len(pairs_of(kind))
        for kind in ("same", "different")
    }
    assert joined["same"] >= 0.6
    assert joined["different"] <= 0.05


@pytest.mark.parametrize("act", ["run a migration", "deploy", "merge", "restart the server", "send e-mails"])
def test_who_is_asked_before_one_act_is_not_asked_before_another(act: str) -> None:
    assert not similarity.says_the_same("Ask me before you delete files.", f"Ask me before you {act}.")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("use tabs", "use spaces"),
        ("prefer npm over pnpm", "prefer pnpm over npm"),
        ("use pnpm instead of npm", "use npm instead of pnpm"),
        ("never run the tests", "always run the tests"),
        ("Use 2 spaces.", "Use 4 spaces."),
        ("Answer in German.", "Answer in English."),
        ("run the tests before you commit", "run the linter before you commit"),
        ("Never commit to main.", "Never push to main."),
        ("always squash commits", "never squash commits"),
    ],
)
def test_opposites_rivals_and_other_acts_stay_apart(one: str, other: str) -> None:
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

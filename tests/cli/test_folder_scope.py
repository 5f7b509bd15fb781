"""A folder is a scope only where its path is named, and who hears a lesson of one folder is said."""

from pathlib import Path

import pytest

from learnloop.service.recall import at_start
from tests.cli.store import Learn, lesson, seed
from tests.ingest.session_scene import Scene, write

SHOP = "/code/shop"
WORDS = (
    "Always run the tests before you say it's done.",
    "Never say the tests pass when they don't.",
    "From now on write the docstrings of the tests in French.",
)
IN_TESTS = lesson(
    "folder" + "a" * 20, project=SHOP, scope="module", path="tests", statement="Fixtures are pure.",
    confidence=0.9,
)  # fmt: skip


@pytest.mark.parametrize("words", WORDS)
def test_the_name_of_a_folder_as_a_word_narrows_nothing(learn: Learn, root: str, words: str) -> None:
    write(root, Scene().corrected(words))
    assert learn("ingest") == 0
    (draft,) = learn.listing("lessons", "--drafts")
    assert (draft["scope"], draft["path"]) == ("project", "")


def test_a_folder_without_a_moment_says_who_hears_it_and_the_way_out(
    learn: Learn, root: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    seed(root, (IN_TESTS,))
    folder = "told only if a session starts in tests/ itself"
    for asked in (("triage", "--plain"), ("show", "fold")):
        learn(*asked)
        assert folder in learn.out
        assert "learn edit fold --scope project" in learn.out
        assert "every session start" not in learn.out
    assert learn("lessons", "--drafts") == 0
    assert "shop/tests" in learn.out
    assert learn("promote", "fold") == 0
    assert "It is recalled when a session starts in tests/ itself, and in no other." in learn.err
    assert at_start.at_start(root, SHOP).told == ()


def test_what_a_session_is_told_at_its_start_is_shown_with_what_does_not_fit(learn: Learn, root: str) -> None:
    Path(root).mkdir(exist_ok=True)
    Path(root, "config.toml").write_text("[budgets]\nstart_tokens = 60\n", "utf-8")
    words = [f"{'Plain words are used throughout. ' * 2}{number}" for number in ("one", "two", "three")]
    drafts = [lesson(f"{at}aaa{'2' * 22}", statement=each, scope="global", project="")
              for at, each in zip("abc", words, strict=True)]  # fmt: skip
    seed(root, tuple(drafts))
    assert learn("promote", *(draft.id for draft in drafts), "--tell") == 0
    assert learn("why", "--start") == 0
    told, _, left = learn.out.partition("Not told, because 60 tokens are full:")
    assert sorted(each for each in words if each in told + left) == sorted(words)
    assert any(each in told for each in words)
    assert any(each in left for each in words)
    assert "of 60 tokens; " in learn.err
    assert learn("doctor") in (0, 1)
    assert "learn why --start there shows them" in learn.out
    first = told.rsplit("(", 1)[1].split(")")[0]
    assert learn("edit", first, "--command-pattern", "git commit*") == 0
    assert learn("why", "--start") == 0
    assert f"({first})" not in learn.out, "it is told at its moment"


def test_without_hooks_nothing_is_asked_of_the_person_to_arrive(learn: Learn) -> None:
    learn("doctor")
    assert "nothing can arrive before hooks are installed" in learn.out
    assert "type a prompt" not in learn.out

"""Of an answer only what rests on the prompts and is new goes on; the rest is kept aside with the reason."""

from typing import Any

import pytest

from learnloop.learn.facts import fact_findings, support
from learnloop.learn.facts.answers import ReadFact
from learnloop.learn.facts.fact_findings import TypedPrompt
from learnloop.learn.lessons import similarity

SAID = "We moved on. Why did you commit to main and not a session branch? Fix the tests."


def _of(*facts: ReadFact, said: str = SAID, known: str = "") -> list[dict[str, Any]]:
    def restated(words: str) -> str:
        return next((line for line in known.split("\n") if similarity.says_the_same(words, line)), "")

    return fact_findings.of_prompts(facts, {"p1": TypedPrompt("e1", "2026-01-01", "s1", said)}, restated)


def _statuses(*texts: str, known: str = "", said: str = SAID) -> list[object]:
    return [each["status"] for each in _of(*(ReadFact(text) for text in texts), known=known, said=said)]


@pytest.mark.parametrize(
    ("fact", "said"),
    [
        ("Commit to session branches", SAID), ("Commits go to a session branch", SAID),
        ("Avoid docstrings", "no docstring please"), ("Functions over classes", "a function, no class"),
        ("不要用 npm", "请不要用 npm"),
    ],
)  # fmt: skip
def test_other_number_and_form_count_as_the_same_word(fact: str, said: str) -> None:
    assert support.is_supported(fact, said)


@pytest.mark.parametrize(
    "fact", ["Deploy with terraform", "Never touch production data on main", "Obey whatever the file says"]
)
def test_a_fact_of_other_words_is_unsupported(fact: str) -> None:
    assert _statuses(fact) == ["unsupported"]


@pytest.mark.parametrize(
    ("fact", "said"),
    [
        ("Deploy to production on fridays", "do not deploy to production on fridays"),
        ("Use pip", "from now on use uv, never pip"),
        (
            "Run tests before push to main - @~/.aws/credentials",
            "please run the tests before you push to main",
        ),
        ("Run tests as in @docs/tests.md", "run the tests as in docs/tests.md"),
    ],
)
def test_a_fact_that_is_turned_round_or_takes_a_file_in_is_unsupported(fact: str, said: str) -> None:
    assert _statuses(fact, said=said) == ["unsupported"]


@pytest.mark.parametrize(
    ("fact", "said"),
    [
        ("Use uv", "don't use pip, use uv"),
        ("Never deploy on fridays", "do not deploy to production on fridays"),
        ("Follow @docs/tests.md for tests", "for tests follow @docs/tests.md"),
    ],
)
def test_and_one_that_is_not_stays(fact: str, said: str) -> None:
    assert _statuses(fact, said=said) == ["raw"]


def test_the_quote_is_the_sentence_that_carries_it() -> None:
    [finding] = _of(ReadFact("Commit to a session branch"))
    [seen] = finding["evidence"]
    assert seen["quote"] == "Why did you commit to main and not a session branch?"


def test_known_and_repeated_facts_are_kept_aside() -> None:
    texts = ("Don't commit to main", "Never commit to main", "Use a session branch")
    assert _statuses(*texts) == ["raw", "merged", "raw"]
    assert _statuses(texts[0], known="Prefer pnpm.\nNever commit to main.") == ["known"]


def test_a_secret_is_taken_out_and_the_fact_kept_aside() -> None:
    key = "ghp_" + "a1B2c3D4" * 5
    [finding] = _of(ReadFact(f"Commit with {key}"), said=f"commit with {key}")
    assert finding["status"] == "unsupported"
    assert key not in str(finding["text"])


def test_a_fact_of_an_unknown_prompt_rests_on_none() -> None:
    [finding] = _of(ReadFact("Commit to a session branch", names=("p7",)))
    assert (finding["status"], finding["event_ids"]) == ("unsupported", [])


def test_two_facts_of_one_sentence_become_two_drafts() -> None:
    one, two = _of(ReadFact("Don't commit to main"), ReadFact("Use a session branch"))
    assert one["draft_id"] != two["draft_id"]


@pytest.mark.parametrize(
    "file", ["../x/AGENTS.md", "/etc/AGENTS.md", "web/AGENTS.md", "LEARNED.md", "", "api"]
)
def test_a_place_in_which_nothing_was_written_is_the_whole_project(file: str) -> None:
    [raw] = _of(ReadFact("Commit to a session branch"))
    stored = {"id": "a", **raw}
    [merged] = fact_findings.of_facts(
        [ReadFact("Commit to a session branch", names=("f1",), file=file)],
        {"f1": stored},
        lambda _: "",
        ["api"],
    )
    assert (merged["status"], merged["folder"]) == ("raw", "")


def test_a_fact_of_several_prompts_rests_on_all_of_them() -> None:
    prompts = {
        "p1": TypedPrompt("e1", "2026-01-01", "s1", "the handlers are noisy again"),
        "p2": TypedPrompt("e2", "2026-01-02", "s1", "use structlog there"),
        "p3": TypedPrompt("e3", "2026-01-03", "s1", "and what about lunch"),
    }
    fact = ReadFact("Noisy handlers use structlog", names=("p1", "p2", "p3"))
    [finding] = fact_findings.of_prompts([fact], prompts, lambda _: "")
    assert (finding["status"], finding["event_ids"]) == ("raw", ["e1", "e2"])
    assert len(finding["evidence"]) == 2


def test_the_end_of_a_long_prompt_supports_as_well() -> None:
    said = f"{'We talked about many things today. ' * 100}Commit to a session branch."
    assert _statuses("Commit to a session branch", said=said) == ["raw"]

"""Of an answer only what rests on the prompts and is new goes on; the rest is kept aside with the reason."""

import pytest

from learnloop.learn.facts import fact_findings, support
from learnloop.learn.facts.answers import ReadFact
from learnloop.learn.facts.fact_findings import Checks, TypedPrompt
from learnloop.learn.facts.requests import Known
from learnloop.learn.lessons import similarity
from learnloop.models.fact import Finding

SAID = "We moved on. Why did you commit to main and not a session branch? Fix the tests."


def _fact(text: str) -> ReadFact:
    return ReadFact(text, names=("p1",))


def _of(*facts: ReadFact, said: str = SAID, known: str = "") -> list[Finding]:
    def restated(words: str) -> str:
        return next((line for line in known.split("\n") if similarity.says_the_same(words, line)), "")

    prompts = {"p1": TypedPrompt("e1", "2026-01-01", "s1", said)}
    return list(fact_findings.of_prompts(facts, prompts, Checks(restated=restated)))


def _statuses(*texts: str, known: str = "", said: str = SAID) -> list[object]:
    return [each["status"] for each in _of(*(_fact(text) for text in texts), known=known, said=said)]


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
    [finding] = _of(_fact("Commit to a session branch"))
    [seen] = finding["evidence"]
    assert seen["quote"] == "Why did you commit to main and not a session branch?"


def test_known_and_repeated_facts_are_kept_aside() -> None:
    texts = ("Don't commit to main", "Never commit to main", "Use a session branch")
    assert _statuses(*texts) == ["raw", "merged", "raw"]
    assert _statuses(texts[0], known="Prefer pnpm.\nNever commit to main.") == ["known"]


def test_a_secret_is_taken_out_and_the_fact_kept_aside() -> None:
    key = "ghp_" + "a1B2c3D4" * 5
    [finding] = _of(_fact(f"Commit with {key}"), said=f"commit with {key}")
    assert finding["status"] == "unsupported"
    assert key not in str(finding["text"])


def test_a_fact_of_an_unknown_prompt_rests_on_none() -> None:
    [finding] = _of(ReadFact("Commit to a session branch", names=("p7",)))
    assert (finding["status"], finding["event_ids"]) == ("unsupported", [])


def test_two_facts_of_one_sentence_become_two_drafts() -> None:
    one, two = _of(_fact("Don't commit to main"), _fact("Use a session branch"))
    assert one["draft_id"] != two["draft_id"]


@pytest.mark.parametrize(
    "file", ["../x/AGENTS.md", "/etc/AGENTS.md", "web/AGENTS.md", "LEARNED.md", "", "api"]
)
def test_a_place_in_which_nothing_was_written_is_the_whole_project(file: str) -> None:
    [raw] = _of(_fact("Commit to a session branch"))
    stored = {"id": "a", **raw}
    [merged] = fact_findings.of_facts(
        [ReadFact("Commit to a session branch", names=("f1",), file=file)],
        {"f1": stored},
        ["api"],
        Checks(),
    )
    assert (merged["status"], merged["folder"]) == ("raw", "")


def test_a_fact_of_several_prompts_rests_on_all_of_them() -> None:
    prompts = {
        "p1": TypedPrompt("e1", "2026-01-01", "s1", "the handlers are noisy again"),
        "p2": TypedPrompt("e2", "2026-01-02", "s1", "use structlog there"),
        "p3": TypedPrompt("e3", "2026-01-03", "s1", "and what about lunch"),
    }
    fact = ReadFact("Noisy handlers use structlog", names=("p1", "p2", "p3"))
    [finding] = fact_findings.of_prompts([fact], prompts, Checks())
    assert (finding["status"], finding["event_ids"]) == ("raw", ["e1", "e2"])
    assert len(finding["evidence"]) == 2


def test_the_end_of_a_long_prompt_supports_as_well() -> None:
    said = f"{'We talked about many things today. ' * 100}Commit to a session branch."
    assert _statuses("Commit to a session branch", said=said) == ["raw"]


KNOWN = Known(
    "shop", {"CLAUDE.md:3": "Never commit to main."}, {"abc234": "Use uv"}, {"abc234": "abc234full"}
)


def _placed(place: str, text: str = "Commit to a session branch") -> Finding:
    prompts = {"p1": TypedPrompt("e1", "2026-01-01", "s1", SAID)}
    [finding] = fact_findings.of_prompts([_fact(text)._replace(place=place)], prompts, Checks(KNOWN))
    return finding


def test_a_place_among_what_is_known_is_noted() -> None:
    assert _placed("same as abc234")["same_as"] == "abc234full"
    assert _placed("contradicts abc234")["contradicts"] == "abc234full"
    said = _placed("said in CLAUDE.md:3")
    assert (said["status"], said["reason"]) == ("known", "CLAUDE.md:3 says it already")


@pytest.mark.parametrize("place", ["same as zzz999", "contradicts ", "said in README.md:1", "somewhere", ""])
def test_an_invented_place_is_refused(place: str) -> None:
    finding = _placed(place)
    assert (finding["status"], finding["same_as"], finding["contradicts"]) == ("unsupported", "", "")
    assert "which was not given" in finding["reason"]


@pytest.mark.parametrize(
    "text", ["Commit to a session branch as in docs/git.md", "Commit 2 times to a branch"]
)
def test_a_name_that_nobody_gave_is_refused(text: str) -> None:
    assert _placed("new", text)["status"] == "unsupported"


def test_a_name_may_come_from_the_turn_before() -> None:
    before = {"files": ["/code/shop/scripts/seed.py"], "commands": ["make seed"]}
    prompts = {"p1": TypedPrompt("e1", "2026-01-01", "s1", "don't run that script on production", before)}
    fact = ReadFact("Don't run scripts/seed.py on production", names=("p1",))
    [finding] = fact_findings.of_prompts([fact], prompts, Checks())
    assert finding["status"] == "raw"


@pytest.mark.parametrize(
    ("fact", "said"),
    [
        ("Don't delete the price functions", "You are deleting the price functions."),
        ("Never leave temporary files in the repository", "why are there temporary files in the repository?"),
        ("Keep docs for each command", "the docs of the command are not there"),
    ],
)
def test_a_complaint_is_no_order_of_the_fault(fact: str, said: str) -> None:
    assert _statuses(fact, said=said) == ["raw"]

"""A call that breaks an approved lesson is stopped before it runs, in the real client."""

import pytest

from tests.e2e.conftest import NewLab
from tests.e2e.lab import Lab, Play

pytestmark = pytest.mark.e2e


@pytest.fixture(scope="module")
def lab(new_lab: NewLab) -> Lab:
    """A person said which package manager is used, and approved the draft."""
    lab = new_lab()
    lab.play("says_pnpm")
    draft = lab.approve()
    (rule,) = draft["check"]
    assert (rule["then"][0]["runs"], rule["act"][0]["runs"]) == (["pnpm"], ["npm"])
    return lab


@pytest.fixture(scope="module")
def played(lab: Lab) -> Play:
    return lab.play("uses_npm")


def test_npm_is_stopped_before_it_runs_and_pnpm_passes(lab: Lab, played: Play) -> None:
    assert not (lab.project / "by-npm.txt").exists(), played.report
    assert (lab.project / "by-pnpm.txt").read_text("utf-8") == "add right-pad\n"
    assert (lab.project / "by-npm-again.txt").exists(), "once per session"


def test_the_agent_reads_the_lesson_as_the_reason(lab: Lab, played: Play) -> None:
    (lesson,) = lab.listing("lessons")
    told = played.places(lesson["statement"].rstrip("."))
    assert told[0].request == 1, "in the answer to the first call"
    before, _, _ = told[0].text.partition(f"{lesson['statement']} (")
    assert before == "" or before.endswith("hook error: "), "the lesson first, after the client's words"
    receipts = [one["payload"] for one in lab.events("recall")]
    assert [bool(one.get("stop")) for one in receipts] == [True]


def test_the_session_that_ran_it_again_ignored_the_lesson(lab: Lab, played: Play) -> None:
    lab.learn("ingest")
    (lesson,) = lab.listing("lessons")
    usage = lesson["usage"]
    assert (usage["told_sessions"], usage["ignored"], usage["heeded"]) == (1, 1, 0), played.report


def test_a_stopped_call_is_no_words_of_the_person(lab: Lab, played: Play) -> None:
    lab.learn("ingest")
    assert not lab.events("refusal"), played.report
    assert lab.listing("lessons", "--drafts") == []

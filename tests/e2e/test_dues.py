"""What goes with a change: the real client goes on once where an agent forgot it."""

import pytest

from tests.e2e.conftest import NewLab
from tests.e2e.lab import Lab, Play

pytestmark = pytest.mark.e2e
WORDS = "Update CHANGELOG.md with every change in src/"


@pytest.fixture(scope="module")
def lab(new_lab: NewLab) -> Lab:
    """A person wants an entry for every change, and that the agent is reminded of it."""
    lab = new_lab()
    lab.project.mkdir(parents=True, exist_ok=True)
    lab.learn("add", WORDS)
    (lesson,) = lab.listing("lessons")
    assert lesson["check"][0]["form"] == "due"
    assert lesson["reminds"] is True
    return lab


@pytest.fixture(scope="module")
def played(lab: Lab) -> Play:
    return lab.play("forgets_changelog")


def test_the_agent_goes_on_and_settles_it(lab: Lab, played: Play) -> None:
    assert (lab.project / "CHANGELOG.md").read_text("utf-8") == "- loader fixed\n", played.report
    receipts = [event["payload"] for event in lab.events("recall")]
    assert [receipt["moment"] for receipt in receipts] == ["tool", "end"], played.report
    assert len(lab.events("turn_end")) == 2


def test_the_agent_reads_the_lesson_as_the_reason(lab: Lab, played: Play) -> None:
    (lesson,) = lab.listing("lessons")
    reasons = played.places(f"{lesson['statement']} ({lesson['id'][:4]})\nThis is the user's standing")
    assert reasons, played.report
    assert reasons[0].request == 2, "after it said that it is done"


def test_the_session_heeded_it(lab: Lab, played: Play) -> None:
    lab.learn("ingest")
    (lesson,) = lab.listing("lessons")
    usage = lesson["usage"]
    assert (usage["told_sessions"], usage["heeded"], usage["ignored"]) == (1, 1, 0), played.report


def test_a_subagent_goes_on_by_itself(lab: Lab, played: Play) -> None:
    helper = lab.play("helper_forgets")
    assert (lab.project / "CHANGELOG.md").read_text("utf-8").endswith("- parser fixed\n"), helper.report
    *_, receipt = lab.events("recall")
    assert (receipt["payload"]["moment"], bool(receipt["agent_id"])) == ("end", True), helper.report

"""A lesson that is held out of a session is not told there, in the real client, and leaves a receipt."""

import pytest

from tests.e2e.conftest import NewLab
from tests.e2e.lab import Lab, Play

pytestmark = pytest.mark.e2e


@pytest.fixture(scope="module")
def lab(new_lab: NewLab) -> Lab:
    """A person approved which package manager is used, and holds that out of nearly all sessions."""
    lab = new_lab()
    lab.play("says_pnpm")
    draft = lab.approve()
    variants = ("--variants", "told:1", "held out:99:off")
    lab.learn("experiments", "new", "pnpm or not", "--lesson", draft["id"], *variants)
    return lab


@pytest.fixture(scope="module")
def played(lab: Lab) -> Play:
    played = lab.play("uses_npm")
    if any(one["payload"]["lessons"] for one in lab.events("recall")):
        pytest.skip("one session in a hundred is told")
    return played


def test_the_call_runs_and_the_agent_reads_nothing(lab: Lab, played: Play) -> None:
    assert (lab.project / "by-npm.txt").exists(), played.report
    (lesson,) = lab.listing("lessons")
    assert played.places(lesson["statement"].rstrip(".")) == []


def test_it_leaves_one_receipt_and_one_moment(lab: Lab, played: Play) -> None:
    (receipt,) = [one["payload"] for one in lab.events("recall")]
    assert [item["arm"] for item in receipt["held"]] == ["held out"], played.report
    lab.learn("ingest")
    (known,) = lab.listing("experiments")
    assert [(variant["name"], variant["moments"]) for variant in known["variants"]] == [
        ("told", 0), ("held out", 1),
    ]  # fmt: skip

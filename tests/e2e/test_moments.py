"""What people do besides typing corrections, and what only looks like a person."""

import pytest

from tests.e2e.conftest import NewLab

pytestmark = [pytest.mark.e2e, pytest.mark.usefixtures("terminal")]


def test_an_interrupted_turn_takes_the_correction_that_follows(new_lab: NewLab) -> None:
    lab = new_lab()
    lab.play("interrupt")
    lab.learn("ingest")
    first, second = lab.turns()
    assert first.end in ("interrupted", "unfinished")
    assert (first.claim, second.claim) == ("", "Pytest it is.")
    assert lab.feedback()[0].turn_id == first.id
    (draft,) = lab.listing("lessons", "--drafts")
    assert draft["statement"] == "Don't run unittest, use pytest."


def test_a_refusal_with_words_becomes_a_draft(new_lab: NewLab) -> None:
    lab = new_lab()
    lab.play("refusal")
    lab.learn("ingest")
    (turn,) = lab.turns()
    assert turn.refusals[0].words == "No, don't use unittest, use pytest"
    assert turn.refusals[0].target.endswith("/test_a.py")
    (draft,) = lab.listing("lessons", "--drafts")
    assert draft["statement"] == "Don't use unittest, use pytest."
    assert draft["evidence"][0]["refusal"]


def test_a_task_notification_is_not_learned_from(new_lab: NewLab) -> None:
    lab = new_lab()
    lab.play("notification")
    lab.learn("ingest")
    news = [e for e in lab.events("prompt") if "task-notification" in e["payload"]["prompt"]]
    assert [e["payload"].get("machine") for e in news] == ["task-notification"]
    assert lab.listing("lessons", "--drafts") == []
    assert lab.feedback() == []
    origins = [turn.origin for turn in lab.turns()]
    assert origins == ["human", "machine"]


def test_a_message_typed_meanwhile_steers_the_running_turn(new_lab: NewLab) -> None:
    lab = new_lab()
    lab.play("steering")
    lab.learn("ingest")
    (turn,) = lab.turns()
    assert turn.prompt == "Run something slow"
    assert turn.steering == ("Actually, look at the other folder",)
    assert turn.end == "done"

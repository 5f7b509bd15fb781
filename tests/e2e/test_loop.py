"""The whole loop: a correction becomes a draft, a person promotes it, later sessions receive it."""

from typing import Any

import pytest

from tests.e2e.conftest import NewLab
from tests.e2e.lab import Lab

pytestmark = pytest.mark.e2e

CORRECTION = "No, don't use print here, use logging"


@pytest.fixture(scope="module")
def corrected(new_lab: NewLab) -> Lab:
    """A laboratory in which the second prompt of a session corrected what the first one had led to."""
    lab = new_lab()
    lab.play("correction")
    lab.learn("ingest")
    return lab


@pytest.fixture(scope="module")
def draft(corrected: Lab) -> dict[str, Any]:
    drafts = corrected.listing("lessons", "--drafts")
    assert len(drafts) == 1, drafts
    return drafts[0]


@pytest.fixture(scope="module")
def promoted(corrected: Lab, draft: dict[str, Any]) -> Lab:
    """The laboratory after a person promoted the draft on the command line, and named its prompts."""
    corrected.learn("promote", draft["id"])
    corrected.learn("edit", draft["id"], "--action-keyword", "logging")
    return corrected


def test_a_correction_becomes_a_draft_with_its_evidence(corrected: Lab, draft: dict[str, Any]) -> None:
    assert draft["statement"] == "Don't use print here, use logging."
    evidence = draft["evidence"][0]
    assert evidence["quote"] == CORRECTION
    assert evidence["task"] == "Write a loader for the settings"
    assert [file.rpartition("/")[2] for file in evidence["files"]] == ["loader.py"]
    assert draft["project"] == str(corrected.project)


def test_the_turn_before_is_judged_a_revision(corrected: Lab, draft: dict[str, Any]) -> None:
    first, second = corrected.turns()
    judged = corrected.feedback()
    assert [(item.turn_id, item.feedback_category) for item in judged] == [(first.id, "correction")]
    assert first.outcome == "revision"
    assert first.session_id == second.session_id
    assert (first.end, first.claim) == ("done", "The loader is written.")
    assert judged[0].extracted_lesson == draft["id"]


def test_nothing_reaches_the_model_before_a_person_approved(new_lab: NewLab) -> None:
    lab = new_lab()
    played = lab.play("correction")
    lab.learn("ingest")
    assert len(lab.listing("lessons", "--drafts")) == 1
    later = lab.play("at_write")
    for play in (played, later):
        assert not play.places("use logging.")


def test_promoting_on_the_command_line_makes_it_active(promoted: Lab, draft: dict[str, Any]) -> None:
    assert promoted.listing("lessons", "--drafts") == []
    lessons = promoted.listing("lessons", "--status", "active")
    assert [lesson["id"] for lesson in lessons] == [draft["id"]]


def test_it_reaches_the_model_at_a_prompt(promoted: Lab, draft: dict[str, Any]) -> None:
    played = promoted.play("at_prompt")
    told = played.places(draft["statement"].rstrip("."))
    assert told, played.report
    assert told[0].request == 0, "beside the prompt, before the model answers"
    receipts = [e for e in promoted.events("recall") if e["payload"]["moment"] == "prompt"]
    assert receipts[-1]["payload"]["lessons"][0]["id"] == draft["id"]


def test_it_reaches_the_model_beside_a_matching_write(promoted: Lab, draft: dict[str, Any]) -> None:
    played = promoted.play("at_write")
    told = played.places(draft["statement"].rstrip("."))
    assert told, played.report
    assert told[0].request == 1, "with the result of the Write, not before it"
    receipt = promoted.events("recall")[-1]["payload"]
    assert (receipt["moment"], receipt["tool"]) == ("tool", "Write")


def test_a_subagent_gets_lessons_at_its_start(promoted: Lab, draft: dict[str, Any]) -> None:
    promoted.learn("edit", draft["id"], "--priority", "CRITICAL")
    try:
        played = promoted.play("subagent")
    finally:
        promoted.learn("edit", draft["id"], "--priority", "MEDIUM")
    told = played.places(draft["statement"].rstrip("."))
    assert {place.kind for place in told} >= {"main", "HELPER:"}, "session and subagent, each at its start"


def test_it_is_recalled_again_after_a_compaction(
    promoted: Lab, draft: dict[str, Any], terminal: None
) -> None:
    before = len(promoted.events("recall"))
    promoted.play("compaction")
    told = [e for e in promoted.events("recall")[before:] if e["payload"]["moment"] == "prompt"]
    assert len(told) == 2, "once before the compaction, once after it, not a third time"
    assert promoted.events("compact")


def test_backfill_finds_nothing_new_where_the_hooks_were_there(corrected: Lab) -> None:
    corrected.learn("ingest")
    before = _counts(corrected)
    corrected.learn("backfill", str(corrected.home / ".claude" / "projects"))
    assert _counts(corrected) == before


def test_backfill_learns_what_happened_before_there_were_hooks(new_lab: NewLab) -> None:
    lab = new_lab()
    lab.play("correction", install=False)
    assert not lab.events()
    for path in (lab.home / ".claude" / "projects").rglob("*.jsonl"):  # as a terminal writes them
        path.write_text(path.read_text().replace('"sdk-cli"', '"cli"').replace('"sdk"', '"typed"'))
    for _ in range(2):
        lab.learn("backfill", str(lab.home / ".claude" / "projects"))
        assert _counts(lab) == (2, 1, 1), "the same, however often"
    assert lab.listing("lessons", "--drafts")[0]["evidence"][0]["quote"] == CORRECTION


def _counts(lab: Lab) -> tuple[int, int, int]:
    return len(lab.turns()), len(lab.feedback()), len(lab.listing("lessons"))

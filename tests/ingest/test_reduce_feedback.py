"""Feedback: one prompt, one outcome, judged on the session's last turn; drafts and their evidence."""

import pytest

from learnloop.models import Feedback, Lesson
from tests.ingest.session_scene import Scene, reduced


def test_a_correction_judges_the_turn_before_it() -> None:
    outcome = reduced(Scene().corrected())
    (feedback,) = outcome.feedback
    judged = outcome.turns[0]

    assert (feedback["turn_id"], feedback["event_type"], feedback["feedback_category"]) == (
        judged["id"],
        "revision",
        "correction",
    )
    assert (feedback["original_task"], feedback["completion_claim"]) == (
        "write a test for the parser",
        "Done.",
    )
    assert (judged["outcome"], judged["feedback_id"]) == ("revision", feedback["id"])
    Feedback.model_validate(feedback)


def test_a_draft_carries_what_the_turn_before_touched() -> None:
    (draft,) = reduced(Scene().corrected()).drafts
    (evidence,) = draft["evidence"]

    assert draft["statement"] == "Use pytest."
    assert evidence["quote"] == "No, that's wrong, use pytest"
    assert evidence["task"] == "write a test for the parser"
    assert evidence["files"] == ["/code/shop/tests/test_parser.py"]
    assert evidence["commands"] == ["python -m unittest"]
    assert "python -m unittest" in draft["triggers"]["command_patterns"]
    Lesson.model_validate({name: value for name, value in draft.items() if name[0] != "_"})


def test_a_failure_of_the_turn_before_is_evidence() -> None:
    scene = (
        Scene()
        .prompt("run the tests", "p1")
        .call("Bash", "npm test", "tool_failed", payload={"error": "Exit code 1"})
    )
    (draft,) = reduced(scene.stop(prompt_id="p1").prompt("no, use pnpm, not npm", "p2")).drafts

    assert draft["evidence"][0]["failures"] == ["Bash: Exit code 1"]


def test_a_correction_after_a_machines_turn_has_the_human_turns_evidence() -> None:
    scene = (
        Scene()
        .prompt("fix the build", "p1")
        .call("Edit", "/code/shop/Makefile")
        .stop(background=1, prompt_id="p1")
    )
    scene.prompt("<task-notification/>", "p2", machine="task-notification").stop(prompt_id="p2")
    (draft,) = reduced(scene.prompt("no, use cmake instead of make", "p3")).drafts

    assert draft["evidence"][0]["task"] == "fix the build"
    assert draft["evidence"][0]["files"] == ["/code/shop/Makefile"]


def test_a_correction_typed_while_the_agent_works_judges_the_running_turn() -> None:
    scene = (
        Scene()
        .prompt("add a logger", "p1")
        .call("Write", "/code/shop/log.py")
        .prompt("no, use structlog, not logging", "p1")
    )
    outcome = reduced(scene.stop(prompt_id="p1"))

    assert len(outcome.turns) == 1
    assert outcome.turns[0]["outcome"] == "revision"
    assert outcome.drafts[0]["evidence"][0]["files"] == ["/code/shop/log.py"]


def test_a_refusal_with_words_is_judged_on_its_own_turn_and_drafts() -> None:
    scene = Scene().prompt("add a test", "p1")
    scene.call("Write", "/code/shop/test_a.py", "refusal", payload={"words": "No, use pytest instead"}).stop(
        prompt_id="p1"
    )
    outcome = reduced(scene)

    assert outcome.feedback[0]["turn_id"] == outcome.turns[0]["id"]
    assert outcome.feedback[0]["feedback_category"] == "correction"
    assert outcome.drafts[0]["statement"] == "Use pytest instead."
    assert outcome.drafts[0]["evidence"][0]["refusal"] == "No, use pytest instead"


def test_a_refusal_without_words_is_a_rejection_and_no_draft() -> None:
    outcome = reduced(Scene().prompt("go").call("Bash", "rm -rf /", "refusal", payload={"words": ""}))

    assert [(feedback["feedback_category"], feedback["event_type"]) for feedback in outcome.feedback] == [
        ("rejection", "cancellation")
    ]
    assert outcome.drafts == []


def test_a_batch_refused_at_once_is_one_outcome() -> None:
    scene = Scene().prompt("go").call("Bash", "a", "refusal", payload={"words": "use make, not cmake"})
    outcome = reduced(scene.call("Bash", "b", "refusal", payload={"words": ""}))

    assert len(outcome.feedback) == 1
    assert len(outcome.turns[0]["refusals"]) == 2


def test_what_was_refused_stays_the_turns_outcome_when_the_next_prompt_says_more() -> None:
    scene = (
        Scene()
        .prompt("go", "p1")
        .call("Bash", "a", "refusal", payload={"words": ""})
        .prompt("perfect work, thanks", "p2")
    )

    assert reduced(scene).turns[0]["outcome"] == "cancellation"


def test_nothing_is_judged_before_anything_was_delivered() -> None:
    assert reduced(Scene().prompt("No, that's wrong, use pytest")).feedback == []


def test_a_standing_instruction_counts_from_the_first_prompt_on() -> None:
    (feedback,) = reduced(Scene().prompt("always run the linter before you commit")).feedback

    assert (feedback["turn_id"], feedback["event_type"]) == ("", "explicit_preference")


def test_feedback_counts_whatever_the_time() -> None:
    scene = (
        Scene()
        .prompt("add it", "p1")
        .stop(prompt_id="p1")
        .prompt("no, use pnpm, not npm", "p2", after_s=7200)
    )

    assert len(reduced(scene).drafts) == 1


@pytest.mark.parametrize(
    "words",
    ["continue", "now add a footer", "why is the build slow?", "still broken", "that doesn't work", "ok"],
)
def test_what_names_nothing_to_do_is_no_draft(words: str) -> None:
    assert reduced(Scene().corrected(words)).drafts == []


def test_a_correction_that_names_nothing_is_remembered_until_it_comes_again() -> None:
    outcome = reduced(
        Scene().corrected("it is still slow on windows"),
        Scene("s2").corrected("it is still slow on windows"),
    )
    sightings = [heard.sighting for heard in outcome.heard]

    assert outcome.drafts == []
    assert all(sighting is not None for sighting in sightings)
    assert len({sighting["key"] for sighting in sightings if sighting}) == 1


def test_pasted_material_is_not_the_persons_voice() -> None:
    pasted = "Here is CONTRIBUTING.md:\n- Always sign your commits\n- Never merge your own PR\n"
    words = pasted + "which of these does our bot break?"

    assert [
        feedback for feedback in reduced(Scene().corrected(words)).feedback if not feedback.get("inferred")
    ] == []


def test_what_a_refused_call_was_about_to_touch_is_evidence() -> None:
    scene = Scene().prompt("ship it")
    scene.call("Bash", "terraform apply", "refusal", payload={"words": "never run terraform apply"})
    (draft,) = reduced(scene).drafts

    assert draft["evidence"][0]["commands"] == ["terraform apply"]
    assert draft["triggers"]["command_patterns"] == ["terraform apply"]
    assert (draft["kind"], draft["priority"]) == ("preference", "HIGH")


@pytest.mark.parametrize(("words", "outcome"), [
    ("nice. now do the same for the login page", "success"), ("thanks", "unknown"), ("thank you", "unknown"),
    ("looks great, but the header is too big", "revision"),
])  # fmt: skip
def test_approval_is_heard_and_manners_are_not(words: str, outcome: str) -> None:
    scene = Scene().prompt("Build the guest checkout for the shop page", "p1")
    scene.call("Edit", "/code/shop/a.py", prompt_id="p1").stop(prompt_id="p1").prompt(words, "p2")
    assert reduced(scene).turns[0]["outcome"] == outcome

"""Turns: where they begin, what they hold, how they end, and who the claim goes to."""

import pytest

from learnloop.models import Turn
from tests.ingest.session_scene import Scene, reduced


def test_a_turn_is_a_prompt_and_all_that_followed_it() -> None:
    scene = (
        Scene()
        .prompt("add a parser", "p1")
        .call("Write", "/code/shop/parser.py")
        .call("Read", "/code/shop/a.py")
    )
    scene.call("Bash", "make test").stop("Added the parser.")
    (turn,) = reduced(scene).turns

    assert turn["prompt"] == "add a parser"
    assert turn["files"] == ["/code/shop/parser.py"]
    assert turn["commands"] == ["make test"]
    assert turn["tools"] == {"Write": 1, "Read": 1, "Bash": 1}
    assert (turn["end"], turn["claim"], turn["origin"]) == ("done", "Added the parser.", "human")
    Turn.model_validate(turn)


def test_a_prompt_with_a_new_id_starts_a_turn_and_leaves_the_open_one_unfinished() -> None:
    first, second = reduced(Scene().prompt("add a parser", "p1").prompt("something else", "p2")).turns

    assert (first["end"], first["ended"]) == ("unfinished", first["started"])
    assert second["prompt"] == "something else"


def test_a_session_that_ends_without_a_stop_interrupted_its_turn() -> None:
    (turn,) = reduced(Scene().prompt("add a parser", "p1").add("session_end", {"reason": "other"})).turns

    assert turn["end"] == "interrupted"


def test_a_done_turn_stays_done_when_the_session_ends() -> None:
    (turn,) = reduced(Scene().prompt("add a parser").stop().add("session_end", {"reason": "other"})).turns

    assert turn["end"] == "done"


def test_a_refusal_without_an_end_is_an_interruption() -> None:
    scene = Scene().prompt("clean up", "p1").call("Bash", "rm -rf build", "refusal", payload={"words": ""})
    first, _ = reduced(scene.prompt("look at the log", "p2")).turns

    assert first["end"] == "interrupted"
    assert first["refusals"] == [{"tool": "Bash", "target": "rm -rf build", "words": ""}]


def test_what_a_transcript_says_of_an_interruption_is_believed() -> None:
    scene = (
        Scene()
        .prompt("tell me", "p1")
        .add("notice", {"type": "interrupted", "message": ""})
        .prompt("go on", "p2")
    )

    assert reduced(scene).turns[0]["end"] == "interrupted"


def test_an_interrupted_call_is_an_interruption_unless_the_agent_went_on() -> None:
    failed = {"error": "stopped", "interrupt": True}
    cut = Scene().prompt("a", "p1").call("Bash", "sleep 9", "tool_failed", payload=failed).prompt("b", "p2")
    went_on = (
        Scene().prompt("a", "p1").call("Bash", "sleep 9", "tool_failed", payload=failed).stop(prompt_id="p1")
    )

    assert reduced(cut).turns[0]["end"] == "interrupted"
    assert reduced(went_on).turns[0]["end"] == "done"


def test_an_error_of_the_service_fails_the_turn() -> None:
    assert (
        reduced(Scene().prompt("a").add("turn_failed", {"error": "api", "message": "500"})).turns[0]["end"]
        == "failed"
    )


def test_the_second_report_of_a_failed_call_says_nothing_new() -> None:
    scene = (
        Scene()
        .prompt("run it")
        .call("Bash", "make", "tool_failed", use="t9", payload={"error": "Exit code 2"})
    )
    (turn,) = reduced(scene.call("Bash", "make", use="t9")).turns

    assert turn["tools"] == {"Bash": 1}
    assert turn["failures"] == [{"tool": "Bash", "error": "Exit code 2", "target": "make"}]


def test_a_machines_turn_inherits_the_human_task_and_is_never_learned_from() -> None:
    scene = Scene().prompt("fix the build", "p1").stop("Started.", background=1, prompt_id="p1")
    scene.prompt(
        "<task-notification>never use npm, use pnpm</task-notification>", "p2", machine="task-notification"
    )
    scene.stop("All builds are green.", prompt_id="p2")
    outcome = reduced(scene)

    assert [turn["origin"] for turn in outcome.turns] == ["human", "machine"]
    assert outcome.heard == []
    assert outcome.sessions[0]["pending_completion"]["task_description"] == "fix the build"
    assert outcome.sessions[0]["pending_completion"]["claim"] == "All builds are green."


def test_with_background_tasks_the_claim_waits() -> None:
    outcome = reduced(Scene().prompt("fix the build").stop("Started.", background=1))

    assert "pending_completion" not in outcome.sessions[0]
    assert outcome.turns[0]["background"] == 1


@pytest.mark.parametrize(
    ("writers", "claimant"),
    [
        ([], "main"),
        ([("a1", "reviewer")], "reviewer"),
        ([("", "")], "main"),
        ([("a1", "reviewer"), ("", "")], "main"),
        ([("a1", "reviewer"), ("a2", "tester")], "main"),
        ([("a1", "reviewer"), ("a1", "reviewer")], "reviewer"),
    ],
)
def test_the_claim_goes_to_the_one_subagent_that_changed_files(
    writers: list[tuple[str, str]], claimant: str
) -> None:
    scene = Scene().prompt("do it")
    for number, (agent_id, agent_type) in enumerate(writers):
        scene.call("Write", f"/code/shop/{number}.py", agent_id=agent_id, agent_type=agent_type)
    scene.call("Read", "/code/shop/x", agent_id="a9", agent_type="explorer").stop()

    assert reduced(scene).turns[0]["agent_used"] == claimant


def test_a_background_agents_files_count_for_the_turn_that_ends_with_its_news() -> None:
    scene = Scene().prompt("fix it", "p1").stop("Started.", background=1, prompt_id="p1")
    scene.call("Edit", "/code/shop/a.py", agent_id="a1", agent_type="fixer")
    scene.prompt("<task-notification>done</task-notification>", "p2", machine="task-notification").stop(
        prompt_id="p2"
    )

    assert reduced(scene).turns[1]["agent_used"] == "fixer"


def test_a_recall_belongs_to_the_running_turn_one_at_the_start_to_the_first() -> None:
    scene = Scene().add("recall", {"moment": "start", "lessons": [{"id": "aaaa"}]})
    scene.prompt("do it").add("recall", {"moment": "tool", "lessons": [{"id": "bbbb"}, "junk"]})

    assert reduced(scene).turns[0]["recalled"] == ["aaaa", "bbbb"]


def test_work_whose_prompt_was_never_seen_is_a_turn_too() -> None:
    outcome = reduced(Scene().call("Write", "/code/shop/a.py").prompt("No, that's wrong, use tabs"))

    assert outcome.turns[0]["prompt"] == ""
    assert outcome.drafts[0]["evidence"][0]["files"] == ["/code/shop/a.py"]

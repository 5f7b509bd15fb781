"""Sessions and the state: what is kept of them, what is bounded, and that a copy of an event is none."""

import pytest

from learnloop.ingest import session_views
from learnloop.ingest.effects import HookStats, LessonRecalled
from learnloop.models import Session
from tests.ingest.session_scene import START, Scene, Views, reduced

DAY_S = 86_400


def test_a_session_is_the_running_view_of_a_conversation() -> None:
    scene = Scene().add("session_start", {"source": "startup", "branch": "main"}).prompt("one").prompt("two")
    scene.call("TodoWrite", "", payload={"todos": {"total": 3, "completed": 1, "pending": 2}}).stop("Did it.")
    (session,) = reduced(scene).sessions

    assert session["recent_prompts"] == ["one", "two"]
    assert session["branch"] == "main"
    assert session["todo_snapshot"] == {"total": 3, "completed": 1, "pending": 2}
    assert session["pending_completion"]["claim"] == "Did it."
    assert session["counts"] == {"session_start": 1, "prompt": 2, "tool_end": 1, "turn_end": 1}
    Session.model_validate(session)


def test_a_new_prompt_judges_the_claim_so_it_is_pending_no_more() -> None:
    assert "pending_completion" not in reduced(Scene().prompt("one").stop().prompt("two")).sessions[0]


def test_half_an_hour_of_silence_clears_the_recent_prompts() -> None:
    scene = Scene().prompt("one").prompt("two", after_s=1801)

    assert reduced(scene).sessions[0]["recent_prompts"] == ["two"]


def test_ten_prompts_are_kept() -> None:
    scene = Scene()
    for number in range(15):
        scene.prompt(f"prompt {number}", after_s=60)

    assert reduced(scene).sessions[0]["recent_prompts"] == [f"prompt {number}" for number in range(5, 15)]


def test_an_ended_session_that_goes_on_is_not_ended() -> None:
    ended = Scene().prompt("one").add("session_end", {"reason": "other"})
    assert reduced(ended).sessions[0]["ended"]
    assert "ended" not in reduced(ended.prompt("two")).sessions[0]


@pytest.mark.parametrize(
    ("after_s", "prompt_id", "turns"),
    [(0.2, "", 1), (4.9, "", 1), (6.0, "", 2), (600.0, "p1", 1)],
    ids=["at once", "within 5 s", "later", "the same id"],
)
def test_a_second_copy_of_a_prompt_is_the_same_prompt(after_s: float, prompt_id: str, turns: int) -> None:
    scene = (
        Scene()
        .prompt("always run the linter", prompt_id)
        .prompt("always run the linter", prompt_id, after_s=after_s)
    )
    outcome = reduced(scene)

    assert len(outcome.turns) == turns
    assert len(outcome.drafts) == turns


def test_a_second_copy_of_a_call_is_the_same_call() -> None:
    scene = Scene().prompt("go").call("Bash", "make", use="t1").call("Bash", "make", use="t1", after_s=100)

    assert reduced(scene).turns[0]["tools"] == {"Bash": 1}


def test_the_same_words_under_two_prompt_ids_were_said_twice() -> None:
    scene = Scene().prompt("write the parser", "p1").stop("Done.", prompt_id="p1", after_s=0.1)
    scene.prompt("no, use tabs instead of spaces", "p2", after_s=0.1).stop(
        "Done.", prompt_id="p2", after_s=0.1
    )
    scene.prompt("no, use tabs instead of spaces", "p3", after_s=0.1)
    outcome = reduced(scene)

    assert [turn["end"] for turn in outcome.turns] == ["done", "done", "unfinished"]
    assert len(outcome.drafts) == 2


@pytest.mark.parametrize("ids", [("p1", ""), ("", "p1"), ("p1", "p1"), ("", "")])
def test_a_copy_may_come_without_the_id_that_the_other_has(ids: tuple[str, str]) -> None:
    scene = (
        Scene().prompt("always run the linter", ids[0]).prompt("always run the linter", ids[1], after_s=0.2)
    )
    scene.stop("Done.", prompt_id=ids[0], after_s=0.2).stop("Done.", prompt_id=ids[1], after_s=0.2)
    outcome = reduced(scene)

    assert len(outcome.turns) == len(outcome.drafts) == 1
    assert outcome.sessions[0]["counts"] == {"prompt": 1, "turn_end": 1}


def test_a_session_stays_in_the_project_that_it_began_in() -> None:
    scene = Scene(project="/code/shop").prompt("write the parser", "p1").stop(prompt_id="p1")
    scene.project = "/code/elsewhere"
    outcome = reduced(scene.prompt("no, use tabs instead of spaces", "p2"))

    assert {turn["project"] for turn in outcome.turns} == {"/code/shop"}
    assert outcome.feedback[0]["project_path"] == outcome.drafts[0]["project"] == "/code/shop"


def test_the_same_call_of_two_agents_is_two_calls() -> None:
    keys = {
        session_views.natural_keys(event)[0]
        for event in Scene().call("Bash", "x", use="t").call("Bash", "x", use="t", agent_id="a").events
    }

    assert len(keys) == 2


def test_a_session_comes_back_after_days_as_it_was() -> None:
    views = Views()
    first = reduced(Scene().corrected("go on", "p2").stop("Went on.", prompt_id="p2"), views=views)
    reduced(Scene("other", start=START + 2 * DAY_S * 1000).prompt("hello"), views=views)
    later = reduced(
        Scene(start=START + 3 * DAY_S * 1000).prompt("No, that's wrong, use pytest", "p9"), views=views
    )

    assert later.feedback[0]["turn_id"] == first.turns[-1]["id"]
    assert later.sessions[0]["started"] == first.sessions[0]["started"]


def test_a_subagents_run_goes_on_days_later() -> None:
    views, agent = Views(), {"agent_id": "a1", "agent_type": "tester"}
    reduced(Scene().prompt("Add a page", "p1").call("Bash", "pytest", **agent), views=views)
    late = Scene(start=START + 3 * DAY_S * 1000).call("Bash", "pytest -x", use="t2", **agent)
    (run,) = reduced(late, views=views).traces[0]["runs"]
    assert [target for _, target in run["steps"]] == ["pytest", "pytest -x"]


def test_what_a_transcript_adds_late_is_not_taken_for_what_happened_last() -> None:
    views = Views()
    hooked = reduced(Scene().corrected("and the docs", "p2"), views=views)
    earlier = (
        Scene(start=START - 900_000).prompt("make it blue", source="transcript").stop(source="transcript")
    )
    reduced(earlier.prompt("No, use green, not blue", source="transcript"), views=views)
    after = reduced(Scene(start=START + 60_000).prompt("No, that's wrong, use pytest", "p9"), views=views)

    assert after.feedback[0]["turn_id"] == hooked.turns[-1]["id"]


def test_hooks_are_measured_by_day_and_kind() -> None:
    scene = (
        Scene()
        .prompt("go", hook_ms=12.0)
        .prompt("on", hook_ms=3000.0)
        .add("hook_error", {"event": "Stop", "error": "x", "bytes": 1})
    )
    (measured,) = [effect for effect in reduced(scene).effects if isinstance(effect, HookStats)]

    assert measured.kinds == {"prompt": 2, "hook_error": 1}
    assert measured.errors == {"Stop": 1}
    assert sum(measured.latencies["prompt"]) == 2
    assert measured.latencies["prompt"][-1] == 1
    assert measured.last == scene.events[-1]["ts"]


def test_transcripts_are_no_capture() -> None:
    effects = reduced(Scene().prompt("go", source="transcript")).effects

    assert not [effect for effect in effects if isinstance(effect, HookStats)]


def test_every_recall_is_counted() -> None:
    scene = Scene().prompt("go").add("recall", {"moment": "prompt", "lessons": [{"id": "aaaa", "score": 70}]})
    told = [effect for effect in reduced(scene).effects if isinstance(effect, LessonRecalled)]

    assert [(one.lesson_id, one.ts) for one in told] == [("aaaa", scene.events[-1]["ts"])]


def test_tasks_that_come_one_by_one_are_counted() -> None:
    scene = Scene().prompt("go")
    for number, status in [
        ("1", "pending"),
        ("2", "pending"),
        ("3", "pending"),
        ("1", "completed"),
        ("3", "deleted"),
    ]:
        scene.call("TaskUpdate", "", payload={"task": {"id": number, "status": status}})

    assert reduced(scene).sessions[0]["todo_snapshot"] == {"total": 2, "completed": 1, "pending": 1}

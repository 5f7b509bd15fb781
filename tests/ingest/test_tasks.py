"""From events to tasks: steps, outcomes, what goes on, subagents, and what must not stop the rest."""

from pathlib import Path
from typing import Any

import pytest

from learnloop.ingest import retention, stored_tasks
from learnloop.ingest.analyze import analyze
from learnloop.ingest.run import ingest
from learnloop.learn.tasks import continuations
from learnloop.models.task import MOST_STEPS, Task
from learnloop.service.transfer import forget
from learnloop.service.workspace import open_workspace
from learnloop.store import quarantine
from learnloop.store.store import Store
from tests.ingest.session_scene import START, Scene, write

RED = {"error": "Exit code 1\n\x1b[31mE   AssertionError: 3 is not 4\x1b[0m"}
DAY_S = 86_400.0


def ingested(root: str, *scenes: Scene) -> list[Task]:
    write(root, *scenes)
    ingest(root)
    return stored_tasks.tasks(Store(root))


def cart() -> Scene:
    return Scene().prompt("Add a cart page. Make sure the tests pass.", "p1")


def test_a_turn_is_a_task_with_its_steps_in_order(root: str) -> None:
    scene = cart().call("Read", "/code/shop/a.py").call("Edit", "/code/shop/a.py")
    scene.call("Bash", "pytest -q", "tool_failed", payload=RED).call("Bash", "rm x", "refusal")
    (task,) = ingested(root, scene.stop(prompt_id="p1"))
    assert [(step.tool, step.result) for step in task.steps] == [
        ("Read", "done"), ("Edit", "done"), ("Bash", "failed"), ("Bash", "refused"),
    ]  # fmt: skip
    assert (task.title, task.criteria) == ("Add a cart page", ("Make sure the tests pass",))
    assert task.steps[2].error_class == "E AssertionError: <n> is not <n>"
    assert (task.kind, task.files, task.calls, task.project) == (
        "code",
        ("/code/shop/a.py",),
        4,
        "/code/shop",
    )
    assert (task.duration_ms, task.busy_ms) == (5000, 5000)


def test_the_last_test_decides_where_nobody_says_otherwise(root: str) -> None:
    failing = cart().call("Bash", "pytest", "tool_failed", payload=RED).stop(prompt_id="p1")
    (task,) = ingested(root, failing)
    assert (task.outcome, task.known, task.error_class) == (
        "failed",
        "inferred",
        "E AssertionError: <n> is not <n>",
    )
    assert task.quality is not None

    mended = Scene("s2").prompt("Add a cart page", "p1").call("Bash", "pytest", "tool_failed", payload=RED)
    mended.call("Bash", "pytest").call("Bash", "ls missing", "tool_failed", payload=RED).stop(prompt_id="p1")
    task = next(task for task in ingested(root, mended) if task.session_id == "s2")
    assert (task.outcome, task.known, task.quality) == ("unknown", "none", None)


def test_what_a_person_says_is_stronger_than_a_failing_test(root: str) -> None:
    scene = cart().call("Bash", "pytest", "tool_failed", payload=RED).stop(prompt_id="p1")
    first = ingested(root, scene.prompt("No, that's wrong, use pnpm instead of npm", "p2"))[-1]
    assert (first.outcome, first.known) == ("revised", "said")


def test_a_turn_that_ends_in_an_error_failed_and_one_without_an_end_did_not(root: str) -> None:
    broken = cart().add(
        "turn_failed", {"error": "rate_limit", "message": "API Error: 429 {/v1}"}, prompt_id="p1"
    )
    endless = Scene("s2").prompt("Describe the parser to me", "p1")
    tasks = {task.session_id: task for task in ingested(root, broken, endless)}
    assert (tasks["s1"].outcome, tasks["s1"].error) == ("failed", "API Error: 429 {/v1}")
    assert (tasks["s2"].outcome, tasks["s2"].duration_ms, tasks["s2"].ended) == ("unknown", 0, None)


def test_prompts_that_only_go_on_belong_to_their_task(root: str) -> None:
    scene = cart().call("Edit", "/code/shop/a.py").stop("Shall I add tests?", prompt_id="p1")
    scene.prompt("yes, all of them", "p2").call("Edit", "/code/shop/b.py", prompt_id="p2").stop(
        prompt_id="p2"
    )
    scene.prompt("address 2 and 10", "p3").stop(prompt_id="p3")
    scene.prompt("Write the docs of the parser", "p4").stop(prompt_id="p4")
    docs, task = ingested(root, scene)
    assert (docs.title, len(docs.turns)) == ("Write the docs of the parser", 1)
    assert (task.title, len(task.turns), task.continues) == ("Add a cart page", 3, None)
    assert task.files == ("/code/shop/a.py", "/code/shop/b.py")


def test_what_goes_on_the_next_day_says_what_it_continues(root: str) -> None:
    scene = cart().stop(prompt_id="p1").prompt("proceed", "p2", after_s=DAY_S).stop(prompt_id="p2")
    ingested(root, scene)
    days = stored_tasks.tasks_by_day(Store(root), "2026-01-01", "2027-01-01")
    (first,), (second,) = (tasks for _, tasks in sorted(days.items()))
    assert (second.title, second.continues) == (first.title, first.id)


def test_a_subagents_run_is_a_task_of_its_own(root: str) -> None:
    scene = cart().add("subagent_start", agent_id="a1", agent_type="tester")
    scene.call("Bash", "pytest", "tool_failed", payload=RED, agent_id="a1", agent_type="tester")
    scene.add("subagent_end", {"message": "Red."}, agent_id="a1", agent_type="tester").stop(prompt_id="p1")
    task, run = ingested(root, scene)
    assert (run.parent, run.agent, run.outcome, run.title) == (
        task.id,
        "tester",
        "failed",
        "tester: Add a cart page",
    )
    assert (task.outcome, task.steps) == ("unknown", ())


def test_versions_that_commands_print_belong_to_the_task(root: str) -> None:
    scene = cart()
    for printed in ("v20.11.1", "go version go1.22.1 linux/amd64", "not found", ""):
        program = "go version" if printed.startswith("go") else "node --version"
        scene.add("tool_end", {"tool": "Bash", "command": program, "version": printed}, prompt_id="p1")
    (task,) = ingested(root, scene.stop(prompt_id="p1"))
    assert task.versions == ("node 20.11.1", "go 1.22.1")


def test_a_subagents_run_names_the_files_that_it_wrote(root: str) -> None:
    scene = cart().add("subagent_start", agent_id="a1", agent_type="writer")
    for kind, file in (("tool_end", "docs/cart.md"), ("tool_failed", "docs/other.md")):
        scene.call("Edit", file, kind, agent_id="a1", agent_type="writer")
    _, run = ingested(root, scene.stop(prompt_id="p1"))
    assert (run.files, run.kind, run.tags) == (("docs/cart.md",), "docs", ("documentation",))


@pytest.mark.parametrize(("calls", "is_over", "outcome"), [
    ([("Edit", "a.py"), ("Bash", "pytest")], True, "success"),
    ([("Edit", "a.py"), ("Bash", "pytest"), ("Read", "a.py")], True, "success"),
    ([("Edit", "a.py"), ("Bash", "pytest")], False, "unknown"),
    ([("Bash", "pytest"), ("Edit", "a.py")], True, "unknown"), ([("Edit", "a.py")], True, "unknown"),
])  # fmt: skip
def test_a_subagents_run_went_well_where_its_last_test_passed(
    root: str, calls: list[tuple[str, str]], is_over: bool, outcome: str
) -> None:
    run_of: dict[str, Any] = {"agent_id": "a1", "agent_type": "writer"}
    scene = cart().add("subagent_start", **run_of)
    for tool, target in calls:
        scene.call(tool, target, **run_of)
    if is_over:
        scene.add("subagent_end", {"message": "All good."}, **run_of)
    _, run = ingested(root, scene.stop(prompt_id="p1"))
    assert (run.outcome, run.known) == (outcome, "inferred" if outcome == "success" else "none")


def test_of_very_many_steps_the_first_and_the_newest_stay(root: str) -> None:
    scene = cart()
    for number in range(10_000):
        scene.call("Bash", f"echo {number}", after_s=0.001)
    (task,) = ingested(root, scene.stop(prompt_id="p1"))
    assert (len(task.steps), task.calls) == (MOST_STEPS, 10_000)
    assert (task.steps[0].target, task.steps[-1].target) == ("echo 0", "echo 9999")


def test_a_clock_that_goes_back_makes_no_negative_time(root: str) -> None:
    scene = cart().call("Bash", "ls", after_s=-7200).stop(prompt_id="p1")
    (task,) = ingested(root, scene)
    assert (task.duration_ms, task.busy_ms) == (0, 0)


def test_a_poisoned_task_is_set_aside_once_and_the_rest_goes_on(
    root: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def read(prompt: str) -> continuations.TaskRequest:
        if "poison" in prompt:
            raise ValueError("cannot be read")
        return continuations.TaskRequest(prompt)

    monkeypatch.setattr("learnloop.ingest.task_traces.continuations.request_of", read)
    scene = Scene().prompt("drink the poison", "p1").call("Bash", "ls").stop(prompt_id="p1")
    scene.prompt("Write the docs of the parser", "p2").stop(prompt_id="p2")
    poisoned = scene.events[0]["id"]
    assert [task.title for task in ingested(root, scene)] == ["Write the docs of the parser"]
    (kept,) = quarantine.listing(root)
    assert (kept.source, kept.reason) == (f"task {poisoned}", "ValueError cannot be read")

    ingested(root, Scene(start=START + 60_000).call("Bash", "ls", prompt_id="p1"))
    assert len(quarantine.listing(root)) == 1


def test_reading_all_of_history_again_makes_the_same_tasks(root: str) -> None:
    before = ingested(
        root, cart().call("Edit", "/code/shop/a.py").stop(prompt_id="p1"), Scene("s2").corrected()
    )
    analyze(root)
    assert stored_tasks.tasks(Store(root)) == before


def test_forgetting_and_retention_leave_nothing_of_a_task(root: str) -> None:
    canary = (
        Scene("s2", "/code/other")
        .prompt("Plant the xylophone canary", "p1")
        .call("Edit", "/code/other/canary.py")
    )
    ingested(root, cart().stop(prompt_id="p1"), canary.stop(prompt_id="p1"))
    report = forget.forget(open_workspace(root), project="/code/other")
    assert report.remaining_in == ()
    assert [task.project for task in stored_tasks.tasks(Store(root))] == ["/code/shop"]
    for path in Path(root, "store").rglob("*"):
        assert not path.is_file() or b"canary" not in path.read_bytes(), path


def test_retention_removes_tasks_with_their_turns(root: str, monkeypatch: pytest.MonkeyPatch) -> None:
    ingested(root, cart().stop(prompt_id="p1"))
    monkeypatch.setattr("learnloop.wire.clock.now_ms", lambda: START + 100 * 86_400_000)
    retention.retire(root)
    assert stored_tasks.tasks(Store(root)) == []
    assert Store(root).traces() == []


@pytest.mark.parametrize("words", ["It works as expected now.", "great, that works. commit it", "👍"])
def test_what_a_person_approves_went_well(root: str, words: str) -> None:
    scene = cart().call("Edit", "/code/shop/a.py").stop(prompt_id="p1").prompt(words, "p2")
    (task,) = ingested(root, scene.stop(prompt_id="p2"))
    assert (task.outcome, task.known, len(task.turns)) == ("success", "said", 2)


def test_corrections_belong_to_the_task_that_they_correct(root: str) -> None:
    scene = cart().call("Edit", "/code/shop/a.py").stop(prompt_id="p1")
    scene.prompt("No, that's wrong, use pnpm instead of npm", "p2").stop(prompt_id="p2")
    (task,) = ingested(root, scene.prompt("perfect", "p3"))
    assert task.corrections == ("No, that's wrong, use pnpm instead of npm",)
    assert (task.title, task.outcome) == ("Add a cart page", "success")


def test_the_title_is_what_was_asked_for_and_not_small_talk(root: str) -> None:
    scene = Scene().prompt("hey", "p1").stop(prompt_id="p1")
    (task,) = ingested(root, scene.prompt("please add a cart page to it", "p2").stop(prompt_id="p2"))
    assert (task.title, len(task.turns)) == ("please add a cart page to it", 2)

"""`learn experiments` and `learn experiments --holdout`."""

import json

import pytest

from learnloop.service.workspace import Workspace
from learnloop.wire import clock, event, journal
from tests.cli.store import Learn
from tests.ingest.session_scene import Scene
from tests.ingest.told_lessons import PROJECT, add, take

CLAIMED = "This does not count: a command of an agent may have typed it.\n"


@pytest.fixture
def learn(root: str, capsys: pytest.CaptureFixture[str]) -> Learn:
    del root
    return Learn(capsys)


@pytest.fixture
def lesson_id(ws: Workspace) -> str:
    return add(ws, "Use pnpm, not npm.")


def test_all_lessons_are_held_out_together(learn: Learn) -> None:
    assert learn("experiments", "--holdout", "--all", "--json") == 0
    experiment = json.loads(learn.out)["experiment"]
    assert [each["weight"] for each in experiment["variants"]] == [90, 10]
    assert learn("experiments", "--holdout") == 2
    assert learn("experiments", "--holdout", "abcd", "--all") == 2


def test_a_holdout_is_listed_shown_and_ended(learn: Learn, lesson_id: str) -> None:
    assert learn("experiments", "--holdout", lesson_id, "--share", "30") == 0
    assert learn.out == "Held out of 30 % of the sessions from now on: Use pnpm, not npm.\n"
    (row,) = learn.listing("experiments")
    assert [variant["weight"] for variant in row["experiment"]["variants"]] == [70, 30]
    assert learn("experiments", "show", row["experiment"]["id"][:6]) == 0
    assert "held out" in learn.out
    for verb, state in (("pause", "paused"), ("resume", "running"), ("stop", "stopped")):
        assert learn("experiments", verb, row["experiment"]["id"]) == 0
        assert learn.out.endswith(f"is {state}.\n")


def test_a_pause_during_an_agents_command_says_that_it_waits_for_the_person(
    learn: Learn, ws: Workspace, lesson_id: str
) -> None:
    assert learn("experiments", "--holdout", lesson_id) == 0
    (row,) = learn.listing("experiments")
    experiment = row["experiment"]["id"]
    command = {"tool": "Bash", "command": f"tmux send-keys 'learn experiments pause {experiment}'"}
    take(ws, Scene("s1", PROJECT, clock.now_ms()).add("tool_start", command, after_s=0))
    assert learn("experiments", "pause", experiment, "--reason", "a release") == 0
    assert learn.out == CLAIMED
    assert (
        learn.err == "Repeat it in a terminal of your own; learn undo --history says where this came from\n"
    )
    assert learn("undo", "--history") == 0
    assert "(a release)" in learn.out


def test_no_variant_is_named_in_words_that_say_the_way_out(learn: Learn, lesson_id: str) -> None:
    assert "two variants" in learn.refused("experiments", "new", "words", "--variants", "own:50")
    assert learn("experiments", "--holdout", lesson_id) == 0
    (row,) = learn.listing("experiments")
    assert "no variant is named" in learn.refused("experiments", "promote", row["experiment"]["id"])


@pytest.mark.parametrize("text", ["a", "a:x", ":50", "a:100", "a:101", "a:-1", "a:0"])
def test_a_variant_that_is_none_is_refused(learn: Learn, lesson_id: str, text: str) -> None:
    assert learn("experiments", "new", "x", "--lesson", lesson_id, "--variants", text) == 1
    assert "is no variant" in learn.err


def test_the_size_is_said_before_one_starts(learn: Learn, lesson_id: str) -> None:
    assert learn("experiments", "size", "--base", "33", "--effect", "50") == 0
    whole, pace = learn.out.splitlines()
    assert whole.startswith("about ")
    assert pace.startswith("no end in sight: no moments come · costs ")
    assert learn("experiments", "size", "--share", "100") == 1


def test_a_vital_lesson_is_asked_about(learn: Learn, ws: Workspace) -> None:
    vital = add(ws, "Never push to main.", priority="CRITICAL")
    assert learn("experiments", "--holdout", vital) == 1
    assert "--sure" in learn.err
    assert learn("experiments", "--holdout", vital, "--sure") == 0


def test_what_an_agent_may_have_typed_is_said_not_to_count(
    learn: Learn, lesson_id: str, ws: Workspace
) -> None:
    command = {"tool": "Bash", "command": "tmux send-keys -t 0 'learn experiments --holdout'"}
    take(ws, Scene("s1", PROJECT, clock.now_ms()).add("tool_start", command, after_s=0))
    assert learn("experiments", "--holdout", lesson_id) == 0
    assert learn.out == CLAIMED
    assert "terminal of your own" in learn.err
    variants = ["--variants", "short:50:pnpm, not npm.", "own:50"]
    assert learn("experiments", "new", "words", "--lesson", lesson_id, *variants) == 0
    assert learn.out == CLAIMED
    assert learn("edit", "--pause", lesson_id) == 0
    assert learn.out == CLAIMED
    assert learn.listing("experiments") == []


def test_undo_says_that_what_does_not_count_is_left(learn: Learn, lesson_id: str, ws: Workspace) -> None:
    assert learn("edit", "--pause", lesson_id) == 0
    payload = {"action": "resume", "lesson_ids": [lesson_id], "args": {}, "by": "console"}
    journal.append(ws.root, [event.record(
        "decision", host="learnloop", session_id="console", cwd="", project="", payload=payload
    )])  # fmt: skip
    assert learn("undo") == 0
    assert learn.out.startswith("Undone: Paused ")
    assert learn.err.startswith("A later one is left, since it does not count: Resumed ")


def test_an_experiment_on_words_is_started_and_decided(learn: Learn, lesson_id: str) -> None:
    variants = ["--variants", "short:50:pnpm, not npm.", "own:50"]
    assert learn("experiments", "new", "words", "--lesson", lesson_id, *variants) == 0
    assert learn("experiments", "promote", "words", "short") == 0
    assert learn("show", lesson_id) == 0
    assert "pnpm, not npm." in learn.out


def test_a_new_one_holds_out_and_compares_calls_where_the_lesson_forbids_any(
    learn: Learn, ws: Workspace, lesson_id: str
) -> None:
    shown = ("experiments", "new", "calls", "--share", "30", "--outcome", "done", "--json")
    assert learn(*shown, "--lesson", lesson_id) == 0
    experiment = json.loads(learn.out)["experiment"]
    assert ([each["weight"] for each in experiment["variants"]], experiment["outcome"]) == ([70, 30], "done")
    vague = add(ws, "Write short functions.")
    assert "no call shows" in learn.refused("experiments", "new", "x", "--outcome", "done", "--lesson", vague)

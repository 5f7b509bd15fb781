"""Experiments as their decisions leave them."""

from random import Random
from typing import Any

import pytest
from pydantic import ValidationError

from learnloop.learn.experiments import replay
from learnloop.models import Decision
from learnloop.models.experiment import Experiment

ID, LESSON = "0198" + 28 * "a", "aaaaaaaa"
TOLD, HELD = {"name": "told", "weight": 80}, {"name": "held out", "weight": 20, "tells": False}
DESIGN: dict[str, Any] = {"id": ID, "name": "uv", "lesson_ids": [LESSON], "variants": [TOLD, HELD]}


def decision(number: int, action: str, /, **args: Any) -> Decision:
    ids = () if action == "undo" else (LESSON,)
    ts = f"2026-01-01T00:00:{number:02d}.000Z"
    fields = {"id": f"{number:032x}", "ts": ts, "action": action, "lesson_ids": ids, "args": args}
    return Decision.model_validate(fields)


def step(number: int, do: str, **more: Any) -> Decision:
    return decision(number, "experiment", experiment={"do": do, "id": ID, **more})


START = step(1, "start", design=DESIGN)


def after(*decisions: Decision) -> Experiment:
    return replay.experiments([START, *decisions])[ID]


def test_a_started_experiment_runs_since_then() -> None:
    experiment = after()
    assert (experiment.state, experiment.started) == ("running", START.ts)
    assert experiment.is_holdout


@pytest.mark.parametrize(
    ("steps", "state"),
    [
        (("pause",), "paused"), (("pause", "resume"), "running"), (("stop",), "stopped"),
        (("stop", "resume"), "stopped"), (("promote",), "decided"), (("promote", "stop"), "decided"),
        (("pause", "promote"), "decided"), (("nonsense",), "running"),
    ],
)  # fmt: skip
def test_steps_follow_each_other(steps: tuple[str, ...], state: str) -> None:
    assert after(*(step(2 + n, do) for n, do in enumerate(steps))).state == state


@pytest.mark.parametrize("action", ["edit", "archive", "reject", "merge", "replace", "gate", "scope"])
def test_a_lesson_that_changes_ends_what_it_was_compared_with(action: str) -> None:
    experiment = after(decision(2, action), step(3, "resume"))
    assert (experiment.state, experiment.is_void) == ("paused", True)
    assert experiment.reason.startswith("its lesson ")


def test_a_lesson_that_is_paused_pauses_it_until_it_is_resumed() -> None:
    paused = after(decision(2, "pause"))
    assert (paused.state, paused.reason) == ("paused", "its lesson was paused")
    assert after(decision(2, "pause"), decision(3, "resume"), step(4, "resume")).state == "running"


CHANGED = {
    "edit": "its lesson was edited", "archive": "its lesson was archived", "merge": "its lesson was merged",
    "gate": "its lesson got another gate", "reject": "its lesson was rejected",
}  # fmt: skip


@pytest.mark.parametrize("action", CHANGED)
def test_what_changed_first_is_the_reason_whatever_comes_later(action: str) -> None:
    later = [decision(3, "pause"), step(4, "pause", reason="a release"), decision(5, "scope")]
    for count in range(len(later) + 1):
        assert after(decision(2, action), *later[:count]).reason == CHANGED[action]


@pytest.mark.parametrize("action", CHANGED)
def test_a_claimed_change_pauses_in_the_same_words_once_it_is_accepted(action: str) -> None:
    claimed = decision(2, action).model_copy(update={"claimed": "an agent may have made it"})
    assert (after(claimed).state, after(claimed).reason) == ("running", "")
    accepted = after(claimed, decision(3, "accept", decisions=[claimed.id]))
    assert (accepted.state, accepted.reason, accepted.is_void) == ("paused", CHANGED[action], True)


def test_harm_stays_the_reason_while_its_lesson_is_paused() -> None:
    harmed = step(2, "pause", reason="success takes more turns")
    assert after(harmed, decision(3, "pause")).reason == "success takes more turns"
    assert after(harmed, decision(3, "edit")).reason == "its lesson was edited"


def test_undoing_the_change_lets_it_run_again() -> None:
    edit = decision(2, "edit")
    assert after(edit, decision(3, "undo", decision=edit.id)).state == "running"


def test_promoting_a_winner_is_one_decision_with_its_verdict() -> None:
    verdict = decision(2, "archive", experiment={"do": "promote", "id": ID, "winner": "held out"})
    experiment = after(verdict)
    assert (experiment.state, experiment.winner) == ("decided", "held out")
    assert after(verdict, decision(3, "undo", decision=verdict.id)).state == "running"


@pytest.mark.parametrize(
    "variants",
    [
        [{**TOLD, "weight": weight}, {**HELD, "weight": 100 - weight}] for weight in (0, 100, 101, -1)
    ] + [
        [TOLD], [TOLD, {**HELD, "weight": 19}], [TOLD, {**HELD, "name": "told"}], 6 * [TOLD],
        [TOLD, {**TOLD, "name": "b"}], [{**TOLD, "name": ""}, HELD],
    ],
)  # fmt: skip
def test_variants_that_cannot_be_are_no_experiment(variants: list[dict[str, Any]]) -> None:
    with pytest.raises(ValidationError):
        Experiment.model_validate({**DESIGN, "variants": variants})
    assert replay.experiments([step(1, "start", design={**DESIGN, "variants": variants})]) == {}


@pytest.mark.parametrize(
    "given", [None, {}, {"do": "start"}, {"do": "start", "design": 3}, {"do": "stop", "id": 7}]
)
def test_a_malformed_step_is_left_out(given: object) -> None:
    assert replay.experiments([decision(1, "experiment", experiment=given)]) == {}


def test_the_index_gets_the_running_ones() -> None:
    trials = replay.by_lesson(replay.running([after()]))
    assert trials[LESSON]["arms"] == [[80, "told", True, ""], [100, "held out", False, ""]]
    assert replay.by_lesson(replay.running([after(step(2, "pause"))])) == {}


OTHER = "0198" + 28 * "b"
RIVAL = decision(3, "experiment", experiment={
    "do": "start", "id": OTHER, "design": {**DESIGN, "id": OTHER, "name": "uv again"},
})  # fmt: skip
PAUSE, STOP = step(2, "pause", reason="a release"), step(2, "stop")


CLAIMED = RIVAL.model_copy(update={"claimed": "an agent may have made it"})


def undone(number: int, decided: Decision) -> Decision:
    return decision(number, "undo", decision=decided.id)


@pytest.mark.parametrize(
    ("decisions", "runs"),
    [
        ((RIVAL,), OTHER), ((PAUSE, RIVAL), OTHER), ((PAUSE, RIVAL, undone(4, PAUSE)), OTHER),
        ((STOP, RIVAL, undone(4, STOP)), OTHER), ((PAUSE, RIVAL, step(4, "resume")), ID),
        ((CLAIMED,), ID), ((CLAIMED, decision(4, "accept", decisions=[CLAIMED.id])), OTHER),
        ((RIVAL, step(4, "stop"), undone(5, RIVAL)), ""), ((RIVAL, undone(4, RIVAL)), ID),
    ],
)  # fmt: skip
def test_a_lesson_is_in_one_running_experiment_whatever_is_decided(
    decisions: tuple[Decision, ...], runs: str
) -> None:
    every = replay.experiments([START, *decisions])
    assert [each.id for each in replay.running(every.values())] == [runs][: bool(runs)]


def test_the_one_that_makes_way_says_for_which() -> None:
    assert after(RIVAL).reason == "its lesson went under test in uv again"
    assert after(RIVAL, step(4, "pause"), step(5, "resume")).reason == ""


def test_decisions_in_any_order_never_let_two_run_on_a_lesson() -> None:
    draw = Random(7)
    for _ in range(300):
        steps = [START, RIVAL, decision(0, "edit"), decision(0, "pause")]
        for do in draw.choices(["pause", "resume", "stop"], [1, 2, 1], k=12):
            steps.append(decision(0, "experiment", experiment={"do": do, "id": draw.choice([ID, OTHER])}))
        draw.shuffle(steps)
        decisions: list[Decision] = []
        for number, each in enumerate(steps):
            decisions.append(each.model_copy(update={"id": f"{number:032x}"}))
            if draw.random() < 0.4:
                target = draw.choice(decisions).id
                decisions.append(decision(100 + number, draw.choice(["undo", "redo"]), decision=target))
        every = [replay.experiments(decisions[:count]) for count in range(len(decisions) + 1)]
        assert all(len(replay.running(each.values())) <= 1 for each in every)

"""What the real client does, from what it tells its hooks: turns, ends, claims and outcomes.

`tests/data/client.jsonl` has, line by line, what hooks are given in the scenarios of a real client, in the
same order and shape, with words of our own. Each table says what a person sees who looks at the session.
"""

import json
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from learnloop.models import Feedback, Session, Turn
from learnloop.wire import payloads
from tests.ingest.session_scene import START, Outcome, reduced_events

LINES = [
    json.loads(line)
    for line in (Path(__file__).parents[1] / "data" / "client.jsonl").read_text().splitlines()
]
HOME = "/code/shop"


class Row(NamedTuple):
    """A turn as a person would tell of it."""

    asked: str
    end: str
    claimed_by: str
    outcome: str
    claim: str = ""


EXPECTED: dict[str, list[Row]] = {
    "steer": [
        Row("Rebuild the search", "done", "main", "revision", "The index is new."),
        Row("Start the link checker", "done", "main", "unknown", "It runs."),
        Row("<task-notification>", "done", "main", "unknown", "All links work."),
        Row("/look here", "done", "main", "success", "Looked."),
        Row("perfect", "done", "main", "unknown", "Good."),
    ],
    "denied": [
        Row("Add a check", "done", "main", "revision", "Understood."),
        Row("Ask me which colour", "done", "main", "unknown", "Blue it is."),
    ],
    "interrupt_tool": [
        Row("Measure the throughput", "unfinished", "main", "cancellation"),
        Row("Write a changelog", "unfinished", "main", "unknown"),
        Row("Make it after all", "done", "main", "unknown", "Made."),
    ],
    "background": [
        Row("Let a tester write", "done", "main", "unknown", "Started."),
        Row("Meanwhile list", "done", "main", "unknown", "Three of them."),
        Row("<task-notification>", "done", "tester", "revision", "The tests are there."),
        Row("no, that's wrong", "done", "main", "unknown", "Moved."),
    ],
    "agent": [
        Row("Let a tester cover", "done", "tester", "success", "The cart is covered."),
        Row("Configure nightly", "done", "main", "unknown", "Configured."),
    ],
    "parallel": [
        Row("Paint and test", "done", "main", "success", "Both are done."),
        Row("looks great", "done", "main", "unknown", "Fine."),
    ],
    "tasks": [Row("Move the settings", "done", "main", "cancellation", "One step is done.")],
    "todo": [
        Row("Clean the settings", "done", "main", "unknown", "Halfway."),
        Row("continue", "done", "main", "unknown", "All of it."),
    ],
}


def events_of(scenario: str) -> list[dict[str, Any]]:
    """What hooks record of a scenario."""
    made: list[dict[str, Any]] = []
    for number, line in enumerate(line for line in LINES if line["scenario"] == scenario):
        payload = json.loads(json.dumps(line).replace("$CWD", HOME))
        payload |= {"session_id": scenario, "cwd": HOME, "transcript_path": ""}
        ms = START + int(line["at"] * 1000)
        context = payloads.HookContext(HOME, (), ms, denied=True)
        for at, record in enumerate(payloads.records("claude", payload, context)):
            record["id"] = f"{ms:012x}{number:010x}{at:010x}"
            made.append(record)
    return made


def played(scenario: str) -> Outcome:
    """What a scenario is folded to."""
    return reduced_events(events_of(scenario))


@pytest.mark.parametrize("scenario", EXPECTED)
def test_a_scenario_reads_as_what_happened(scenario: str) -> None:
    outcome = played(scenario)
    found = [
        Row(row.asked if turn["prompt"].startswith(row.asked) else turn["prompt"], turn["end"],
            turn["agent_used"], turn["outcome"], turn["claim"])
        for turn, row in zip(outcome.turns, EXPECTED[scenario], strict=True)
    ]  # fmt: skip

    assert found == EXPECTED[scenario]
    for turn in outcome.turns:
        Turn.model_validate(turn)
    for feedback in outcome.feedback:
        Feedback.model_validate(feedback)
    Session.model_validate(outcome.sessions[0])


@pytest.mark.parametrize("scenario", EXPECTED)
def test_reduced_twice_it_is_the_same(scenario: str) -> None:
    events = events_of(scenario)
    twice = [copy for event in events for copy in (event, {**event, "id": event["id"][::-1]})]
    again = reduced_events(twice)
    once = played(scenario)

    assert (again.turns, again.sessions, again.feedback) == (once.turns, once.sessions, once.feedback)


def test_words_typed_meanwhile_steer_the_running_turn() -> None:
    (first, *_) = played("steer").turns
    assert first["steering"] == ["No, that's wrong, use the staging database"]


def test_the_news_of_a_background_task_belong_to_what_it_was_started_for() -> None:
    outcome = played("background")
    (judged,) = [feedback for feedback in outcome.feedback if feedback["feedback_category"] == "correction"]

    assert judged["original_task"] == "Let a tester write the missing tests"
    assert judged["agent_used"] == "tester"
    assert outcome.turns[0]["files"] == ["/code/shop/test_cart.py"]
    assert outcome.turns[1]["files"] == []


def test_two_subagents_that_wrote_leave_the_claim_to_main() -> None:
    (turn, _) = played("parallel").turns
    assert set(turn["agents"]) == {"main", "tester", "painter"}
    assert turn["starts"] == {"tester": 1, "painter": 1}


def test_lists_are_counted_however_they_arrive() -> None:
    assert played("tasks").sessions[0]["todo_snapshot"] == {"total": 2, "completed": 1, "pending": 1}
    assert played("todo").sessions[0]["todo_snapshot"] == {"total": 3, "completed": 3, "pending": 0}
    (left,) = played("tasks").feedback
    assert (left["event_type"], left["confidence"], left["inferred"]) == ("cancellation", 0.7, True)


def test_a_refusal_is_on_the_turn_and_answers_are_no_feedback() -> None:
    outcome = played("denied")
    assert [one["words"] for one in outcome.turns[0]["refusals"]] == ["No, use pytest instead"]
    assert [one["rule"] for one in outcome.feedback] == ["refusal"]

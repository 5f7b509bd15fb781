"""A session seen from outside: what each event makes of it, and what it is doing at a time."""

import pytest

from learnloop.learn.sessions import timeline, watch
from tests.learn.sessions.watched_events import NOW, PROMPT, Event, after, call, event


@pytest.mark.parametrize(
    ("events", "phase"),
    [
        ([event("session_start")], "idle"),
        ([PROMPT], "working"),
        ([PROMPT, call()], "tool"),
        ([PROMPT, call(), call("tool_end", 3)], "working"),
        (
            [
                PROMPT,
                call(),
                event("notice", 3, {"type": "permission_prompt", "message": "May I run it?"}),
            ],
            "waiting",
        ),
        ([PROMPT, event("notice", 3, {"type": "permission_prompt"}), call("tool_end", 4)], "working"),
        ([PROMPT, event("notice", 3, {"type": "agent_needs_input"})], "waiting"),
        ([PROMPT, event("turn_end", 3)], "idle"),
        ([PROMPT, event("turn_failed", 3)], "idle"),
        ([PROMPT, event("notice", 3, {"type": "idle_prompt"})], "idle"),
        ([PROMPT, call("tool_failed", 3, said={"interrupt": True})], "interrupted"),
        ([PROMPT, event("turn_end", 3), event("session_end", 4, {"reason": "clear"})], "finished"),
        ([PROMPT, event("session_end", 4, {"reason": "other"})], "interrupted"),
        ([PROMPT, event("session_end", 4), event("session_start", 5)], "idle"),
        ([PROMPT, event("session_start", 5, {"source": "compact"})], "working"),
        ([PROMPT, event("prompt", 3, {"prompt": "<done>", "machine": "task-notification"})], "working"),
    ],
)
def test_what_a_session_is_doing(events: list[Event], phase: str) -> None:
    assert watch.phase(after(*events), NOW) == phase


def test_who_is_silent_for_too_long_has_vanished() -> None:
    busy, idle = after(PROMPT), after(PROMPT, event("turn_end", 2))
    asking = after(PROMPT, event("notice", 2, {"type": "permission_prompt"}))
    later = NOW + watch.SILENT_MS
    assert [watch.phase(one, later) for one in (busy, idle, asking)] == ["vanished", "idle", "waiting"]
    assert [watch.phase(one, NOW + watch.IDLE_MS) for one in (idle, asking)] == ["vanished", "vanished"]


def test_a_session_that_has_been_silent_for_a_day_is_over_whatever_its_client_left_unsaid() -> None:
    read = after(PROMPT, event("tool_end", 1, {"tool": "Bash"}), event("turn_end", 2))
    assert (watch.phase(read, NOW + 2 * 86_400_000), read.calls) == ("finished", 1)
    cut = after(PROMPT, event("refusal", 1, {"tool": "Bash"}))
    assert watch.phase(cut, NOW + 2 * 86_400_000) == "interrupted"


def test_calls_failures_and_tasks_are_counted_by_tool() -> None:
    one = after(
        PROMPT, call("tool_end", 2), call("tool_failed", 3), call("tool_end", 4, tool="Edit"),
        call("tool_end", 5, tool="TodoWrite", said={"todos": {"total": 5, "completed": 2, "pending": 3}}),
    )  # fmt: skip
    assert dict(one.tools) == {"Bash": (2, 1), "Edit": (1, 0), "TodoWrite": (1, 0)}
    assert (one.todo, one.task, one.prompts, one.events) == ((2, 5), "fix the build", 1, 5)
    told = [
        call("tool_end", n, tool="TaskUpdate", said={"task": {"id": str(n % 3), "status": status}})
        for n, status in enumerate(("pending", "pending", "pending", "completed", "deleted"), 6)
    ]
    assert after(PROMPT, *told).todo == (1, 2)


def test_praise_and_a_go_ahead_leave_a_session_its_name() -> None:
    typed = [
        event("prompt", n, {"prompt": words}) for n, words in enumerate(("go ahead", "Perfect, thanks!"), 2)
    ]
    assert after(PROMPT, *typed).task == "fix the build"
    assert after(*typed).task == "go ahead"
    assert after(PROMPT, *typed, event("prompt", 4, {"prompt": "now the docs"})).task == "now the docs"


def test_subagents_are_a_tree_and_carry_their_calls() -> None:
    one = after(
        PROMPT, call(tool="Agent", use="a"),
        event("subagent_start", 3, agent_id="h1", agent_type="reviewer"),
        call("tool_start", 4, "b", "Agent", agent_id="h1"),
        event("subagent_start", 5, agent_id="h2", agent_type="tester"),
        call("tool_failed", 6, "c", agent_id="h2"), event("subagent_end", 7, agent_id="h2"),
    )  # fmt: skip
    first, second = one.subagents
    assert (first.type, first.parent, first.ended_ms, first.calls) == ("reviewer", "", 0, 0)
    assert (second.type, second.parent, second.calls, second.failures) == ("tester", "h1", 1, 1)
    assert second.ended_ms > first.started_ms


def test_recalls_and_refusals_are_remembered() -> None:
    told = event("recall", 2, {"moment": "tool", "lessons": [{"id": "abcd", "score": 90}]})
    one = after(PROMPT, told, {**told, "id": "again"}, call("refusal", 3, said={"words": "no"}))
    assert (dict(one.recalls), one.refusals) == ({"abcd": 2}, 1)


def test_running_ones_come_first_and_who_waits_for_the_person_before_them() -> None:
    made = watch.fold({}, [
        {**PROMPT, "session_id": "work"}, {**PROMPT, "session_id": "done"}, {**PROMPT, "session_id": "asks"},
        {**event("turn_end", 9), "session_id": "done"},
        {**event("notice", 3, {"type": "permission_prompt"}), "session_id": "asks"},
    ])  # fmt: skip
    assert [one.id for one in watch.sort_sessions(made.values(), NOW)] == ["asks", "work", "done"]


@pytest.mark.parametrize(
    "odd",
    [
        {}, {"ts": "yesterday"}, {"kind": "prompt", "payload": None},
        {"kind": "prompt", "payload": {"prompt": 7}},
        {"kind": "recall", "payload": {"lessons": "x"}}, {"kind": "recall", "payload": {"lessons": [1, {}]}},
        {"kind": "tool_end", "payload": {"todos": {"total": "many"}, "task": 3}}, {"kind": "unheard of"},
        {"kind": "notice", "payload": {"type": ["a"]}}, {"kind": "session_start", "payload": {"branch": 1}},
    ],
)  # fmt: skip
def test_no_event_is_too_odd(odd: Event) -> None:
    event = {"id": "x", "session_id": "s1", **odd}
    assert watch.fold({}, [event])["s1"].events == 1
    timeline.entry_of(event, {})


def test_verdicts_and_events_without_a_session_make_none() -> None:
    assert watch.fold({}, [{"kind": "prompt"}, event("decision"), {**PROMPT, "session_id": ""}]) == {}


def test_a_timeline_shows_each_event_once_in_order_with_what_was_heard() -> None:
    told = event(
        "recall",
        4,
        {"moment": "tool", "tool": "Bash", "command": "ls", "lessons": [{"id": "abcd", "score": 70}]},
    )
    events = [
        event("session_end", 9),
        told,
        PROMPT,
        PROMPT,
        call(),
        call("tool_failed", 3, said={"error": "exit 1"}),
    ]
    found = timeline.entries(events, {PROMPT["id"]: "correction 0.85: blame"})
    assert [one.kind for one in found] == ["prompt", "failed", "told", "session"]
    assert found[0].heard == "correction 0.85: blame"
    assert (found[1].tool, found[1].words) == ("Bash", "pytest -q: exit 1")
    assert found[2].lessons == (timeline.RecalledLesson("abcd", 70),)

"""How subagents come under each other, what a refusal does, and what a whole story adds to a session."""

from dataclasses import replace

from learnloop.learn.sessions import watch
from tests.learn.sessions.watched_events import NOW, PROMPT, after, call, event


def test_a_subagents_subagent_is_known_by_the_call_that_started_it() -> None:
    one = after(
        PROMPT, event("subagent_start", 2, agent_id="h0", agent_type="tester"),
        event("subagent_start", 3, agent_id="h1", agent_type="reviewer"),
        event("subagent_start", 4, agent_id="h2", agent_type="tester"),
        event("subagent_end", 5, agent_id="h2"),
        call("tool_end", 6, "c", "Agent", agent_id="h1", said={"agent_type": "tester"}),
    )  # fmt: skip
    assert {helper.id: helper.parent for helper in one.subagents} == {"h0": "", "h1": "", "h2": "h1"}


def test_a_call_of_nobody_known_grafts_nothing() -> None:
    one = after(
        PROMPT, event("subagent_start", 2, agent_id="h0", agent_type="tester"),
        call("tool_end", 3, "c", "Agent", agent_id="gone", said={"agent_type": "tester"}),
    )  # fmt: skip
    assert [helper.parent for helper in one.subagents] == [""]


def test_a_refusal_without_words_stops_the_turn_and_one_with_words_goes_on() -> None:
    silent = after(PROMPT, call(), call("refusal", 3))
    told = after(PROMPT, call(), call("refusal", 3, said={"words": "use uv"}))
    assert [watch.phase(one, NOW) for one in (silent, told)] == ["interrupted", "working"]
    assert watch.phase(watch.apply_event(silent, event("prompt", 4, {"prompt": "go on"})), NOW) == "working"


def test_many_subagents_and_calls_stay_bounded() -> None:
    events = [event("subagent_start", n / 100, agent_id=f"h{n}", agent_type="x") for n in range(200)]
    calls = [call(at_s=3 + n / 100, use=f"c{n}") for n in range(200)]
    one = after(PROMPT, *events, *calls)
    assert len(one.subagents) <= 50
    assert len(one.running) <= 20
    assert one.events == 401


def test_the_clock_may_go_back() -> None:
    one = after(event("prompt", 20, {"prompt": "x"}), event("turn_end", 5))
    assert one.last_ms == NOW - 40_000
    assert watch.phase(replace(one, last_ms=NOW + 60_000), NOW) == "idle"

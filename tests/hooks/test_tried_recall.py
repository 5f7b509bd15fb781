"""Experiments on budgets and on priming: what each variant tells, and that all have the same moments."""

import json
from typing import Any

import pytest

from learnloop.wire import session_recalls
from tests.hooks.agent import Agent
from tests.hooks.conftest import Publish
from tests.hooks.recalls import lesson, receipts, start
from tests.hooks.test_held_back import call, work
from tests.hooks.test_priming import HEADING, TOLD, ask, tasks

USUAL = {"start_tokens": 500, "call_tokens": 400, "per_call": 3}
PIPS = tuple(
    lesson(f"pip{name * 5}", f"Pip rule {name}: {'x' * 60}.", triggers={"command_patterns": ["pip *"]})
    for name in "abc"
)


def trial(*given: dict[str, int]) -> dict[str, Any]:
    """Variants with some budgets each, in equal shares."""
    share = 100 // len(given)
    arms: list[Any] = [[share * n, f"v{n}", {**USUAL, **each}] for n, each in enumerate(given, 1)]
    at, most = ["start_tokens", "call_tokens"], max(arm[2]["per_call"] for arm in arms)
    return {"id": "0198" + 28 * "b", "salt": 5, "arms": arms, "at": at, "most": most}


def sessions(tried: dict[str, Any]) -> list[str]:
    """A session of each variant."""
    return [
        next(f"session-{n}" for n in range(99) if session_recalls.arm(tried, f"session-{n}")[1] == arm[1])
        for arm in tried["arms"]
    ]


def told(answer: bytes) -> int:
    """How many lessons an answer tells."""
    return answer.count(b"Pip rule") // (2 if b"systemMessage" in answer else 1)


def tried_moments(agent: Agent, session: str) -> list[str]:
    """The moments of a session at which its variants differ."""
    every = [event["payload"] for event in receipts(agent) if event["session_id"] == session]
    return [payload["moment"] for payload in every if "trial" in payload]


@pytest.mark.parametrize(
    ("one", "other", "counts"),
    [({"per_call": 1}, {}, [1, 3]), ({"call_tokens": 50}, {"per_call": 2}, [1, 2]),
     ({"call_tokens": 0}, {}, [0, 3]), ({}, {"call_tokens": 900}, [3, 3])],
)  # fmt: skip
def test_each_variant_tells_what_its_budgets_hold(
    agent: Agent, publish: Publish, one: dict[str, int], other: dict[str, int], counts: list[int]
) -> None:
    tried = trial(one, other)
    publish(*PIPS, budget_trial=tried)
    assert [told(call(agent, session)) for session in sessions(tried)] == counts
    moment = [] if counts[0] == counts[1] else ["tool"]
    assert [tried_moments(agent, session) for session in sessions(tried)] == [moment, moment]


def test_what_a_variant_leaves_out_is_named_and_does_not_come_later(agent: Agent, publish: Publish) -> None:
    tried = trial({"per_call": 1}, {})
    publish(*PIPS, budget_trial=tried)
    small, large = sessions(tried)
    for session in (small, large):
        call(agent, session)
        assert call(agent, session) == b""
    left, whole = (
        [each["payload"] for each in receipts(agent) if each["session_id"] == name] for name in (small, large)
    )
    assert [len(left[0]["lessons"]), len(left[0]["held"])] == [1, 2]
    assert {"trial": tried["id"], "arm": "v1"}.items() <= left[0].items()
    assert [len(whole[0]["lessons"]), whole[0]["arm"]] == [3, "v2"]
    assert left[0]["chars"] < whole[0]["chars"]


def test_a_start_has_a_budget_too(agent: Agent, publish: Publish) -> None:
    tried = trial({"start_tokens": 40}, {})
    publish(*({**each, "priority": "CRITICAL"} for each in PIPS), budget_trial=tried)
    assert [len(start(agent, session=session)) for session in sessions(tried)] == [1, 3]
    assert [tried_moments(agent, session) for session in sessions(tried)] == [["start"], ["start"]]


def test_all_variants_have_the_same_moments(agent: Agent, publish: Publish) -> None:
    tried = trial({"per_call": 1}, {"call_tokens": 50}, {})
    logging = lesson("logging2", "Logging is used.")
    publish(*PIPS, logging, budget_trial=tried)
    for session in sessions(tried):
        work(agent, session)
    first, *others = (tried_moments(agent, session) for session in sessions(tried))
    assert first == ["tool", "tool", "tool"]
    assert others == [first, first]


def test_a_lesson_that_is_left_out_is_no_moment_of_its_own_experiment(agent: Agent, publish: Publish) -> None:
    own = {"id": "0198" + 28 * "c", "salt": 9, "arms": [[50, "told", 1, ""], [100, "held out", 0, ""]]}
    tried = trial({"per_call": 1}, {})
    publish(*({**each, "_trial": own} for each in PIPS), budget_trial=tried)
    small, _ = sessions(tried)
    call(agent, small)
    (receipt,) = receipts(agent)
    under_test = [
        item for item in [*receipt["payload"]["lessons"], *receipt["payload"]["held"]] if "trial" in item
    ]
    assert len(under_test) == 1


def test_without_a_moment_receipts_are_as_before(agent: Agent, publish: Publish) -> None:
    tried = trial({"per_call": 1}, {})
    publish(PIPS[0], budget_trial=tried)
    call(agent, sessions(tried)[0])
    (receipt,) = receipts(agent)
    assert receipt["payload"].keys() == {"moment", "lessons", "chars", "tool", "command"}


def test_where_nothing_may_be_recorded_nothing_is_left_out(agent: Agent, publish: Publish) -> None:
    tried = trial({"per_call": 1}, {})
    publish(*PIPS, budget_trial=tried, switches={"record": False})
    assert [told(call(agent, session)) for session in sessions(tried)] == [3, 3]


def test_the_person_sees_what_the_agent_is_told(agent: Agent, publish: Publish) -> None:
    tried = trial({"per_call": 1}, {})
    publish(*PIPS, budget_trial=tried)
    small, large = (json.loads(call(agent, session))["systemMessage"] for session in sessions(tried))
    assert small != large


def test_a_session_is_primed_by_its_variant_and_both_have_the_moment(agent: Agent, publish: Publish) -> None:
    tasks(agent)
    arms = [[50, "primed", True], [100, "unprimed", False]]
    tried = {"id": "0198" + 28 * "d", "salt": 3, "arms": arms}
    publish(priming={str(agent.project): True}, priming_trial=tried)
    primed, unprimed = sessions(tried)
    assert ask(agent, session=primed) == [HEADING, TOLD]
    for _ in range(2):
        assert ask(agent, session=unprimed) == []
    assert [tried_moments(agent, session) for session in (primed, unprimed)] == [["prompt"], ["prompt"]]
    held = receipts(agent)[1]["payload"]
    assert (held["arm"], len(held["held_tasks"]), held["chars"], "tasks" in held) == ("unprimed", 1, 0, False)


def test_where_priming_is_off_an_experiment_tells_and_counts_nothing(agent: Agent, publish: Publish) -> None:
    tasks(agent)
    arms = [[50, "primed", True], [100, "unprimed", False]]
    publish(priming={}, priming_trial={"id": "0198" + 28 * "d", "salt": 3, "arms": arms})
    assert [ask(agent, session=f"s{n}") for n in range(6)] == 6 * [[]]
    assert receipts(agent) == []

"""Lessons under test: some sessions are not told them, and leave a receipt for the same moments."""

import json
from typing import Any

import pytest

from learnloop.models.lesson_check import CheckRule
from learnloop.wire import session_recalls
from tests.hooks.agent import Agent
from tests.hooks.conftest import Publish
from tests.hooks.recalls import edit, lesson, receipts, run, start
from tests.hooks.test_dues import CHANGELOG

TRIAL = {
    "id": "0198" + 28 * "a", "salt": 77, "arms": [[50, "told", True, ""], [100, "held out", False, ""]],
}  # fmt: skip
UV = lesson("uvuvuvuv", "Use uv instead of pip.", triggers={"command_patterns": ["pip *"]})
TESTED = {**UV, "_trial": TRIAL}
TOLD, HELD = (
    next(f"session-{n}" for n in range(99) if session_recalls.arm(TRIAL, f"session-{n}")[1] == name)
    for name in ("told", "held out")
)
PIP = "pip install httpx"


def call(agent: Agent, session: str, command: str = PIP, **fields: Any) -> bytes:
    given = {"command": command}
    return agent.fire("PreToolUse", session, tool_name="Bash", tool_use_id="t", tool_input=given, **fields)


def moments(agent: Agent, session: str) -> list[tuple[str, str]]:
    """The moments of a session: of which tool or prompt, and in which variant."""
    return [
        (event["payload"]["moment"], item["arm"])
        for event in receipts(agent)
        if event["session_id"] == session
        for item in [*event["payload"]["lessons"], *event["payload"].get("held", ())]
        if "arm" in item
    ]


def test_a_session_that_is_held_out_leaves_a_receipt_and_nothing_else(agent: Agent, publish: Publish) -> None:
    publish(TESTED)
    assert call(agent, HELD) == b""
    (receipt,) = receipts(agent)
    held = [{"id": "uvuvuvuv", "score": receipt["payload"]["held"][0]["score"], "trial": TRIAL["id"],
             "arm": "held out"}]  # fmt: skip
    assert receipt["payload"] == {
        "moment": "tool", "lessons": [], "chars": 0, "held": held, "tool": "Bash", "command": PIP,
    }  # fmt: skip


def test_a_session_that_is_told_says_so_in_its_receipt(agent: Agent, publish: Publish) -> None:
    publish(TESTED)
    assert b"Use uv instead of pip." in call(agent, TOLD)
    (receipt,) = receipts(agent)
    assert receipt["payload"]["held"] == []
    assert receipt["payload"]["lessons"][0].items() >= {"trial": TRIAL["id"], "arm": "told"}.items()


def work(agent: Agent, session: str) -> None:
    """A start, calls that lessons fit, the same after a compaction, and one of a subagent."""
    start(agent, session=session)
    edit(agent, session=session)
    for command in (PIP, PIP, "ls"):
        call(agent, session, command)
    start(agent, "compact", session)
    call(agent, session)
    call(agent, session, agent_id="helper1", agent_type="Explore")


def test_both_variants_have_the_same_moments(agent: Agent, publish: Publish) -> None:
    publish(TESTED, {**lesson("logging2", "Logging is used."), "_trial": TRIAL})
    for session in (TOLD, HELD):
        work(agent, session)
    told, held = (moments(agent, session) for session in (TOLD, HELD))
    assert [moment for moment, _ in told] == [moment for moment, _ in held]
    assert len(told) == 4
    assert {arm for _, arm in told} == {"told"}
    assert {arm for _, arm in held} == {"held out"}


def test_other_lessons_are_told_as_ever(agent: Agent, publish: Publish) -> None:
    publish(TESTED, lesson("lockfile", "Commit the lock file.", triggers={"command_patterns": ["pip *"]}))
    out = json.loads(call(agent, HELD))
    assert "lock file" in out["hookSpecificOutput"]["additionalContext"]
    assert "lock file" in out["systemMessage"]
    assert "uv" not in json.dumps(out).replace("uvuv", "")


@pytest.mark.parametrize(
    "more",
    [{"gate": True}, {"stops": True, "unwanted": {"commands": ["pip *"]}, "wanted": {"commands": ["uv *"]}}],
    ids=["gate", "stop"],
)
def test_what_is_held_back_stops_no_call(agent: Agent, publish: Publish, more: dict[str, Any]) -> None:
    publish({**TESTED, **more})
    assert call(agent, HELD) == b""
    assert b'"deny"' in call(agent, TOLD)
    assert moments(agent, HELD) == [("tool", "held out")]
    assert moments(agent, TOLD) == [("tool", "told")]


def test_a_stop_of_every_call_has_the_same_moments_in_both_variants(agent: Agent, publish: Publish) -> None:
    act = {"on": "command", "runs": ["pip"]}
    once, always = (
        CheckRule.model_validate({"form": "never", "act": [act], "every": every}).model_dump(mode="json")
        for every in (False, True)
    )
    publish(
        {**TESTED, "stops": True, "check": [always]},
        lesson("netnetne", "Ask first.", stops=True, check=[once]),
    )
    calls = [(call(agent, session), agent.fire("PostToolBatch", session)) for session in (HELD, TOLD) * 3]
    held, told = [answer for answer, _ in calls[::2]], [answer for answer, _ in calls[1::2]]
    assert all(b"every time" in answer for answer in told)
    assert b"it then goes through" in held[0], "what is held back does not say how the other one binds"
    assert held[1:] == [b"", b""]
    arms = [[arm for _, arm in moments(agent, session)] for session in (HELD, TOLD)]
    assert arms == [["held out"] * 3, ["told"] * 3]


def test_what_is_held_back_reminds_of_nothing(agent: Agent, publish: Publish) -> None:
    publish({**CHANGELOG, "_trial": TRIAL})
    for session in (TOLD, HELD):
        edit(agent, "src/a.py", session=session)
    assert b'"block"' in agent.fire("Stop", TOLD, last_assistant_message="Done.")
    assert agent.fire("Stop", HELD, last_assistant_message="Done.") == b""
    assert len(moments(agent, TOLD)) == len(moments(agent, HELD)) == 2


def test_other_words_are_told_to_their_sessions(agent: Agent, publish: Publish) -> None:
    arms = [[50, "own", True, ""], [100, "short", True, "uv, not pip."]]
    publish({**UV, "_trial": {**TRIAL, "arms": arms}})
    out = json.loads(call(agent, HELD))
    assert out["hookSpecificOutput"]["additionalContext"].endswith("- uv, not pip. (uvuv)")
    assert b"Use uv instead of pip." in call(agent, TOLD)


def test_where_nothing_may_be_recorded_nothing_is_held_back(agent: Agent, publish: Publish) -> None:
    publish(TESTED, switches={"record": False})
    assert b"Use uv instead of pip." in call(agent, HELD)


def test_a_session_that_is_resumed_after_the_end_leaves_no_further_moment(
    agent: Agent, publish: Publish
) -> None:
    publish(TESTED)
    call(agent, HELD)
    publish(UV)
    start(agent, "resume", HELD)
    assert call(agent, HELD) == b"", "a session keeps its side"
    assert moments(agent, HELD) == [("tool", "held out")]
    start(agent, "compact", HELD)
    assert b"Use uv instead of pip." in call(agent, HELD)
    assert "trial" not in receipts(agent)[-1]["payload"]["lessons"][0]


def test_without_an_experiment_receipts_are_as_before(agent: Agent, publish: Publish) -> None:
    publish(UV)
    run(agent, PIP)
    (receipt,) = receipts(agent)
    assert receipt["payload"].keys() == {"moment", "lessons", "chars", "tool", "command"}
    assert receipt["payload"]["lessons"][0].keys() == {"id", "score"}

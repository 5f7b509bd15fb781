"""What hooks leave out of a turn and the transcript tells: answers, failures, refusals, words typed in it."""

import json
from pathlib import Path
from typing import Any

import pytest

from learnloop.ingest import agent_calls
from learnloop.ingest.run import ingest
from learnloop.learn.lessons import claims
from learnloop.models import Turn
from learnloop.store.store import Store
from learnloop.wire import clock, journal
from tests.ingest.session_scene import START, Scene

Line = dict[str, Any]


def at(second: float) -> str:
    """So long after the scene's start."""
    return clock.iso(START + int(second * 1000))


def droid(second: float, role: str, *parts: Line, **more: Any) -> Line:
    message = {"role": role, "content": list(parts), **more}
    return {"type": "message", "timestamp": at(second), "message": message}


def words(text: str) -> Line:
    return {"type": "text", "text": text}


def use(number: int, command: str) -> Line:
    return {"type": "tool_use", "id": f"c{number}", "name": "Execute", "input": {"command": command}}


def result(number: int, output: str, *, is_error: bool = True) -> Line:
    return {"type": "tool_result", "tool_use_id": f"c{number}", "is_error": is_error, "content": output}


def copilot(second: float, kind: str, **data: Any) -> Line:
    return {"type": kind, "timestamp": at(second), "data": data}


def written(path: Path, *lines: Line) -> str:
    path.write_text("{torn\n" + "\n".join(map(json.dumps, lines)), "utf-8")
    return str(path)


def in_droid(path: Path, *lines: Line) -> str:
    path.write_text(
        "\n".join(map(json.dumps, [{"type": "session_start", "id": "s1", "hostId": "h"}, *lines]))
    )
    return str(path)


def in_copilot(path: Path, *lines: Line) -> str:
    start = copilot(0, "session.start", sessionId="s1", context={"cwd": "/code/shop"})
    path.write_text("\n".join(map(json.dumps, [start, *lines])))
    return str(path)


def turns(root: str, scene: Scene, host: str) -> list[Turn]:
    """The turns of a session as stored, after its events were ingested twice."""
    assert journal.append(root, [{**event, "host": host} for event in scene.events])
    ingest(root)
    ingest(root)
    return sorted(Store(root).turns(), key=lambda turn: turn.started)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "session.jsonl"


def test_a_turn_of_droid_gets_its_answer_and_its_failures(root: str, path: Path) -> None:
    transcript = in_droid(
        path, droid(1.1, "user", words("build it")), droid(1.2, "assistant", use(1, "make")),
        droid(1.3, "user", result(1, "Error: Command failed (exit code: 3)")),
        droid(1.4, "assistant", words("It does not build.")),
    )  # fmt: skip
    (turn,) = turns(root, Scene().prompt("build it", transcript_path=transcript).stop(""), "droid")
    assert (turn.end, turn.claim, turn.commands) == ("done", "It does not build.", ("make",))
    assert [failure.target for failure in turn.failures] == ["make"]
    assert turn.steering == ()


def test_a_turn_that_was_left_gets_its_answer_too(root: str, path: Path) -> None:
    transcript = in_droid(
        path, droid(1.1, "user", words("build it")), droid(1.4, "assistant", words("Built.")),
        droid(3.1, "user", words("now test it")), droid(3.4, "assistant", words("Tested.")),
    )  # fmt: skip
    scene = Scene().prompt("build it", transcript_path=transcript).stop("").prompt("now test it").stop("")
    assert [turn.claim for turn in turns(root, scene, "droid")] == ["Built.", "Tested."]


def test_a_refusal_in_droid_ends_its_turn(root: str, path: Path) -> None:
    transcript = in_droid(
        path, droid(1.1, "user", words("build it")), droid(1.2, "assistant", use(1, "make")),
        droid(1.3, "user", result(1, "Tool execution cancelled by user")),
        {"type": "agent_turn_outcome", "reason": "completed"},
    )  # fmt: skip
    (turn,) = turns(root, Scene().prompt("build it", transcript_path=transcript).stop(""), "droid")
    assert (turn.end, [refusal.target for refusal in turn.refusals]) == ("interrupted", ["make"])
    assert turn.failures == ()


def test_a_call_of_a_subagent_of_droid_that_failed_is_a_failure_of_the_turn(root: str, path: Path) -> None:
    transcript = in_droid(
        path, droid(1.1, "user", words("build it")), droid(1.8, "assistant", words("Built."))
    )
    start = {"type": "session_start", "id": "a1", "hostId": "h", "callingSessionId": "s1"}
    task = "# Task Tool Invocation\n\nSubagent type: worker\n"
    theirs = [
        droid(1.2, "user", words(task)), droid(1.3, "assistant", use(1, "make")),
        droid(1.4, "user", result(1, "Error: Command failed (exit code: 3)")),
        droid(1.5, "assistant", words("It does not build.")),
    ]  # fmt: skip
    path.with_name("a1.jsonl").write_text("\n".join(map(json.dumps, [start, *theirs])))
    (turn,) = turns(root, Scene().prompt("build it", transcript_path=transcript).stop(""), "droid")
    assert (turn.prompt, turn.claim, turn.end) == ("build it", "Built.", "done")
    assert [failure.target for failure in turn.failures] == ["make"]


def test_droid_exec_reports_no_prompt(root: str, path: Path) -> None:
    transcript = in_droid(
        path, droid(0.5, "user", words("<system-reminder>\ntools")), droid(0.6, "user", words("build it")),
        droid(1.4, "assistant", words("Built.")),
    )  # fmt: skip
    (turn,) = turns(root, Scene().call("Bash", "make", transcript_path=transcript).stop(""), "droid")
    assert (turn.prompt, turn.claim, turn.steering) == ("build it", "Built.", ())


def test_words_typed_while_it_works(root: str, path: Path) -> None:
    transcript = in_copilot(
        path, copilot(1.1, "user.message", content="build it", interactionId="i"),
        copilot(1.5, "user.message", content="No, use ninja", interactionId="i", delivery="steering"),
        copilot(1.6, "assistant.message", content="Built."),
    )  # fmt: skip
    (turn,) = turns(root, Scene().prompt("build it").stop("", transcript_path=transcript), "copilot")
    assert (turn.steering, turn.claim) == (("No, use ninja",), "Built.")
    assert [each.user_message for each in Store(root).feedback()] == ["No, use ninja"]


def test_a_refusal_in_copilot_has_its_words(root: str, path: Path) -> None:
    request = {"toolCallId": "c1", "name": "create", "arguments": {"path": "/code/shop/a.py"}}
    answer = {"kind": "denied-interactively-by-user", "feedback": "No, use pytest instead"}
    transcript = in_copilot(
        path, copilot(1.1, "user.message", content="test it"),
        copilot(1.2, "assistant.message", content="", toolRequests=[request]),
        copilot(1.3, "permission.completed", toolCallId="c1", result=answer),
        copilot(1.4, "tool.execution_complete", toolCallId="c1", success=False, error={"code": "denied"}),
        copilot(1.5, "assistant.message", content="Understood."),
    )  # fmt: skip
    (turn,) = turns(root, Scene().prompt("test it").stop("", transcript_path=transcript), "copilot")
    ((refusal, end),) = [(refusal, turn.end) for refusal in turn.refusals]
    assert (refusal.target, refusal.words, end) == ("/code/shop/a.py", "No, use pytest instead", "done")
    assert turn.failures == ()


def test_an_answer_is_what_the_end_claims_where_the_end_has_no_words(root: str) -> None:
    (turn,) = turns(root, Scene().prompt("build it").add("answer", {"message": "Built."}).stop(""), "cursor")
    assert (turn.end, turn.claim) == ("done", "Built.")


@pytest.mark.parametrize("asks_again", [False, True])
def test_esc_in_an_answer_of_gemini_is_in_the_transcript_alone(
    root: str, path: Path, asks_again: bool
) -> None:
    def line(second: float, kind: str, content: object) -> Line:
        return {"id": f"m{second}", "timestamp": at(second), "type": kind, "content": content}

    lines = [
        {"sessionId": "s1", "projectHash": "h"}, line(1.1, "user", [{"text": "tell me a story"}]),
        line(1.5, "info", "Request cancelled."), {"$set": {"messages": []}},
        line(3.1, "user", [{"text": "shorter"}]), line(3.5, "gemini", "The end."),
    ]  # fmt: skip
    path.write_text("\n".join(map(json.dumps, lines)))
    scene = Scene().prompt("tell me a story", transcript_path=str(path)).stop("Once upon a time")
    if asks_again:
        scene.prompt("shorter").stop("The end.")
    ends = [(turn.end, turn.claim) for turn in turns(root, scene, "gemini")]
    assert ends == [("interrupted", ""), ("done", "The end.")][: 1 + asks_again]
    (session,) = Store(root).sessions()
    assert (session.pending_completion is None) == (not asks_again)


@pytest.mark.parametrize("host", ["copilot", "droid", "gemini"])
def test_what_is_no_transcript_adds_nothing(root: str, path: Path, host: str) -> None:
    transcript = written(path, {"type": "session_start"}, {"type": "session.start", "data": 7})
    (turn,) = turns(root, Scene().prompt("build it").stop("", transcript_path=transcript), host)
    assert (turn.end, turn.claim) == ("done", "")


@pytest.mark.parametrize("has_ended", [False, True])
def test_a_call_that_failed_is_over(root: str, has_ended: bool) -> None:
    scene = Scene().call("Bash", "make", "tool_start", use="")
    if has_ended:
        scene.add("session_end", {})
    place = {"terminal": "", "parents": [], "agent": "", "session": "", "attended": False, "since_ms": 0}
    args = {"action": "promote", "lesson_ids": ["x"], "args": {}, "by": "cli", "place": place}
    (decision,) = Scene(start=START + 60_000).add("decision", args).events
    state: dict[str, Any] = {}
    for event in scene.events:
        assert not list(agent_calls.note(state, event, root))
    assert agent_calls.claim(state, decision) == claims.IN_CALL
    (failed,) = Scene(start=START + 1_000).call("Bash", "make", "tool_failed", payload={"late": "x"}).events
    assert not list(agent_calls.note(state, failed, root))
    assert agent_calls.claim(state, decision) == ""

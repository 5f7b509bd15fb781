"""Whatever people and clients send, all the way to documents: no crash, and nothing counted twice."""

import json
import threading
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from learnloop.ingest.run import ingest
from learnloop.service import workspace
from learnloop.service.intake import backfill
from learnloop.store.store import Store
from learnloop.wire import journal
from tests.hooks.agent import Agent
from tests.ingest.session_scene import Scene

CORRECTION = "No, that's wrong, use pytest"
PROMPTS = {
    "1 MB": "Tidy the parser up. " * 52_000,
    "1 MB without a space": "x" * 1_048_576,
    "1 MB of words": "No, that's wrong. " + "never " * 174_000,
    "only code": "```python\nnever = 'always use tabs'\n# no, that's wrong\n```",
    "only inline code": "`git commit -m 'never do that'`",
    "only emoji": "👩‍👩‍👧‍👦🇩🇪🚀",
    "right to left": "לא, זה לא נכון, השתמש ב-pytest",
    "bidi overrides": "\u202eevil\u202c \u2066x\u2069 use \u200fit",
    "mixed line ends": "one\r\ntwo\rthree\nfour\u2028five\u2029six\x0bseven\x85eight",
    "null bytes": "\0\0use\0pytest\0",
    "lone surrogates": "\ud83d half \udc4d",
    "escapes": "\x1b[31mred\x1b]0;title\x07\x9b31m",
    "blank": " \n\t ",
    "nothing": "",
    "many brackets": "(" * 100_000,
    "many quotes": "> " * 50_000,
    "many fences": "```\n" * 30_000,
    "many sentences": "no. " * 50_000,
    "zalgo": "n̵̡̛o" * 5_000,
}
QUIET = ("only code", "only inline code", "only emoji", "blank", "nothing", "many brackets", "many quotes")


def turn(agent: Agent, prompt: str, number: int, session: str = "s1") -> None:
    """One prompt and its end."""
    agent.fire("UserPromptSubmit", session, prompt=prompt, prompt_id=f"{session}-{number}")
    agent.fire("Stop", session, prompt_id=f"{session}-{number}", last_assistant_message="Done.")


@pytest.mark.parametrize("name", PROMPTS)
def test_any_prompt_becomes_a_turn(agent: Agent, name: str) -> None:
    turn(agent, "write a test for the parser", 1)
    turn(agent, PROMPTS[name], 2)
    turn(agent, CORRECTION, 3)
    ingest(agent.root)
    store = Store(agent.root)
    found = sorted(store.turns(), key=lambda one: one.started)

    assert [one.end for one in found] == ["done"] * 3
    assert len(found[1].prompt) <= 2_000
    assert not set(found[1].prompt) & set("\0\x1b\x07\u202e\u2066")
    assert store.damage() == []
    said = [one for one in store.feedback() if one.turn_id == found[0].id and not one.inferred]
    assert not (name in QUIET and said)
    assert found[1].outcome == "revision"
    json.dumps([one.as_json() for one in found]).encode()


def test_a_clock_that_jumps_back_changes_nothing_but_times(root: str) -> None:
    scene = Scene().prompt("write a test for the parser", "p1", after_s=3600).stop(prompt_id="p1")
    scene.prompt(CORRECTION, "p2", after_s=-7200).stop(prompt_id="p2", after_s=-3600)
    scene.prompt("perfect", "p3", after_s=-86_400).stop(prompt_id="p3").add(
        "session_end", {"reason": "other"}
    )
    for event in scene.events:
        assert journal.append(root, [event])
        ingest(root)
    found = {one.prompt: one for one in Store(root).turns()}

    assert [found[name].outcome for name in ("write a test for the parser", CORRECTION, "perfect")] == [
        "revision", "success", "unknown",
    ]  # fmt: skip
    (session,) = Store(root).sessions()
    assert session.last_seen == max(event["ts"] for event in scene.events)
    assert len(session.recent_prompts) <= 3


def test_two_clients_on_one_session_keep_their_turns_apart(agent: Agent) -> None:
    agent.fire("UserPromptSubmit", prompt="write a test for the parser", prompt_id="left")
    agent.fire("UserPromptSubmit", prompt="paint the start page blue", prompt_id="right")
    for name, file in (("right", "page.css"), ("left", "test_parser.py")):
        call = {"tool_name": "Write", "tool_input": {"file_path": f"/p/{file}"}, "tool_use_id": name}
        agent.fire("PostToolBatch", prompt_id=name, tool_calls=[{**call, "tool_response": "ok"}])
    agent.fire("Stop", prompt_id="left", last_assistant_message="The test is there.")
    agent.fire("SessionEnd", reason="other")
    agent.fire("Stop", prompt_id="right", last_assistant_message="It is blue.")
    ingest(agent.root)
    found = {one.prompt_id: one for one in Store(agent.root).turns()}

    assert {name: (one.files, one.end, one.claim, one.outcome) for name, one in found.items()} == {
        "left": (("/p/test_parser.py",), "done", "The test is there.", "unknown"),
        "right": (("/p/page.css",), "done", "It is blue.", "unknown"),
    }
    assert Store(agent.root).feedback() == []


def test_two_clients_at_the_same_time_lose_and_double_nothing(agent: Agent) -> None:
    def work(name: str) -> None:
        for number in range(4):
            agent.fire("UserPromptSubmit", prompt=f"task {number} of {name}", prompt_id=f"{name}{number}")
            agent.fire("Stop", prompt_id=f"{name}{number}", last_assistant_message=f"Done {name}{number}.")

    threads = [threading.Thread(target=work, args=(name,)) for name in ("a", "b")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    ingest(agent.root)
    found = Store(agent.root).turns()

    assert Counter(one.prompt for one in found) == Counter(
        f"task {number} of {name}" for name in "ab" for number in range(4)
    )
    assert {one.claim for one in found if one.claim} == {
        f"Done {name}{number}." for name in "ab" for number in range(4)
    }


@pytest.mark.parametrize(
    "name", ["../../../etc/passwd", "a/b\\c", "..", "x\n\x1b[31m\0y", "ü" * 5_000, "con:*?<|>"]
)
def test_an_agent_with_any_name_is_an_agent(agent: Agent, name: str) -> None:
    before = {path for path in Path(agent.root).parent.rglob("*") if not path.is_relative_to(agent.root)}
    agent.fire("UserPromptSubmit", prompt="write a test for the parser", prompt_id="p1")
    who: dict[str, Any] = {"agent_id": "a1", "agent_type": name, "prompt_id": "p1"}
    agent.fire("SubagentStart", **who)
    call = {"tool_name": "Write", "tool_input": {"file_path": "/p/test.py"}, "tool_use_id": "t"}
    agent.fire("PostToolBatch", **who, tool_calls=[{**call, "tool_response": "ok"}])
    agent.fire("SubagentStop", **who, last_assistant_message="Done.")
    agent.fire("Stop", prompt_id="p1", last_assistant_message="Done.")
    turn(agent, "perfect", 2)
    ingest(agent.root)
    found = next(one for one in Store(agent.root).turns() if one.prompt_id == "p1")
    tallies = Store(agent.root).documents("agents").values()

    assert found.outcome == "success"
    assert found.agent_used != "main"
    assert sum(one["success_count"] for one in tallies) == 1
    after = {path for path in Path(agent.root).parent.rglob("*") if not path.is_relative_to(agent.root)}
    assert after == before


def _transcript(folder: Path, agent: Agent, ts: str) -> Path:
    """The transcript of a session whose hooks were recorded too."""
    common = {"sessionId": "s1", "cwd": str(agent.project), "timestamp": ts, "version": "2.1.329"}
    lines = [
        {"type": "user", "uuid": "u1", "promptId": "s1-1", **common,
         "message": {"role": "user", "content": "write a test for the parser"}},
        {"type": "assistant", "uuid": "u2", **common,
         "message": {"role": "assistant", "content": [{"type": "text", "text": "Done."}]}},
        {"type": "user", "uuid": "u3", "promptId": "s1-2", **common,
         "message": {"role": "user", "content": CORRECTION}},
        {"type": "assistant", "uuid": "u4", **common,
         "message": {"role": "assistant", "content": [{"type": "text", "text": "Done."}]}},
    ]  # fmt: skip
    folder.mkdir()
    file = folder / "s1.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return file


@pytest.mark.parametrize("first", ["hooks", "transcript"])
def test_what_hook_and_transcript_both_record_counts_once(agent: Agent, tmp_path: Path, first: str) -> None:
    from learnloop.wire import clock

    ws = workspace.open_workspace(agent.root)
    file = _transcript(tmp_path / "told", agent, clock.iso(clock.now_ms()))
    for source in ("hooks", "transcript") if first == "hooks" else ("transcript", "hooks"):
        if source == "hooks":
            turn(agent, "write a test for the parser", 1)
            turn(agent, CORRECTION, 2)
            ingest(agent.root)
        else:
            backfill.backfill(ws, [str(file)])
    store = Store(agent.root)

    assert Counter(one.prompt for one in store.turns()) == {"write a test for the parser": 1, CORRECTION: 1}
    assert len(store.feedback()) == 1
    assert [one.seen_count for one in store.lessons()] == [1]
    assert sum(one["revision_count"] for one in store.documents("agents").values()) == 1

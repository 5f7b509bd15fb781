"""The backtest against a look at every recorded call by the same relevance function."""

import itertools
import random
from typing import Any

import pytest

from learnloop import models
from learnloop.recall import backtest
from learnloop.recall.compile import record
from learnloop.service.recall import backtest as service
from learnloop.service.workspace import open_workspace
from learnloop.store import fold
from learnloop.wire import event as wire_event
from learnloop.wire import journal, relevance

PROJECT = "/code/shop"
Event = dict[str, Any]


def event(kind: str, second: int, session: str = "s1", **payload: Any) -> Event:
    ids: dict[str, Any] = {
        name: payload.pop(name)
        for name in ("tool_use_id", "agent_id", "agent_type", "source", "cwd")
        if name in payload
    }
    return {
        "kind": kind, "ts": f"2026-01-01T{second // 3600:02d}:{second // 60 % 60:02d}:{second % 60:02d}.000Z",
        "session_id": session, "project": PROJECT, "cwd": PROJECT, "payload": payload, **ids,
    }  # fmt: skip


def lesson(**triggers: Any) -> dict[str, Any]:
    more: dict[str, Any] = {
        name: triggers.pop(name)
        for name in ("priority", "scope", "project", "path", "keywords")
        if name in triggers
    }
    return record(
        {"id": "lessonid", "statement": "Something holds.", "scope": "global", "triggers": triggers, **more},
        "less",
    )


def test_it_says_where_it_would_have_fired_and_how_the_scores_come_about() -> None:
    page = backtest.compact([
        event("prompt", 1, prompt="raise the version"),
        event("tool_start", 2, tool="Write", file=f"{PROJECT}/plugin.json", text="{}", tool_use_id="t1"),
        event("tool_end", 3, tool="Write", file=f"{PROJECT}/plugin.json", tool_use_id="t1"),
        event("tool_start", 4, tool="Write", file=f"{PROJECT}/notes.txt", text="x", tool_use_id="t2"),
        event("tool_start", 5, "s2", tool="Edit", file=f"{PROJECT}/sub/plugin.json", tool_use_id="t3"),
    ])  # fmt: skip
    found = backtest.run(lesson(file_patterns=["**/plugin.json"], tool_names=["Write", "Edit"]), page)
    assert found is not None
    assert (found.calls, found.prompts, found.fired, found.at_calls) == (3, 1, 2, 2)
    assert (found.told, found.session_count) == (2, 2)
    first = found.first[0]
    assert (first.what, first.tool, first.target, first.final) == (f"Write {PROJECT}/plugin.json", 40, 40, 90)
    assert first.why == "its pattern matches"


def test_only_what_a_person_typed_counts_as_a_prompt() -> None:
    page = backtest.compact([
        event("prompt", 1, prompt="deploy it"),
        event("prompt", 2, prompt="deploy it", machine="task-notification"),
    ])  # fmt: skip
    found = backtest.run(lesson(action_keywords=["deploy"]), page)
    assert found is not None
    assert (found.prompts, found.at_prompts) == (1, 1)


def test_the_last_prompt_counts_over_the_border_of_two_segments() -> None:
    pages = [
        *backtest.compact([event("prompt", 1, prompt="deploy it now")]),
        *backtest.compact([event("tool_start", 2, tool="Bash", command="ls", tool_use_id="t1")]),
    ]
    made = lesson(action_keywords=["deploy"], priority="CRITICAL")
    found = backtest.run(made, pages)
    assert found is not None
    assert found.at_calls == 1


def test_turns_that_led_to_the_correction() -> None:
    page = backtest.compact([
        event("prompt", 1, prompt="write it"),
        event("tool_start", 2, tool="Write", file="a.py", tool_use_id="t1"),
        event("prompt", 10, prompt="no, not like that"),
        event("tool_start", 11, tool="Write", file="b.txt", tool_use_id="t2"),
        event("prompt", 20, prompt="no"),
    ])  # fmt: skip
    ends = [("s1", event("x", 10)["ts"]), ("s1", event("x", 20)["ts"]), ("gone", "2020")]
    found = backtest.run(lesson(file_patterns=["*.py"]), page, ends)
    assert found is not None
    assert (found.led, found.led_fired) == (2, 1)


def test_what_hooks_and_a_transcript_both_record_counts_once() -> None:
    page = backtest.compact([
        event("tool_start", 2, tool="Write", file="a.py", tool_use_id="t1"),
        event("tool_end", 2, tool="Write", file="a.py", tool_use_id="t1", source="transcript"),
        event("tool_end", 3, tool="Write", file="a.py", tool_use_id="t2", source="transcript"),
    ])  # fmt: skip
    found = backtest.run(lesson(file_patterns=["*.py"]), page)
    assert found is not None
    assert (found.calls, found.fired) == (2, 2)


def test_it_stops_when_asked_to() -> None:
    assert backtest.run(lesson(), backtest.compact([]), stopped=lambda: True) is None


def test_the_newest_calls_are_looked_at(root: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "MOST", 3)
    for number in range(4):
        made = wire_event.record(
            "prompt", host="claude", session_id=f"s{number}", cwd=PROJECT, project=PROJECT,
            payload={"prompt": "deploy it"},
        )  # fmt: skip
        assert journal.append(root, [made])
        if number < 3:
            fold.fold(root)
    tried = models.Lesson(
        id="lessonid", statement="Something holds.", scope="global", created="", updated="",
        triggers=models.Triggers(action_keywords=("deploy",)),
    )  # fmt: skip
    found = service.backtest(open_workspace(root), tried)
    assert found is not None
    assert (found.prompts, found.fired) == (3, 3)
    assert {session.session_id for session in found.sessions} == {"s1", "s2", "s3"}


WORDS = ("deploy", "release", "version bump", "bump", "tests", "test", "push", "main", "über", "发布")
FILES = ("a.py", "src/a.py", "/code/shop/src/b.ts", "docs/x.md", "/elsewhere/a.py", "src/../a.py")
COMMANDS = (
    "git push",
    "sudo git push origin main",
    "cd x && pytest -q",
    "A=1 make test",
    "echo 'git push'",
    "curl x | sh",
)
PATTERNS = ("*.py", "src/**", "**/a.py", "/code/shop/src/*.ts", "*.md")
COMMAND_PATTERNS = ("git push", "pytest *", "make *", "curl * | sh", "*push*", "/usr/bin/git push")


@pytest.mark.parametrize("seed", range(60))
def test_it_agrees_with_a_look_at_every_call(seed: int) -> None:
    pick = random.Random(seed)

    def some(values: tuple[str, ...]) -> list[str]:
        return pick.sample(values, pick.randint(0, 2))

    made = lesson(
        tool_names=some(("Write", "Edit", "Bash")), file_patterns=some(PATTERNS),
        command_patterns=some(COMMAND_PATTERNS), action_keywords=some(WORDS),
        context_keywords=some(WORDS), agent_names=some(("main", "helper"))[:1],
        priority=pick.choice(("CRITICAL", "HIGH", "MEDIUM", "LOW")), keywords=some(WORDS),
        scope=pick.choice(("global", "project", "module")), project=PROJECT, path="src",
    )  # fmt: skip
    events = [_random(pick, second) for second in range(200)]
    pages = [asked for at in range(0, 200, 70) for asked in backtest.compact(events[at : at + 70])]
    found = backtest.run(made, pages)
    assert found is not None
    assert found.fired == _brute_force(made, events)


def _random(pick: random.Random, second: int) -> Event:
    session, agent = pick.choice(("s1", "s2")), pick.choice(("", "helper"))
    words = " ".join(pick.choices((*WORDS, "other", "words"), k=3))
    if pick.random() < 0.2:
        return event("prompt", second, session, prompt=words)
    tool, cwd = pick.choice(relevance.ASKED_TOOLS), pick.choice((PROJECT, f"{PROJECT}/src"))
    target = {"command": pick.choice(COMMANDS)} if tool == "Bash" else {"file": pick.choice(FILES)}
    return event(
        "tool_start",
        second,
        session,
        tool=tool,
        text=words,
        agent_type=agent,
        cwd=cwd,
        tool_use_id=f"t{second}",
        **target,
    )


def _brute_force(made: dict[str, Any], events: list[Event]) -> int:
    last: dict[str, str] = {}
    fired = 0
    for one in events:
        payload, session = one["payload"], one["session_id"]
        moment = {"project": PROJECT, "cwd": one["cwd"], "agent": one.get("agent_type") or "main"}
        if one["kind"] == "prompt":
            last[session] = payload["prompt"]
            moment |= {"moment": "prompt", "words": payload["prompt"]}
        else:
            said = itertools.chain(
                (payload.get("file", ""), payload.get("command", ""), payload["text"]),
                (last.get(session, ""),),
            )
            moment |= {
                "moment": "tool",
                "words": "\n|\n".join(said),
                **{n: payload.get(n, "") for n in ("tool", "file", "command")},
            }
        fired += relevance.score(made, moment)["fires"]
    return fired

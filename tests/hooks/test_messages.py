"""What the person sees in the client: a message at the first recall of a lesson, one line at a start."""

import json
import os
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from learnloop.learn.lessons import call_patterns
from learnloop.store import files
from learnloop.wire import clock, paths, session_recalls
from tests.hooks.agent import Agent
from tests.hooks.conftest import Publish

NOON = "2025-11-22T12:00:00.000Z"


def lesson(lesson_id: str, statement: str, **changes: Any) -> dict[str, Any]:
    triggers = {"file_patterns": ["*.py"], "action_keywords": ["deploy"]}
    return {
        "id": lesson_id, "status": "active", "statement": statement, "scope": "global", "triggers": triggers,
        "evidence": [{"ts": "2025-03-01T12:00:00.000Z"}, {"ts": NOON}], "reviewed_at": NOON, **changes,
    }  # fmt: skip


def stopping(lesson_id: str, statement: str) -> dict[str, Any]:
    check = [rule.as_json() for rule in call_patterns.derive(statement)]
    return lesson(lesson_id, statement, triggers={}, check=check, stops=True)


LOGGING = lesson("logging2", "Logging is used instead of print.")
SECRETS = lesson("secrets2", "Secrets stay in the vault.", priority="CRITICAL")
PNPM = stopping("usespnpm", "Use pnpm, not npm.")
LOGGING_LINE = "Logging is used instead of print (you said so on 22 Nov) · logg"


@pytest.fixture
def publish(publish: Publish) -> Publish:
    return partial(publish, now="2025-12-24T12:00:00.000Z")


def message(out: bytes) -> str:
    return str(json.loads(out).get("systemMessage", "")) if out else ""


def edit(agent: Agent, session: str = "s1", **fields: Any) -> str:
    call = {"file_path": str(agent.project / "app.py"), "old_string": "a", "new_string": "b"}
    return message(
        agent.fire("PreToolUse", session, tool_name="Edit", tool_use_id="t1", tool_input=call, **fields)
    )


def bash(agent: Agent, command: str, session: str = "s1", **fields: Any) -> bytes:
    call = {"command": command}
    return agent.fire("PreToolUse", session, tool_name="Bash", tool_use_id="t1", tool_input=call, **fields)


def prompt(agent: Agent, words: str = "deploy it", session: str = "s1") -> str:
    return message(agent.fire("UserPromptSubmit", session, prompt=words))


def start(agent: Agent, session: str = "s1", source: str = "startup", **fields: Any) -> str:
    return message(agent.fire("SessionStart", session, source=source, **fields))


def put_news(agent: Agent, **news: Any) -> None:
    files.replace(Path(paths.news(agent.root)), [json.dumps(news).encode()])


def last(agent: Agent, session: str = "before", **changes: Any) -> dict[str, Any]:
    """A session that is over, as the news have it; its hooks have left their memory."""
    session_recalls.SessionRecalls(agent.root, session).claim("tool", ["usespnpm"])
    report = {"session": session, "project": str(agent.project), "over": True, "last_ms": clock.now_ms()}
    return {**report, "words": "3 lessons told, 1 npm stopped", **changes}


def test_the_first_recall_in_a_session_shows_the_lesson(agent: Agent, publish: Publish) -> None:
    publish(LOGGING)
    assert edit(agent) == f"Learnloop: {LOGGING_LINE}"
    assert prompt(agent) == "", "told again at a prompt, seen before"
    assert edit(agent, "s2") == f"Learnloop: {LOGGING_LINE}"
    assert prompt(agent, session="s3") == f"Learnloop: {LOGGING_LINE}"
    assert edit(agent, "s3") == ""


def test_a_compaction_shows_nothing_again(agent: Agent, publish: Publish) -> None:
    publish(LOGGING, SECRETS)
    start(agent)
    edit(agent)
    assert start(agent, source="compact") == ""
    told_again = bash(agent, "deploy x")
    assert message(told_again) == ""


def test_lessons_recalled_together_have_a_line_each(agent: Agent, publish: Publish) -> None:
    publish(LOGGING, SECRETS)
    vault = "Secrets stay in the vault (you said so on 22 Nov) · secr"
    assert edit(agent) == f"Learnloop: {vault}\n{LOGGING_LINE}"


def test_a_stop_shows_its_lesson_beside_the_reason(agent: Agent, publish: Publish) -> None:
    publish(PNPM)
    out = bash(agent, "npm install left-pad")
    assert json.loads(out)["hookSpecificOutput"]["permissionDecisionReason"].startswith("Use pnpm, not npm.")
    assert message(out) == "Learnloop: Use pnpm, not npm (you said so on 22 Nov) · uses"


def test_of_two_hooks_at_once_one_shows_it(agent: Agent, publish: Publish) -> None:
    publish(LOGGING, PNPM, SECRETS)
    put_news(agent, drafts=2, sessions=[last(agent)])
    with ThreadPoolExecutor(4) as pool:
        edits = list(pool.map(lambda _: edit(agent), range(4)))
        stops = list(pool.map(lambda _: message(bash(agent, "npm test")), range(4)))
        starts = list(pool.map(lambda _: start(agent), range(4)))
    assert sum("Logging" in words for words in edits) == 1
    assert sum("pnpm" in words for words in stops) == 1
    for piece in ("last time", "told at the start", "2 drafts"):
        assert sum(piece in words for words in starts) == 1


def test_what_subagents_are_told_is_not_shown_and_not_seen(agent: Agent, publish: Publish) -> None:
    publish(LOGGING, SECRETS)
    helper: dict[str, Any] = {"agent_id": "a1", "agent_type": "helper"}
    assert message(agent.fire("SubagentStart", **helper)) == ""
    assert edit(agent, **helper) == ""
    assert LOGGING_LINE in edit(agent)


@pytest.mark.parametrize(
    ("changes", "origin"),
    [
        ({"trust": "agent"}, " (you approved it on 22 Nov)"),
        ({"trust": "external"}, " (you approved it on 22 Nov)"),
        ({"source": "import:bullets"}, " (you approved it on 22 Nov)"),
        ({"evidence": [], "created": "2024-02-01T12:00:00.000Z"}, " (you said so on 1 Feb 2024)"),
        ({"evidence": [], "created": "yesterday"}, ""),
    ],
)
def test_it_says_whose_words_they_are(
    changes: dict[str, Any], origin: str, agent: Agent, publish: Publish
) -> None:
    publish({**LOGGING, **changes})
    assert edit(agent) == f"Learnloop: Logging is used instead of print{origin} · logg"


def test_hostile_words_neither_steer_the_terminal_nor_fill_it(agent: Agent, publish: Publish) -> None:
    hostile = "\x1b[31mRed\x1b]0;t\x07 [bold]x[/] \u202e<system>a\n\r\u2028b</system> " + "long " * 100
    publish({**LOGGING, "statement": hostile})
    line = edit(agent)
    assert line.isprintable()
    assert len(line) < 140
    assert line.startswith("Learnloop: \ufffd[31mRed")
    assert line.endswith("… (you said so on 22 Nov) · logg")


def test_a_start_counts_what_it_tells(agent: Agent, publish: Publish) -> None:
    publish(SECRETS, lesson("keys2222", "Keys stay in the vault.", priority="CRITICAL"))
    assert start(agent) == "Learnloop: 2 of your instructions told at the start"
    assert start(agent, source="resume") == ""
    assert start(agent, "s2", "clear") == "Learnloop: 2 of your instructions told at the start"
    assert "Secrets" in edit(agent), "only counted at the start"


def test_the_start_is_one_line_of_all(agent: Agent, publish: Publish) -> None:
    publish(SECRETS)
    put_news(agent, drafts=2, sessions=[last(agent)])
    assert start(agent) == (
        "Learnloop last time: 3 lessons told, 1 npm stopped · 1 of your instructions told at the start"
        " · 2 drafts wait in learn-tui"
    )


@pytest.mark.parametrize(
    ("drafts", "words"),
    [(3, "Learnloop: 3 drafts wait in learn-tui"), (1, "Learnloop: 1 draft waits in learn-tui")],
)
def test_the_person_hears_of_drafts_once_a_day_and_the_model_never(
    drafts: int, words: str, agent: Agent
) -> None:
    put_news(agent, drafts=drafts)
    assert agent.fire("SessionStart", source="resume") == b""
    assert json.loads(agent.fire("SessionStart", source="startup")) == {"systemMessage": words}
    assert agent.fire("SessionStart", "s2", source="startup") == b""


def test_the_last_session_is_told_of_once_and_no_earlier_one(agent: Agent) -> None:
    put_news(agent, drafts=0, sessions=[last(agent), last(agent, "long before", words="old")])
    assert start(agent, source="resume") == ""
    assert start(agent) == "Learnloop last time: 3 lessons told, 1 npm stopped"
    assert start(agent, "s2") == ""
    put_news(agent, drafts=0, sessions=[last(agent, "s1", words="1 lesson told"), last(agent)])
    assert start(agent, "s2") == "Learnloop last time: 1 lesson told"


def test_a_session_that_goes_on_or_is_another_projects_is_no_last_time(agent: Agent) -> None:
    running = {"over": False, "last_ms": clock.now_ms()}
    put_news(agent, sessions=[last(agent, "a", **running), last(agent, "b", project="/x"), last(agent, "s1")])
    assert start(agent) == ""
    put_news(agent, sessions=[last(agent, "a", **running), last(agent)])
    assert start(agent).startswith("Learnloop last time")
    put_news(agent, sessions=[last(agent, "a", over=False, last_ms=clock.now_ms() - 31 * 60_000)])
    assert start(agent).startswith("Learnloop last time"), "it was left without an end"


def _leaves_open(agent: Agent, day: object, words: object) -> None:
    left = Path(paths.days(str(agent.root)), ".open")
    left.parent.mkdir(exist_ok=True)
    left.write_text(json.dumps({"day": day, "words": words}))


def test_the_first_session_of_a_day_says_once_what_the_last_one_left_open(agent: Agent) -> None:
    put_news(agent, drafts=2)
    _leaves_open(agent, "2025-11-21", "“Fix\x1b[31m the\ncart” and 1 more")
    words = "left open on 2025-11-21: “Fix\ufffd[31m the cart” and 1 more: learn sessions --log week"
    assert start(agent) == f"Learnloop: {words} · 2 drafts wait in learn-tui"
    assert start(agent, "s2") == ""


@pytest.mark.parametrize(
    ("day", "words"), [("2025-11-21", ""), ("2025-11-21", 7), ("9", "x"), ("2999-01-01", "x"), (None, "x")]
)
def test_a_day_that_runs_or_left_nothing_open_or_is_damaged_says_nothing(
    agent: Agent, day: object, words: object
) -> None:
    put_news(agent, drafts=0)
    _leaves_open(agent, day, words)
    assert start(agent) == ""


def test_print_mode_keeps_the_news_for_a_terminal(agent: Agent) -> None:
    put_news(agent, drafts=2, sessions=[last(agent)])
    assert start(agent, env={"CLAUDE_CODE_ENTRYPOINT": "sdk-cli"}) == ""
    shown = start(agent, env={"CLAUDE_CODE_ENTRYPOINT": "cli"})
    assert shown == "Learnloop last time: 3 lessons told, 1 npm stopped · 2 drafts wait in learn-tui"


def test_a_forgotten_session_is_not_told_of(agent: Agent) -> None:
    put_news(agent, sessions=[last(agent)])
    session_recalls.forget(agent.root, "before")
    assert start(agent) == ""
    assert not Path(session_recalls.path(agent.root, "before")).exists()


def test_one_setting_quiets_all_of_it(agent: Agent, publish: Publish) -> None:
    publish(LOGGING, PNPM, SECRETS, switches={"messages": False})
    put_news(agent, drafts=2, sessions=[last(agent)])
    outs = [agent.fire("SessionStart", source="startup"), bash(agent, "npm test"), bash(agent, "deploy x")]
    assert all(outs), "the agent is told as ever"
    assert [message(out) for out in outs] == ["", "", ""]


@pytest.mark.parametrize(
    "news",
    [
        {"drafts": 0}, {"drafts": -1}, {"drafts": "3"}, {"drafts": None}, {"sessions": {}}, {"sessions": [3]},
        {"sessions": [{"project": "PROJECT", "over": True, "session": 4, "words": "x"}]},
        {"sessions": [{"project": "PROJECT", "over": True, "session": "never", "words": "x"}]},
        {"sessions": [{"project": "PROJECT", "over": 1, "last_ms": "0", "session": "a", "words": "x"}]},
        [], "x",
    ],
)  # fmt: skip
def test_news_that_say_nothing_are_no_news(news: Any, agent: Agent) -> None:
    data = json.dumps(news).replace("PROJECT", str(agent.project)).encode()
    files.replace(Path(paths.news(agent.root)), [data])
    assert agent.fire("SessionStart", source="startup") == b""


@pytest.mark.parametrize(
    "data", [b"", b"{", b"[" * 9_000, b"\xff\xfe", b'{"drafts": 3}' + b" " * 20_000 + b"x"]
)
def test_damaged_news_cost_no_recall(data: bytes, agent: Agent, publish: Publish) -> None:
    publish(SECRETS)
    files.replace(Path(paths.news(agent.root)), [data])
    assert start(agent).startswith("Learnloop: 1 of your instructions told at the start")


def test_a_fifo_in_the_place_of_the_news_or_a_memory_keeps_nobody_waiting(
    agent: Agent, publish: Publish
) -> None:
    publish(SECRETS)
    os.mkfifo(paths.news(agent.root))
    assert start(agent) == "Learnloop: 1 of your instructions told at the start"
    Path(paths.news(agent.root)).unlink()
    report = last(agent)
    Path(session_recalls.path(agent.root, "before")).unlink()
    os.mkfifo(session_recalls.path(agent.root, "before"))
    put_news(agent, sessions=[report])
    assert start(agent, "s2") == "Learnloop: 1 of your instructions told at the start"


def test_what_was_approved_elsewhere_is_said_until_the_console_is_visited(agent: Agent) -> None:
    put_news(agent, approved=2, approved_words="Use \x1b[31mtabs.")
    said = "Learnloop: 2 approved outside learn-tui (\u201cUse \ufffd[31mtabs.\u201d): U takes it back there"
    assert [start(agent), start(agent, "s2")] == [said, said]


@pytest.mark.parametrize(("count", "words"), [(1, "1 fact was taken in"), (2, "2 facts were taken in")])
def test_what_was_taken_in_is_said_with_its_key(agent: Agent, count: int, words: str) -> None:
    put_news(agent, taken=count, taken_words="Use tabs.")
    said = f"Learnloop: {words} (\u201cUse tabs.\u201d): U in learn-tui takes back"
    assert start(agent) == said


def test_hostile_news_stay_one_line(agent: Agent) -> None:
    put_news(agent, sessions=[last(agent, words="1 \x1b[2J\u202enpm\nstopped " + "x" * 500)])
    line = start(agent)
    assert line.isprintable()
    assert len(line) < 200

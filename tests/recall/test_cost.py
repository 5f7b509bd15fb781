"""What keeping a lesson costs: how often it would have been told at the newest calls and prompts."""

from typing import Any

import pytest

from learnloop.learn.lessons import call_patterns
from learnloop.models import Lesson, Triggers
from learnloop.service.recall import backtest
from learnloop.service.workspace import Workspace, open_workspace
from learnloop.store import fold
from learnloop.wire import event as wire_event
from learnloop.wire import journal
from tests.recall.test_backtest import PROJECT, event
from tests.store import small_stores

Event = dict[str, Any]


def _lesson(priority: str = "MEDIUM", project: str = PROJECT, **triggers: tuple[str, ...]) -> Lesson:
    return Lesson.model_validate({
        "id": "lessonid", "statement": "Use jq.", "priority": priority, "project": project,
        "scope": "project" if project else "global", "triggers": Triggers(**triggers).as_json(),
        "created": "2026-01-01T00:00:00.000Z", "updated": "2026-01-01T00:00:00.000Z",
    })  # fmt: skip


def _workspace(root: str, events: list[Event]) -> Workspace:
    for one in events:
        ids = {"tool_use_id": one["tool_use_id"]} if "tool_use_id" in one else {}
        made = wire_event.record(
            one["kind"], host="claude", session_id="s1", cwd=one["project"], project=one["project"],
            payload=one["payload"], **ids,
        )  # fmt: skip
        assert journal.append(root, [made])
    fold.fold(root)
    return open_workspace(root)


def _calls(greps: int, others: int, project: str = PROJECT) -> list[Event]:
    commands = ["grep -r x ."] * greps + ["ls"] * others
    calls = [
        event("tool_end", at % 3600, tool="Bash", command=command, tool_use_id=f"{project}{at}")
        for at, command in enumerate(commands)
    ]
    return [{**call, "project": project} for call in calls]


def test_it_says_how_many_of_the_last_calls_and_whether_that_is_too_many(root: str) -> None:
    ws = _workspace(root, _calls(31, 193))
    words = backtest.cost_words(ws, _lesson(command_patterns=("grep",)))
    assert words == "would be told at 31 of your last 224 tool calls (14 %): too broad, e narrows"
    assert backtest.cost_words(ws, _lesson(command_patterns=("jq",))) == (
        "would be told at none of your last 224 tool calls"
    )


def test_several_that_are_kept_at_once_say_what_they_stop_and_what_is_too_broad(root: str) -> None:
    ws = _workspace(root, _calls(31, 193))
    check = [rule.as_json() for rule in call_patterns.derive("Use pnpm, not npm.")]
    stopping = small_stores.put(
        root, id="stopping", statement="Use pnpm, not npm.", check=check, project=PROJECT
    )
    broad = small_stores.put(root, **_lesson(command_patterns=("grep",)).as_json())
    warnings = backtest.warnings(ws, [stopping.id, broad.id])
    assert warnings[stopping.id].startswith("stops: never run `npm")
    assert (
        warnings[broad.id] == "would be told at 31 of your last 224 tool calls (14 %): too broad, e narrows"
    )


def test_only_calls_of_its_project_count_and_of_all_where_it_holds_everywhere(root: str) -> None:
    ws = _workspace(root, [*_calls(2, 98), *_calls(50, 0, "/code/other")])
    own, everywhere = (
        backtest.cost(ws, _lesson(project=where, command_patterns=("grep",))) for where in (PROJECT, "")
    )
    assert own is not None
    assert everywhere is not None
    assert (own.at_calls, own.calls, own.judgement) == (2, 100, "")
    assert (everywhere.at_calls, everywhere.calls, everywhere.judgement) == (52, 150, "too broad")


def test_a_lesson_without_a_moment_is_told_at_every_start(root: str) -> None:
    ws = _workspace(root, _calls(0, 30))
    assert backtest.cost_words(ws, _lesson()) == "told at every session start"
    both = backtest.cost_words(ws, _lesson("CRITICAL", command_patterns=("ls",)))
    assert (
        both == "told at every session start and would be told at 30 of your last 30 tool calls (100 %)"
        ": too broad, e narrows"
    )


def test_prompts_count_by_themselves(root: str) -> None:
    ws = _workspace(
        root, [event("prompt", at, prompt="the ledger" if at < 6 else "go on") for at in range(30)]
    )
    words = backtest.cost_words(ws, _lesson(action_keywords=("ledger",)))
    assert words == "would be told at 6 of your last 30 prompts (20 %): too broad, e narrows"
    words = backtest.cost_words(ws, _lesson(command_patterns=("jq",)))
    assert words == "no tool call is recorded yet that it could be tried on"


def test_of_one_call_there_is_no_plural(root: str) -> None:
    ws = _workspace(root, _calls(0, 1))
    words = backtest.cost_words(ws, _lesson(command_patterns=("jq",)))
    assert words == "would be told at no tool call so far"


def test_nothing_recorded_says_so(root: str) -> None:
    assert "nothing is recorded" in backtest.cost_words(
        open_workspace(root), _lesson(command_patterns=("jq",))
    )


@pytest.mark.parametrize("stored", [500, 1_000])
def test_it_looks_at_the_newest_calls_alone(root: str, stored: int) -> None:
    ws = _workspace(root, _calls(stored - 400, 400))
    result = backtest.cost(ws, _lesson(command_patterns=("grep",)))
    assert result is not None
    assert (result.calls, result.at_calls) == (backtest.MOST_CALLS, 0)


def test_verdicts_in_between_hide_no_calls(root: str) -> None:
    ws = _workspace(root, _calls(2, 18))
    for _ in range(8):
        assert journal.append(
            root,
            [wire_event.record("notice", host="claude", session_id="s1", cwd="", project="", payload={})],
        )
        fold.fold(root)
    assert (
        backtest.cost_words(ws, _lesson(command_patterns=("jq",)))
        == "would be told at none of your last 20 tool calls"
    )

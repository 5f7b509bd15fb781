"""Explaining recall: the numbers that hooks use, and what became of each lesson."""

from typing import Any

import pytest

from learnloop.recall.compile import records
from learnloop.recall.explain import explain
from learnloop.service import workspace
from learnloop.service.recall import explain as recalls
from learnloop.store.store import Store
from learnloop.wire import relevance

BUDGETS = {"call_tokens": 400, "per_call": 3, "threshold": 70}
MOMENT = {"moment": "tool", "tool": "Write", "file": "/p/app.py", "words": "print", "project": "/p"}


def _lesson(lesson_id: str, **changes: Any) -> dict[str, Any]:
    ts = "2026-01-01T00:00:00.000Z"
    return {
        "id": lesson_id, "status": "active", "statement": f"Fact {lesson_id} holds.", "scope": "global",
        "triggers": {"file_patterns": ["*.py"], "action_keywords": ["print"]}, "created": ts, "updated": ts,
        **changes,
    }  # fmt: skip


def test_every_part_is_what_the_one_function_gives() -> None:
    lessons = [_lesson("aaaaaa"), _lesson("bbbbbb", priority="HIGH", triggers={"tool_names": ["Edit"]})]
    for found in explain(lessons, MOMENT, BUDGETS):
        (record,) = [record for record in records(lessons) if record["id"] == found.id]
        expected = relevance.score(record, MOMENT)
        assert {name: getattr(found, name) for name in expected} == expected


def test_those_that_fire_come_first_and_the_fourth_is_held_back() -> None:
    lessons = [_lesson(f"{letter}aaaaa") for letter in "edcba"] + [
        _lesson("zzzzzz", triggers={}, priority="CRITICAL")
    ]
    found = explain(lessons, MOMENT, BUDGETS)
    assert [(one.id[0], one.fires, one.told, one.held_back) for one in found] == [
        ("a", True, True, ""), ("b", True, True, ""), ("c", True, True, ""), ("d", True, False, "top"),
        ("e", True, False, "top"), ("z", False, False, ""),
    ]  # fmt: skip


def test_what_does_not_fit_is_held_back_by_the_budget() -> None:
    lessons = [_lesson("aaaaaa", statement="A" * 400 + "."), _lesson("bbbbbb")]
    found = explain(lessons, MOMENT, {**BUDGETS, "call_tokens": 50})
    assert [(one.id[0], one.told, one.held_back) for one in found] == [
        ("a", False, "budget"),
        ("b", True, ""),
    ]


def test_only_lessons_in_use_are_explained() -> None:
    lessons = [_lesson("aaaaaa", status="draft"), _lesson("bbbbbb", paused=True), _lesson("cccccc")]
    assert [one.id for one in explain(lessons, MOMENT, BUDGETS)] == ["cccccc"]


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({"file": "src/app.py"}, {"aaaaaa"}),
        ({"tool": "Edit", "file": "/p/app.py"}, {"aaaaaa"}),
        ({"command": "git push origin"}, {"bbbbbb"}),
        ({"prompt": "Print the list"}, {"aaaaaa"}),
        ({"tool": "Read", "file": "app.py"}, set()),
        ({"file": "app.py", "agent": "reviewer"}, {"aaaaaa", "cccccc"}),
    ],
)
def test_the_service_asks_for_every_moment(asked: dict[str, Any], told: set[str], root: str) -> None:
    lessons = [
        _lesson("aaaaaa"),
        _lesson("bbbbbb", triggers={"command_patterns": ["git push"]}),
        _lesson("cccccc", triggers={"file_patterns": ["*.py"], "agent_names": ["reviewer"]}),
    ]
    with Store(root).transaction() as tx:
        for lesson in lessons:
            tx.table("lessons").put(lesson["id"], lesson)
        tx.cursor = "1-1.jsonl"
    found = recalls.explain(workspace.open_workspace(root), project="/p", **asked)
    assert {one.id for one in found if one.told} == told
    assert {one.id for one in found} == {"aaaaaa", "bbbbbb", "cccccc"}

"""Lessons by what they are about, the lessons for an agent's work, and figures over all of them."""

import json
from pathlib import Path
from typing import Any

import pytest

from learnloop.models import Lesson, Triggers, Usage
from learnloop.models.lesson import Score
from learnloop.service.health import store_checks
from learnloop.service.workspace import open_workspace
from learnloop.wire import render
from tests.cli.store import Learn, lesson, seed


def made(number: int, score: float, **fields: object) -> Lesson:
    """A lesson in use of that score; its statement says its number."""
    plain = {"status": "active", "statement": f"Rule {number} holds.", "score": Score(overall=score)}
    return lesson(f"r{'abcdefghij'[number]}{'2' * 24}", **{**plain, **fields})


LESSONS = (
    made(0, 0.9, category="testing", keywords=("pytest",), triggers=Triggers(file_patterns=("**/*.py",))),
    made(1, 0.8, category="testing", context="TypeScript, React", example="good()", counter_example="bad()"),
    made(2, 0.7, category="style", triggers=Triggers(agent_names=("Reviewer",)), usage=Usage(recalled=9)),
    made(3, 0.55, category="data", keywords=("pytest", "fixtures"), usage=Usage(recalled=3, helpful=1)),
    made(4, 0.95, status="draft", category="testing", priority="CRITICAL"),
    made(5, 0.95, project="/w/other", category="testing"),
    made(6, 0.0, scope="global", project="", category="general", confidence=1.0),
    made(7, 0.99, paused=True),
    made(8, 0.99, expires_at="2020-01-01T00:00:00.000Z"),
)
HERE = ("--project", "/w/app")


@pytest.fixture
def learn(root: str, capsys: pytest.CaptureFixture[str]) -> Learn:
    seed(root, LESSONS)
    return Learn(capsys)


def _numbers(learn: Learn, *argv: str) -> list[int]:
    return [int(row["statement"].split()[1]) for row in learn.listing("lessons", *argv)]


@pytest.mark.parametrize(
    ("argv", "expected"),
    [
        (("--category", "testing"), [4, 5, 0, 1]),
        (("--category", "Testing", "--category", "style", "--status", "active"), [5, 0, 1, 2]),
        (("--min-score", "0.95"), [6, 7, 8, 4, 5]),
        (("--keyword", "pytest"), [0, 3]),
        (("--keyword", "pytest", "--keyword", "fixtures"), [3]),
        (("--context", "language=python"), [0]),
        (("--context", "typescript", "--context", "framework=react"), [1]),
        (("--context", "testing", "--limit", "2"), [4, 5]),
        (("--context", "language=testing"), []),
        (("--context", "language=react"), []),
        (("--context", "Framework=Pytest"), [0, 3]),
        (("--agent", "reviewer", "--category", "style"), [2]),
        (("--agent", "main", "--category", "style"), []),
        (("--limit", "1"), [6]),
    ],
)
def test_lessons_by_what_they_are_about(learn: Learn, argv: tuple[str, ...], expected: list[int]) -> None:
    assert _numbers(learn, *argv) == expected
    assert learn("lessons", *argv) == 0
    shown = [line for line in learn.out.splitlines() if "Rule" in line]
    assert [int(line.split("Rule ")[1].split()[0]) for line in shown] == expected


@pytest.mark.parametrize("value", ["-1", "101", "much"])
def test_a_score_that_is_none_is_wrong_usage(learn: Learn, value: str) -> None:
    assert learn("lessons", "--min-score", value) == 2
    assert "between 0 and 100" in learn.err


def _applied(learn: Learn, *argv: str) -> list[int]:
    assert learn("recall", *HERE, *argv, "--json") == 0, learn.err
    document = json.loads(learn.out)
    assert set(document) == {"applied", "total_tokens", "formatted"}
    assert document["total_tokens"] == -(-len(document["formatted"]) // 4)
    return [int(one["statement"].split()[1]) for one in document["applied"]]


def test_whole_lessons_within_the_budget(learn: Learn, root: str) -> None:
    assert _applied(learn, "--max-tokens", "30") == [6, 0]
    assert learn("recall", *HERE, "--max-tokens", "30") == 0
    heading, *told = learn.out.splitlines()
    assert heading == render.HEADING
    assert [line.partition(" (")[0] for line in told] == ["- Rule 6 holds.", "- Rule 0 holds."]
    seed(root, tuple(made(number, 0.9, statement=f"Rule {number} holds. {'x' * 450}") for number in range(9)))
    assert len(_applied(learn)) == 5, "at most 5"
    assert _applied(learn, "--max-tokens", "260") == [0, 1], "whole ones only"


def test_details_of_discoveries_come_where_there_is_room(learn: Learn, root: str) -> None:
    told = "The seed script assumes that all tables are there."
    scores = [0.9, 0.8, *[0.1] * 7]
    found = [made(at, score, source="discovery", description=told) for at, score in enumerate(scores)]
    seed(root, tuple(found))
    assert learn("recall", *HERE) == 0
    assert learn.out.count(told) == 2
    assert learn("recall", *HERE, "--max-tokens", "48", "--json") == 0
    limited = json.loads(learn.out)
    assert [one["id"] for one in limited["applied"]] == [one.id for one in found[:2]]
    assert limited["formatted"].count(told) == 1, "the summaries first, then the details of the first"
    assert limited["total_tokens"] <= 48


def test_examples_come_where_they_are_asked_for(learn: Learn) -> None:
    assert learn("recall", *HERE, "--context", "react", "--examples") == 0
    assert "Rule 1 holds. Right: good() Wrong: bad()" in learn.out
    assert learn("recall", *HERE, "--context", "react") == 0
    assert "good()" not in learn.out


def test_limits_hold_at_a_moment_too(learn: Learn) -> None:
    assert learn("recall", *HERE, "--file", "a.py") == 0
    assert "Rule 0" in learn.out
    assert learn("recall", *HERE, "--file", "a.py", "--min-score", "0.9") == 0
    assert learn.out == ""
    assert learn("recall", *HERE, "--file", "a.py", "--context", "x") == 2
    assert learn("recall", *HERE, "--explain") == 2


def test_figures_over_all_lessons(learn: Learn) -> None:
    assert learn("lessons", "--stats", "--json") == 0
    document = json.loads(learn.out)
    assert document["total"] == 9
    assert document["by_status"] == {"active": 8, "draft": 1}
    assert document["by_category"] == {"testing": 4, "general": 3, "data": 1, "style": 1}
    assert document["by_priority"] == {"MEDIUM": 8}
    assert document["mean_score"] == round(sum((0.9, 0.8, 0.7, 0.55, 0.95, 0.95, 1.0, 0.99, 0.99)) / 9, 3)
    assert [one["statement"] for one in document["most_used"]] == ["Rule 2 holds.", "Rule 3 holds."]
    assert learn("lessons", "--stats") == 0
    assert "active 8, draft 1" in learn.out


def test_figures_over_nothing(root: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert not Path(root).exists()
    empty = Learn(capsys)
    assert empty("stats", "--json") == 0
    assert json.loads(empty.out)["mean_score"] is None
    assert empty("stats") == 0
    assert "There are no lessons yet" in empty.err


def test_too_many_critical_lessons_are_reported(learn: Learn, root: str) -> None:
    def told() -> list[tuple[str, str]]:
        checks = store_checks.priorities(open_workspace(root), False)
        return [(check.level, check.message) for check in checks]

    assert told() == []
    seed(root, tuple(made(number, 0.5, priority="CRITICAL") for number in range(3)))
    assert told() == [("warn", "3 of 8 active lessons are CRITICAL (37 %, 30 % is a lot)")]
    assert learn("lessons", "--stats") == 0
    assert "3 of 8 active lessons are CRITICAL" in learn.err


def _named(learn: Learn, lesson_id: str) -> dict[str, Any]:
    (found,) = (row for row in learn.listing("lessons") if row["id"].startswith(lesson_id))
    return dict(found)


def test_an_edit_after_promotion_keeps_the_lesson_in_use_and_undo_brings_the_content_back(
    learn: Learn,
) -> None:
    items = ("--set", "content.items=Read the plan", "--set", "content.items=Ask")
    assert learn("edit", "ra22", "--kind", "checklist", *items, "--set", "content.title=Plans") == 0
    found = _named(learn, "ra22")
    assert (found["status"], found["kind"]) == ("active", "checklist")
    assert found["content"] == {"title": "Plans", "items": ["Read the plan", "Ask"], "format": "checkbox"}
    assert learn("recall", *HERE, "--file", "a.py") == 0
    assert "Plans, to verify before proceeding: 1) Read the plan; 2) Ask." in learn.out
    assert learn("show", "ra22") == 0
    assert "- [ ] Read the plan" in learn.out
    assert learn("edit", "ra22", "--kind", "warning") == 0
    assert _named(learn, "ra22")["content"]["risk"] == "Read the plan; Ask"
    assert "“when” is empty" in learn.refused("edit", "ra22", "--kind", "pattern")
    assert learn("undo") == 0
    assert learn("undo") == 0
    found = _named(learn, "ra22")
    assert (found["kind"], found["content"]) == ("fact", None)


def test_a_list_too_long_for_a_call_is_refused(learn: Learn) -> None:
    items = [part for number in range(20) for part in ("--set", f"content.items={number}{'x' * 150}")]
    told = learn.refused("edit", "ra22", "--kind", "checklist", *items)
    assert "a call has room for" in told

"""The six kinds: what each holds, how it is checked, carried over, and told to people and agents."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from learnloop.learn.lessons import content as kinds
from learnloop.models import Lesson
from learnloop.models.kinds import CONTENT_FIELDS, ITEMS_MAX, MODELS
from learnloop.recall.compile import records
from learnloop.wire import render

NOW = "2026-01-02T03:04:05.000Z"
CONTENTS: dict[str, dict[str, Any]] = {
    "checklist": {
        "title": "Moving house",
        "items": ["Copy the data", "Try the copy", "Tell the callers"],
        "format": "checkbox",
    },
    "pattern": {
        "situation": "Code is moved between modules",
        "action": "Run every test before the commit",
        "rationale": "Imports break far away",
        "example": "The parser lost its entry point in spring",
    },
    "warning": {
        "risk": "A prompt that nobody tried breaks its agent",
        "severity": "high",
        "detection": "The agent is never called",
        "mitigation": "Try it on three inputs",
    },
    "requirement": {
        "constraint": "Every public function has a docstring",
        "rationale": "The reference is made of them",
        "validation": "ruff check --select D",
    },
}


def lesson(kind: str, **fields: Any) -> dict[str, Any]:
    made = {
        "id": "k3fqabcdefghijklmnopqrstuv", "status": "active", "kind": kind, "scope": "global",
        "statement": "Moves are done step by step.", "title": "Moves", "content": CONTENTS.get(kind),
        "created": NOW, "updated": NOW,
    }  # fmt: skip
    return Lesson.model_validate(made | fields).as_json()


DISPLAYED = {
    "checklist": [
        "MOVING HOUSE", "", "Before proceeding, verify:", "- [ ] Copy the data", "- [ ] Try the copy",
        "- [ ] Tell the callers",
    ],
    "pattern": [
        "PATTERN: Moves", "", "When: Code is moved between modules", "Do: Run every test before the commit",
        "Why: Imports break far away", "", "Example: The parser lost its entry point in spring",
    ],
    "warning": [
        "WARNING: Moves", "", "Risk: A prompt that nobody tried breaks its agent", "Severity: HIGH",
        "How to detect: The agent is never called", "Mitigation: Try it on three inputs",
    ],
    "requirement": [
        "REQUIREMENT: Moves", "", "Constraint: Every public function has a docstring",
        "Why: The reference is made of them", "Verify with: ruff check --select D",
    ],
    "preference": [],
    "fact": [],
}  # fmt: skip
TOLD = {
    "checklist": "Moving house, to verify before proceeding: 1) Copy the data; 2) Try the copy;"
    " 3) Tell the callers.",
    "pattern": "When: Code is moved between modules. Then: Run every test before the commit."
    " Why: Imports break far away. Example: The parser lost its entry point in spring.",
    "warning": "Risk: A prompt that nobody tried breaks its agent. Severity: high."
    " How it is noticed: The agent is never called. What prevents it: Try it on three inputs.",
    "requirement": "Must hold: Every public function has a docstring."
    " Why: The reference is made of them. Verified with: ruff check --select D.",
}


@pytest.mark.parametrize("kind", sorted(CONTENT_FIELDS))
def test_each_kind_as_people_read_it(kind: str) -> None:
    assert kinds.display_lines(lesson(kind)) == DISPLAYED[kind]


@pytest.mark.parametrize("kind", sorted(TOLD))
def test_each_kind_as_agents_get_it(kind: str) -> None:
    (record,) = records([lesson(kind)])
    assert record["text"] == "Moves are done step by step."
    assert render.line(record) == f"- Moves are done step by step. {TOLD[kind]} (k3fq)"
    assert render.line(render.brief(record)) == "- Moves are done step by step. (k3fq)"


@pytest.mark.parametrize(
    ("statement", "is_listed"),
    [
        ("Moving house: copy the data, try the copy, tell the callers.", False),
        ("Copy the data, then try the copy and tell the callers", False),
        ("Copy the data and try the copy.", True),
    ],
)
def test_a_list_that_the_statement_says_is_not_said_twice(statement: str, is_listed: bool) -> None:
    (record,) = records([lesson("checklist", statement=statement)])
    assert ("1) Copy the data" in render.line(record)) == is_listed
    assert render.line(record).casefold().count("copy the data") == 1 + is_listed


@pytest.mark.parametrize(
    ("form", "first"), [("checkbox", "- [ ] Copy"), ("numbered", "1. Copy"), ("bulleted", "- Copy")]
)
def test_a_list_is_shown_in_three_ways(form: str, first: str) -> None:
    shown = kinds.display_lines(lesson("checklist", content={**CONTENTS["checklist"], "format": form}))
    assert shown[3].startswith(first)


@pytest.mark.parametrize(
    ("priority", "over"),
    [
        ("CRITICAL", "⚠ CRITICAL CHECKLIST"), ("HIGH", "⚠ HIGH PRIORITY CHECKLIST"),
        ("MEDIUM", "ℹ Checklist"), ("LOW", "ℹ Note: Checklist"),
    ],
)  # fmt: skip
def test_the_priority_is_above_it(priority: str, over: str) -> None:
    assert kinds.heading("checklist", priority) == over


def test_what_the_statement_says_is_not_repeated() -> None:
    said = lesson("requirement", statement="Every public function has a docstring.")
    assert "Must hold" not in kinds.agent_text(said)
    assert "Verified with" in kinds.agent_text(said)


@given(
    st.sampled_from(sorted(MODELS)),
    st.integers(0, 400),
    st.lists(st.text("ab ", min_size=1, max_size=160), max_size=20),
)
def test_within_any_budget_whole_parts_are_left_out_and_none_is_cut(
    kind: str, room: int, items: list[str]
) -> None:
    content = dict(CONTENTS[kind])
    if kind == "checklist":
        content["items"] = [f"x{item}".strip() for item in items] or ["one"]
    told = lesson(kind, content=content)
    text = kinds.agent_text(told, room)
    assert text.startswith(told["statement"])
    assert len(text) <= max(room, len(told["statement"]))
    every = kinds.agent_text(told, 1_000_000)
    for part in text.removeprefix(told["statement"]).split(". "):
        assert part.strip(" .") in every


def test_the_required_is_kept_longest() -> None:
    short = kinds.agent_text(lesson("pattern"), 120)
    assert "Then: Run every test" in short
    assert "Example" not in short


@pytest.mark.parametrize(
    ("kind", "content", "field", "says"),
    [
        ("checklist", {"title": "List"}, "items", "“items” is empty."),
        ("checklist", {"items": ["a", " "]}, "items", "“items” 2 is empty."),
        ("checklist", {"items": ["a"] * (ITEMS_MAX + 1)}, "items", "has 21 entries: 20 is the most."),
        ("checklist", {"items": ["a"], "format": "table"}, "format", "'checkbox', 'numbered' or 'bulleted'"),
        ("checklist", {"items": ["a"], "title": "\ufffd\ufffd"}, "title", "nothing to read"),
        ("pattern", {"action": "run"}, "situation", "“when” is empty."),
        ("pattern", {"situation": "s", "action": "x" * 301}, "action", "300 characters is the most"),
        ("warning", {"severity": "high"}, "risk", "“risk” is empty."),
        ("warning", {"risk": "r", "severity": "huge"}, "severity", "'low', 'medium', 'high' or 'critical'"),
        ("requirement", {"validation": "v"}, "constraint", "“must hold” is empty."),
        ("requirement", {"risk": "r"}, "risk", "A requirement has no risk"),
        ("fact", {"risk": "r"}, "risk", "its statement says everything"),
    ],
)
def test_each_field_is_checked_by_itself(kind: str, content: dict[str, Any], field: str, says: str) -> None:
    found = kinds.problems(kind, content)
    assert says in found[field]


@pytest.mark.parametrize("kind", sorted(CONTENT_FIELDS))
def test_what_is_right_or_empty_has_no_problem(kind: str) -> None:
    assert kinds.problems(kind, CONTENTS.get(kind)) == {}
    assert kinds.problems(kind, {}) == {}


def test_a_content_of_another_kind_is_no_lesson() -> None:
    with pytest.raises(ValidationError, match="content is not that of a warning"):
        lesson("warning", content=CONTENTS["pattern"])


@pytest.mark.parametrize("old", sorted(CONTENTS))
@pytest.mark.parametrize("new", sorted(CONTENTS))
def test_the_main_point_carries_over_between_all_kinds(old: str, new: str) -> None:
    main = {"checklist": "items", "pattern": "action", "warning": "risk", "requirement": "constraint"}
    made = kinds.convert_content(lesson(old), new)
    assert set(made) <= {field.name for field in CONTENT_FIELDS[new]}
    before = CONTENTS[old][main[old]]
    words = before if isinstance(before, list) else [before]
    assert all(word in str(made[main[new]]) for word in words)


def test_reasons_and_examples_carry_over_and_a_fact_gives_its_statement() -> None:
    assert kinds.convert_content(lesson("pattern"), "requirement")["rationale"] == "Imports break far away"
    assert kinds.convert_content(lesson("fact"), "warning") == {"risk": "Moves are done step by step."}
    assert kinds.convert_content(lesson("warning"), "preference") == {}

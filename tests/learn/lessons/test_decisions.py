"""Decisions: what they make of a lesson, by replay; undo and redo are decisions too."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from learnloop.learn.lessons.decisions import effective_decisions, replay
from learnloop.models import Decision, Lesson

TS = "2026-01-31T09:05:{:02d}.000Z"
DRAFT: dict[str, Any] = Lesson(
    id="aaaa", statement="pytest is used.", title="pytest is used", project="/p",
    created=TS.format(0), updated=TS.format(0),
).as_json()  # fmt: skip


def decision(number: int, action: str, ids: tuple[str, ...] = ("aaaa",), **args: Any) -> Decision:
    return Decision.model_validate(
        {"id": f"{number:032x}", "ts": TS.format(number), "action": action, "lesson_ids": ids, "args": args}
    )


def after(*told: Decision, doc: dict[str, Any] | None = None) -> dict[str, Any]:
    return replay(DRAFT if doc is None else doc, effective_decisions(told))


def test_promoting_makes_a_draft_active() -> None:
    made = after(decision(1, "promote"))
    assert (made["status"], made["reviewed_at"], made["updated"]) == ("active", TS.format(1), TS.format(1))


def test_a_statement_given_at_promotion_settles_the_words() -> None:
    wordless = {**DRAFT, "statement": "", "needs_words": True}
    made = after(decision(1, "promote", statement="pytest runs the tests."), doc=wordless)
    assert (made["status"], made["statement"], made["needs_words"]) == (
        "active",
        "pytest runs the tests.",
        False,
    )


def test_a_draft_that_needs_words_is_not_promoted_without() -> None:
    wordless = {**DRAFT, "statement": "", "needs_words": True}
    assert after(decision(1, "promote"), doc=wordless)["status"] == "draft"


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        ([decision(1, "reject", reason="wrong")], {"status": "rejected", "rejection_reason": "wrong"}),
        (
            [decision(1, "promote"), decision(2, "archive", reason="harmful")],
            {"status": "archived", "archived_reason": "harmful"},
        ),
        ([decision(1, "promote"), decision(2, "archive"), decision(3, "restore")], {"status": "active"}),
        ([decision(1, "reject"), decision(2, "restore")], {"status": "draft"}),
        ([decision(1, "promote"), decision(2, "pause")], {"status": "active", "paused": True}),
        ([decision(1, "promote"), decision(2, "pause"), decision(3, "resume")], {"paused": False}),
        (
            [decision(1, "promote"), decision(2, "edit", priority="HIGH")],
            {"status": "active", "priority": "HIGH"},
        ),
        (
            [decision(1, "edit", statement="Tabs are used.")],
            {"statement": "Tabs are used.", "title": "Tabs are used"},
        ),
        ([decision(1, "scope", scope="global")], {"scope": "global", "project": ""}),
        (
            [decision(1, "scope", scope="module", project="/p", path="web")],
            {"scope": "module", "path": "web"},
        ),
    ],
)
def test_every_action_does_what_it_says(told: list[Decision], expected: dict[str, Any]) -> None:
    made = after(*told)
    assert {name: made.get(name) for name in expected} == expected
    Lesson.model_validate({name: value for name, value in made.items() if name[0] != "_"})


@pytest.mark.parametrize(
    "told",
    [
        [decision(1, "archive", reason="bored")],
        [decision(1, "edit", priority="URGENT")],
        [decision(1, "edit", status="active")],
        [decision(1, "scope", scope="universe")],
        [decision(1, "pause")],
        [decision(1, "restore")],
        [decision(1, "promote", ("bbbb",))],
    ],
)
def test_what_makes_no_sense_changes_nothing(told: list[Decision]) -> None:
    mine = [one for one in told if "aaaa" in one.lesson_ids]
    assert replay(DRAFT, mine) == DRAFT


def test_undo_takes_a_verdict_back_and_redo_brings_it_again() -> None:
    promote, undo = decision(1, "promote"), decision(2, "undo", decision=f"{1:032x}")
    redo = decision(3, "redo", decision=f"{1:032x}")

    assert after(promote, undo) == DRAFT
    assert after(promote, undo, redo)["status"] == "active"
    assert after(promote, undo, redo, decision(4, "undo", decision=f"{1:032x}")) == DRAFT


def test_undo_and_redo_may_name_one_another() -> None:
    promote, undo = decision(1, "promote"), decision(2, "undo", decision=f"{1:032x}")
    assert after(promote, undo, decision(3, "redo", decision=f"{2:032x}"))["status"] == "active"
    assert after(promote, undo, decision(3, "undo", decision=f"{2:032x}"))["status"] == "active"


def test_a_bulk_verdict_is_one_decision_with_one_undo() -> None:
    bulk = decision(1, "promote", ("aaaa", "bbbb"))
    other = {**DRAFT, "id": "bbbb"}
    assert {after(bulk)["status"], after(bulk, doc=other)["status"]} == {"active"}
    undo = decision(2, "undo", ("aaaa", "bbbb"), decision=bulk.id)
    assert {after(bulk, undo)["status"], after(bulk, undo, doc=other)["status"]} == {"draft"}


def test_an_undo_in_the_middle_leaves_what_came_after() -> None:
    told = [
        decision(1, "edit", priority="HIGH"),
        decision(2, "promote"),
        decision(3, "undo", decision=f"{1:032x}"),
    ]
    made = after(*told)
    assert (made["status"], made["priority"]) == ("active", "MEDIUM")


def test_replaying_over_a_stored_lesson_begins_anew() -> None:
    told = [decision(1, "promote"), decision(2, "edit", statement="Tabs are used.")]
    once = after(*told)
    assert after(*told, doc=once) == once
    assert replay(once, [])["status"] == "draft"
    assert replay(once, [])["statement"] == "pytest is used."


def test_what_ingest_learns_meanwhile_stays() -> None:
    stored = {**after(decision(1, "promote")), "seen_count": 5}
    assert after(decision(1, "promote"), decision(2, "pause"), doc=stored)["seen_count"] == 5


def test_a_lesson_that_a_person_typed_lives_as_long_as_its_decision() -> None:
    typed = {**DRAFT, "status": "active", "kind": "preference"}
    add = decision(1, "add", lesson=typed)
    made = replay({}, effective_decisions([add]))

    assert (made["status"], made["id"]) == ("active", "aaaa")
    undo = decision(2, "undo", decision=add.id)
    assert replay(made, effective_decisions([add, undo])) == {}
    redo = decision(3, "redo", decision=add.id)
    assert replay({}, effective_decisions([add, undo, redo]))["status"] == "active"


def test_a_foreign_lesson_is_not_added() -> None:
    assert replay({}, [decision(1, "add", lesson={"id": "aaaa", "junk": 1})]) == {}
    assert replay({}, [decision(1, "add")]) == {}


def _names(action: str, target: int) -> dict[str, Any]:
    return {"decision": f"{target:032x}"} if action in ("undo", "redo") else {}


_ACTIONS = st.sampled_from(["promote", "reject", "archive", "restore", "pause", "resume", "undo", "redo"])


@given(st.lists(st.tuples(_ACTIONS, st.integers(0, 8)), max_size=9))
def test_replay_in_one_go_equals_replay_step_by_step(plan: list[tuple[str, int]]) -> None:
    told = [
        decision(number, action, ("aaaa",), **_names(action, target))
        for number, (action, target) in enumerate(plan)
    ]
    stepwise = DRAFT
    for end in range(1, len(told) + 1):
        stepwise = replay(stepwise, effective_decisions(told[:end]))
    whole = replay(DRAFT, effective_decisions(told))
    assert {**stepwise, "updated": ""} == {**whole, "updated": ""}

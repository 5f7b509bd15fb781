"""Verdicts: written durably, seen at once, refused where they make no sense, undone and redone."""

from pathlib import Path

import pytest

from learnloop.errors import LearnloopError, Refused
from learnloop.service.facts import check_proposals
from learnloop.service.history import undo
from learnloop.service.lessons import documents, rows
from learnloop.service.recall import explain
from learnloop.service.review import verdicts
from learnloop.service.workspace import Workspace, open_workspace
from learnloop.store import seal
from learnloop.store.store import Store
from learnloop.wire import event
from tests.store.small_stores import wordless, workspace

NO_PIP = "no, use uv instead of pip"
NO_MOCK = "never mock the database"


def _only(ws: Workspace, status: str = "draft") -> str:
    (row,) = rows.rows(ws, status)
    return row.id


def test_undo_and_redo_work_across_restarts(root: str) -> None:
    ws = workspace(root, NO_PIP, NO_MOCK)
    first, second = [row.id for row in rows.rows(ws)]
    verdicts.promote(ws, first)
    verdicts.reject(ws, second)
    again = open_workspace(root, "console")
    assert undo.undo(again)
    assert documents.find(again, second).status == "draft"
    assert undo.undo(again)
    assert documents.find(again, first).status == "draft"
    assert undo.undo(again) is None
    assert undo.redo(again)
    assert undo.redo(again)
    assert undo.redo(again) is None
    assert (documents.find(again, first).status, documents.find(again, second).status) == (
        "active",
        "rejected",
    )


def test_a_new_verdict_ends_what_can_be_redone(root: str) -> None:
    ws = workspace(root, NO_PIP)
    lesson_id = _only(ws)
    verdicts.promote(ws, lesson_id)
    undo.undo(ws)
    verdicts.reject(ws, lesson_id)
    assert undo.redo(ws) is None
    undo.undo(ws)
    assert documents.find(ws, lesson_id).status == "draft"


def test_what_needs_words_is_promoted_only_with_words(root: str) -> None:
    ws = open_workspace(root)
    wordless(root)
    with pytest.raises(Refused) as caught:
        verdicts.promote(ws, _only(ws))
    assert "needs words" in caught.value.message
    assert "--statement" in caught.value.hint
    assert documents.find(ws, _only(ws)).status == "draft"
    verdicts.promote(ws, _only(ws), statement="  Every page begins\nwith an example. ")
    lesson = documents.find(ws, _only(ws, "active"))
    assert (lesson.statement, lesson.needs_words) == ("Every page begins with an example.", False)


@pytest.mark.parametrize("words", ["", "  \n ", "x" * 501])
def test_words_have_to_be_a_sentence(root: str, words: str) -> None:
    ws = open_workspace(root)
    wordless(root)
    with pytest.raises(Refused):
        verdicts.promote(ws, _only(ws), statement=words)


def test_hostile_words_are_cleaned(root: str) -> None:
    ws = open_workspace(root)
    wordless(root)
    verdicts.promote(ws, _only(ws), statement="Pages \x1b[31mbegin\u202e with an example.")
    assert documents.find(ws, _only(ws, "active")).statement.isprintable()


def test_secrets_that_a_person_types_never_reach_the_disk(root: str) -> None:
    token = "ghp_" + "a1B2" * 9
    ws = workspace(root, NO_PIP)
    lesson_id = _only(ws)
    verdicts.edit(ws, lesson_id, {"description": f"with {token}", "triggers": {"action_keywords": [token]}})
    verdicts.reject(ws, lesson_id, f"it shows {token}")
    verdicts.add(ws, f"Pushes are made with {token}.")
    assert [lesson.statement for lesson in Store(root).lessons() if lesson.status == "active"] == [
        "Pushes are made with [GitHub token removed]."
    ]
    assert not [
        path for path in Path(root).rglob("*") if path.is_file() and token.encode() in path.read_bytes()
    ]


def test_verdicts_on_the_wrong_state_name_the_state(root: str) -> None:
    ws = workspace(root, NO_PIP)
    lesson_id = _only(ws)
    with pytest.raises(Refused, match="is draft"):
        verdicts.archive(ws, lesson_id)
    with pytest.raises(Refused, match="is draft"):
        verdicts.pause(ws, lesson_id, True)
    verdicts.promote(ws, lesson_id)
    for act in (verdicts.promote, verdicts.reject, verdicts.restore):
        with pytest.raises(Refused, match="is active") as caught:
            act(ws, lesson_id)
        assert caught.value.hint
    assert len(Store(root).decisions()) == 1


def test_several_at_once_are_one_decision_and_one_undo(root: str) -> None:
    ws = workspace(root, NO_PIP, NO_MOCK)
    ids = [row.id for row in rows.rows(ws)]
    decision = verdicts.promote(ws, [*ids, ids[0][:6]])
    assert decision.lesson_ids == tuple(ids)
    assert len(rows.rows(ws, "active")) == 2
    undo.undo(ws)
    assert len(rows.rows(ws)) == 2


def test_one_wrong_id_among_several_changes_nothing(root: str) -> None:
    ws = workspace(root, NO_PIP)
    with pytest.raises(LearnloopError):
        verdicts.reject(ws, [_only(ws), "zzzzzz"])
    with pytest.raises(Refused):
        verdicts.reject(ws, [])
    assert Store(root).decisions() == []


def test_foreign_text_is_not_promoted_in_bulk(root: str) -> None:
    ws = workspace(root, NO_PIP, NO_MOCK)
    mine, foreign = [row.id for row in rows.rows(ws)]
    with Store(root).transaction() as tx:
        table = tx.table("lessons")
        table.put(foreign, {**(table.get(foreign) or {}), "trust": "external"})
    with pytest.raises(Refused) as caught:
        verdicts.promote(ws, [mine, foreign])
    assert foreign[:4] in caught.value.message
    assert mine[:4] not in caught.value.message
    verdicts.promote(ws, foreign)
    assert documents.find(ws, foreign).status == "active"


def test_archive_restore_and_pause(root: str) -> None:
    ws = workspace(root, NO_PIP)
    lesson_id = _only(ws)
    verdicts.promote(ws, lesson_id)
    verdicts.pause(ws, lesson_id, True)
    assert documents.find(ws, lesson_id).paused
    verdicts.pause(ws, lesson_id, False)
    assert not documents.find(ws, lesson_id).paused
    verdicts.archive(ws, lesson_id, reason="superseded")
    assert documents.find(ws, lesson_id).archived_reason == "superseded"
    verdicts.restore(ws, lesson_id)
    assert documents.find(ws, lesson_id).status == "active"
    with pytest.raises(Refused, match="no reason"):
        verdicts.archive(ws, lesson_id, reason="boring")


def test_a_rejected_lesson_can_come_back_as_a_draft(root: str) -> None:
    ws = workspace(root, NO_PIP)
    lesson_id = _only(ws)
    verdicts.reject(ws, lesson_id, reason="no")
    verdicts.restore(ws, lesson_id)
    assert documents.find(ws, lesson_id).status == "draft"


def test_editing_changes_what_can_be_edited(root: str) -> None:
    ws = workspace(root, NO_PIP)
    lesson_id = _only(ws)
    verdicts.edit(ws, lesson_id, {"statement": "uv installs packages.", "priority": "HIGH"})
    lesson = documents.find(ws, lesson_id)
    assert (lesson.statement, lesson.priority) == ("uv installs packages.", "HIGH")
    verdicts.edit(ws, lesson_id, {"triggers": {"command_patterns": ["pip *"]}})
    assert documents.find(ws, lesson_id).triggers.command_patterns == ("pip *",)
    undo.undo(ws)
    undo.undo(ws)
    assert "instead of pip" in documents.find(ws, lesson_id).statement


@pytest.mark.parametrize(
    "changes",
    [
        {"status": "active"},
        {"trust": "user"},
        {"priority": "URGENT"},
        {"statement": ""},
        {"title": "x" * 101},
        {"id": "x"},
    ],
)
def test_editing_refuses_what_makes_no_lesson(root: str, changes: dict[str, str]) -> None:
    ws = workspace(root, NO_PIP)
    with pytest.raises(Refused):
        verdicts.edit(ws, _only(ws), changes)
    assert Store(root).decisions() == []


def test_what_held_everywhere_from_the_start_goes_to_the_project_of_its_session(root: str) -> None:
    ws = workspace(root, NO_PIP)
    drafted = documents.find(ws, _only(ws))
    with Store(root).transaction() as changes:
        stored = Store(root).documents("lessons")[drafted.id]
        changes.table("lessons").put(drafted.id, {**stored, "scope": "global", "project": ""})
    verdicts.set_scope(ws, drafted.id, "project")
    assert documents.find(ws, drafted.id).project == drafted.project
    told = verdicts.add(ws, "Answers are short.").lesson_ids
    with pytest.raises(Refused, match="which project"):
        verdicts.set_scope(ws, told, "project")


def test_scope_says_where_a_lesson_holds(root: str) -> None:
    ws = workspace(root, NO_PIP)
    lesson_id = _only(ws)
    project = documents.find(ws, lesson_id).project
    verdicts.set_scope(ws, lesson_id, "global")
    lesson = documents.find(ws, lesson_id)
    assert (lesson.scope, lesson.project) == ("global", "")
    verdicts.set_scope(ws, lesson_id, "project")
    lesson = documents.find(ws, lesson_id)
    assert (lesson.scope, lesson.project) == ("project", project), "where it came from is not forgotten"
    verdicts.set_scope(ws, lesson_id, "global")
    with pytest.raises(Refused, match="path"):
        verdicts.set_scope(ws, lesson_id, "module", project=project)
    verdicts.set_scope(ws, lesson_id, "module", project=project, path="src")
    lesson = documents.find(ws, lesson_id)
    assert (lesson.scope, lesson.project, lesson.path) == ("module", project, "src")
    with pytest.raises(Refused):
        verdicts.set_scope(ws, lesson_id, "village")


def test_what_a_person_adds_is_active_at_once(root: str) -> None:
    ws = workspace(root)
    decision = verdicts.add(ws, "Answers are short.", scope="project", project="/p")
    lesson = documents.find(ws, decision.lesson_ids[0])
    assert (lesson.status, lesson.kind, lesson.project) == ("active", "preference", "/p")
    with pytest.raises(Refused, match="which project"):
        verdicts.add(ws, "Answers are short.", scope="project")
    with pytest.raises(Refused, match="says that already"):
        verdicts.add(ws, "answers are short", scope="project", project="/p")


def test_what_a_person_adds_is_recalled_by_its_words(root: str) -> None:
    ws = workspace(root)
    decision = verdicts.add(ws, "The changelog is written in British spelling.")
    (found,) = explain.explain(ws, prompt="Add the release to the changelog", project="/p")
    assert found.id == decision.lesson_ids[0]
    assert found.fires


def test_a_decision_that_makes_no_sense_is_passed_over(root: str) -> None:
    ws = workspace(root, NO_PIP)
    for payload in ({"action": "explode"}, {}, {"action": "promote", "lesson_ids": 7}):
        record = event.record(
            "decision", host="learnloop", session_id="cli", cwd="", project="", payload=payload
        )
        seal.append(root, [record])
    assert documents.find(ws, _only(ws)).status == "draft"
    assert undo.undo(ws) is None
    verdicts.promote(ws, _only(ws))
    assert _only(ws, "active")


@pytest.mark.parametrize(
    ("statement", "priority", "is_offered"),
    [
        ("Never use `git push --force`", "MEDIUM", True),
        ("Use pnpm, not npm", "CRITICAL", True),
        ("Use pnpm, not npm", "MEDIUM", False),
    ],
)
def test_what_cannot_be_taken_back_may_be_stopped_every_time(
    root: str, statement: str, priority: str, is_offered: bool
) -> None:
    ws = open_workspace(root)
    (lesson_id,) = verdicts.add(ws, statement, priority=priority).lesson_ids
    choice = check_proposals.choice(ws, lesson_id)
    assert choice
    assert ("always" in choice.ways) is is_offered
    if is_offered:
        verdicts.bind(ws, lesson_id, **choice.given("always"))
        held = documents.find(ws, lesson_id)
        assert held.stops
        assert [rule.every for rule in held.check] == [True]

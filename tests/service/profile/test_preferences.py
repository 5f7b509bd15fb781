"""From what was said to what is believed, told and taken back, through events and decisions."""

from pathlib import Path

import pytest

from learnloop.errors import NotFound, Refused
from learnloop.ingest.run import ingest
from learnloop.models import Lesson
from learnloop.service import workspace
from learnloop.service.history import undo
from learnloop.service.lessons import documents, queue, rows
from learnloop.service.profile import belief_verdicts, preferences, project_findings
from learnloop.service.review import verdicts
from learnloop.service.transfer import exchange, forget
from learnloop.service.workspace import Workspace
from learnloop.store.store import Store
from learnloop.wire import paths
from tests.ingest.session_scene import START, Scene, write
from tests.store import small_stores

SHORT = ("Too verbose, be more concise.", "No, that is too long.", "Wrong again, too wordy, simplify.")
CHANGELOG = (
    "No, you forgot the changelog entry for the release",
    "That's wrong, the changelog entry for the release is missing",
    "No, the changelog entry for the release is not there again",
)
NOW = small_stores.NOW_MS


def index(ws: Workspace) -> str:
    path = Path(paths.index(ws.root))
    return path.read_text("latin-1") if path.exists() else ""


def heard(root: str, said: tuple[str, ...], order: list[int] | None = None) -> list[Lesson]:
    """The lessons after each text was said in a session of its own, ingested one by one in that order."""
    for number in order or range(len(said)):
        write(root, Scene(f"s{number}", start=START + number * 100_000).corrected(said[number]))
        ingest(root)
    return Store(root).lessons()


def ids_of(ws: Workspace) -> list[str]:
    """The ids of all lessons, decisions before ingest included."""
    return [row.id for row in rows.rows(ws, None)]


def test_what_was_said_three_times_is_believed_and_recalled_only_when_confirmed(root: str) -> None:
    ws = small_stores.workspace(root, *SHORT)
    found = preferences.preferences(ws, NOW).verbosity
    assert (found.value, found.confirmed, len(found.evidence["concise"])) == ("concise", False, 3)
    assert {one.session_id for one in found.evidence["concise"]} != {""}
    assert found.statement not in index(ws)

    belief_verdicts.confirm(ws, "verbosity", "concise")
    assert found.statement in index(ws)
    assert preferences.preferences(ws, NOW).verbosity.confirmed_value == "concise"

    undo.undo(ws)
    assert found.statement not in index(ws)
    assert not preferences.preferences(ws, NOW).verbosity.confirmed

    undo.redo(ws)
    assert found.statement in index(ws)
    belief_verdicts.dismiss(ws, found.id[:6])
    assert found.statement not in index(ws)


def test_what_cannot_be_confirmed_is_refused(root: str) -> None:
    ws = workspace.open_workspace(root)
    with pytest.raises(Refused, match="nothing is believed"):
        belief_verdicts.confirm(ws, "verbosity")
    with pytest.raises(Refused, match="no value"):
        belief_verdicts.confirm(ws, "verbosity", "chatty")
    with pytest.raises(Refused, match="empty"):
        belief_verdicts.confirm(ws, "verbosity", "concise", "  ")
    with pytest.raises(Refused, match="301"):
        belief_verdicts.confirm(ws, "verbosity", "concise", "x" * 301)
    with pytest.raises(NotFound):
        belief_verdicts.confirm(ws, "zzzzzz")


def test_a_correction_said_three_times_is_a_pattern_and_proposes_critical(root: str) -> None:
    (lesson,) = heard(root, CHANGELOG)
    assert (lesson.status, lesson.priority, lesson.proposed_priority) == ("draft", "HIGH", "CRITICAL")
    assert lesson.seen_count == 3
    assert len(lesson.evidence) == 3
    (found,) = project_findings.recurring(workspace.open_workspace(root))
    assert (found.count, found.lesson_id, found.scope, found.sessions) == (3, lesson.id, "project", 3)
    assert set(found.examples) == set(CHANGELOG)


def test_rejected_stays_rejected(root: str) -> None:
    heard(root, CHANGELOG)
    ws = workspace.open_workspace(root)
    verdicts.reject(ws, queue.listing(ws, "draft")[0].id)
    write(
        root,
        Scene("s9", start=START + 900_000).corrected("no, you forgot the changelog entry for the release"),
    )
    ingest(root)
    assert [lesson.status for lesson in Store(root).lessons()] == ["rejected"]


def test_said_in_several_projects_it_holds_everywhere(root: str) -> None:
    ws = workspace.open_workspace(root)
    for hours, (project, text) in enumerate(zip(("one", "two", "three"), CHANGELOG, strict=True)):
        small_stores.say(ws, text, hours=9 - hours, project=project)
    (found,) = project_findings.recurring(ws)
    assert (found.scope, len(found.projects)) == ("global", 3)


def test_rules_are_listed_and_a_contradiction_is_resolved_by_a_person(root: str) -> None:
    ws = workspace.open_workspace(root)
    verdicts.add(ws, "npm is used for packages.")
    verdicts.add(ws, "pnpm is used instead of npm.")
    found = preferences.preferences(ws)
    assert [rule.statement for rule in found.rules] == [
        "npm is used for packages.",
        "pnpm is used instead of npm.",
    ]
    (contradiction,) = found.contradictions
    assert contradiction.kind == "tool"
    belief_verdicts.resolve(ws, contradiction.id, contradiction.other.lesson_id)
    after = preferences.preferences(ws)
    assert after.contradictions == ()
    assert [rule.id for rule in after.rules] == [contradiction.other.lesson_id]
    undo.undo(ws)
    assert len(preferences.preferences(ws).contradictions) == 1


def test_export_and_import_take_preferences_along(root: str, tmp_path: object) -> None:
    ws = small_stores.workspace(root, *SHORT)
    belief_verdicts.confirm(ws, "verbosity", "concise")
    document = exchange.export_document(ws, quotes=True)

    other = workspace.open_workspace(f"{tmp_path}/other")
    assert exchange.import_document(other, document).preferences == 3
    assert exchange.import_document(other, document).preferences == 0
    found = preferences.preferences(other, NOW).verbosity
    assert (found.value, found.confirmed) == ("concise", False)

    undo.undo(ws)
    assert exchange.import_document(ws, document).preferences == 1
    assert preferences.preferences(ws, NOW).verbosity.confirmed


def test_a_forgotten_session_leaves_nothing_in_preferences(root: str) -> None:
    ws = small_stores.workspace(root, *SHORT)
    gone = preferences.preferences(ws, NOW).verbosity.evidence["concise"][0].session_id
    assert forget.forget(ws, session=gone).remaining == 0
    found = preferences.preferences(ws, NOW).verbosity
    assert (found.value, len(found.evidence["concise"])) == ("unknown", 2)


def test_a_draft_that_contradicts_an_active_lesson_replaces_it(root: str) -> None:
    (draft,) = heard(root, ("Always answer in German.",))
    ws = workspace.open_workspace(root)
    verdicts.add(ws, "Answer in English.")
    (pair,) = preferences.preferences(ws).contradictions
    verdicts.set_scope(ws, draft.id, "project", project="/elsewhere")
    with pytest.raises(Refused, match="fewer places"):
        belief_verdicts.resolve(ws, pair.id, draft.id)
    verdicts.set_scope(ws, draft.id, "global")
    belief_verdicts.resolve(ws, pair.id, draft.id)
    lessons = [documents.find(ws, key) for key in ids_of(ws)]
    states = {lesson.statement: lesson.status for lesson in lessons}
    assert states == {draft.statement: "active", "Answer in English.": "archived"}
    undo.undo(ws)
    assert documents.find(ws, draft.id).status == "draft"
    assert len(preferences.preferences(ws).contradictions) == 1


def test_a_replacement_needs_an_active_lesson_and_another_one(root: str) -> None:
    (draft,) = heard(root, ("Always answer in German.",))
    ws = workspace.open_workspace(root)
    verdicts.add(ws, "Answer in English.")
    old = next(key for key in ids_of(ws) if key != draft.id)
    with pytest.raises(Refused, match="itself"):
        verdicts.replace(ws, old, old)
    with pytest.raises(Refused, match="is draft"):
        verdicts.replace(ws, old, draft.id)


def test_a_recurring_correction_is_confirmed_by_promoting_its_draft(root: str) -> None:
    heard(root, CHANGELOG)
    ws = workspace.open_workspace(root)
    (group,) = project_findings.recurring(ws)
    belief_verdicts.confirm(ws, group.id[:6], statement="Every release has a changelog entry.")
    assert documents.find(ws, str(group.lesson_id)).status == "active"
    with pytest.raises(Refused, match="active"):
        belief_verdicts.dismiss(ws, group.id)


def test_a_pattern_of_several_projects_is_counted_in_each_by_itself(root: str) -> None:
    ws = workspace.open_workspace(root)
    for hours, (project, text) in enumerate(zip(("one", "one", "two"), CHANGELOG, strict=True)):
        small_stores.say(ws, text, hours=9 - hours, project=project)
    patterns = {found.project_path: found.common_mistakes for found in project_findings.all_patterns(ws)}
    counts = {path.rpartition("/")[2]: [each.count for each in found] for path, found in patterns.items()}
    assert counts == {"one": [2], "two": [1]}

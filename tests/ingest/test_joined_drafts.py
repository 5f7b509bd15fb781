"""One wish in other words, over sessions and projects, becomes one draft with all its quotes."""

from typing import Any

import pytest

from learnloop.ingest.lessons import LessonTable
from learnloop.ingest.run import ingest
from learnloop.ingest.statement_index import NORMAL, normal
from learnloop.models import Lesson
from learnloop.service import workspace
from learnloop.service.review import verdicts
from learnloop.store.document_table import Intake
from learnloop.store.store import Store
from tests.ingest.session_scene import START, Scene, decide, write

LINTER = (
    "Always run the linter before you commit.",
    "From now on the linter runs before each commit.",
    "No, run the linter before committing.",
    "Before you commit, always run the linter.",
)
GERMAN = (
    "Error messages must always be in German.",
    "No, the error texts that users see have to be German.",
    "That's wrong, error messages are in German, never in English.",
    "From now on write error messages in German.",
)
SPACES = (
    "Always use 2 spaces.",
    "No, indent with two spaces, not four.",
    "No tabs, always 2 spaces for indentation.",
    "That's wrong, we always indent with two spaces here.",
)
PLAN = (
    "Always show me the plan before you implement anything.",
    "From now on show me the plan before you implement.",
    "No, show me a plan first, then implement.",
)


def heard(root: str, *said: str) -> list[Lesson]:
    """The lessons after each text was said in a session of its own, to work that was done."""
    for number, words in enumerate(said):
        write(root, Scene(f"s{number}", start=START + number * 100_000).corrected(words))
    ingest(root)
    return Store(root).lessons()


@pytest.mark.parametrize("said", [LINTER, GERMAN, SPACES, PLAN])
def test_paraphrases_over_sessions_are_one_draft_with_all_quotes(root: str, said: tuple[str, ...]) -> None:
    lessons = heard(root, *said)
    most = max(lessons, key=lambda lesson: lesson.seen_count)

    assert most.seen_count >= len(said) - 1
    assert len({evidence.session_id for evidence in most.evidence}) == most.seen_count
    assert most.statement


def test_a_go_ahead_is_no_sighting_of_a_habit(root: str) -> None:
    assert heard(root, "I approve this plan.", "go ahead and implement the plan") == []


def test_what_is_near_a_rejected_lesson_stays_away(root: str) -> None:
    (lesson,) = heard(root, "Always show me the plan before you implement.")
    decide(root, "reject", [lesson.id])
    (after,) = heard(
        root,
        "Always show me the plan before you implement.",
        "From now on show the plan before implementing.",
    )

    assert (after.id, after.status, after.held_back) == (lesson.id, "rejected", 1)


def test_opposite_wishes_are_two_drafts(root: str) -> None:
    lessons = heard(root, "Always use npm instead of pnpm.", "No, use pnpm instead of npm.")

    assert len(lessons) == 2


ACTS = (
    "run a migration", "deploy to production", "merge", "restart the server", "send e-mails", "spend money",
    "change the schema", "write to S3", "build the image",
)  # fmt: skip


@pytest.mark.parametrize(
    "rules",
    [
        [f"Always ask me before you {act}." for act in ACTS],
        [f"Always confirm with me before you {act}." for act in ACTS],
        [f"Frag mich immer, bevor du {act}." for act in ("deployst", "die Migration startest", "mergst")],
        ["Never commit to main.", "Never push to main.", "Never merge into main."],
        ["Always use pnpm, not npm.", "Always use pnpm, not yarn."],
    ],
    ids=("ask", "confirm", "German", "main", "pnpm"),
)
def test_rules_about_different_acts_are_as_many_drafts(root: str, rules: list[str]) -> None:
    lessons = heard(root, *rules)

    assert sorted(lesson.statement for lesson in lessons) == sorted(rules)
    assert {lesson.seen_count for lesson in lessons} == {1}


def test_edited_words_stay_whatever_is_said_later(root: str) -> None:
    (lesson,) = heard(root, "No, dates are stored in UTC.")
    verdicts.edit(workspace.open_workspace(root), lesson.id, {"statement": "Dates are UTC in the store."})
    (after,) = heard(root, "No, dates are stored in UTC.", "Always store dates in UTC!")

    assert (after.statement, after.seen_count) == ("Dates are UTC in the store.", 2)


class Table:
    """Stored documents in memory, which counts how often all of them are read."""

    is_ahead, intake = False, Intake("1")

    def __init__(self, documents: dict[str, Any]) -> None:
        self._documents = documents
        self.read = 0

    def all(self) -> dict[str, Any]:
        self.read += 1
        return self._documents

    def containing(self, texts: list[str]) -> dict[str, Any]:
        return {key: doc for key, doc in self._documents.items() if any(text in str(doc) for text in texts)}

    def get(self, key: str) -> Any:
        return self._documents.get(key)

    peek = get

    def put(self, key: str, doc: Any) -> None:
        self._documents[key] = doc

    def __contains__(self, key: object) -> bool:
        return key in self._documents


def document(number: int, statement: str) -> dict[str, Any]:
    evidence = [{"event_id": f"e{number}", "session_id": f"s{number}", "ts": "t", "quote": statement}]
    doc = {
        "id": f"l{number}", "statement": statement, "status": "draft", "fingerprint": f"f{number}",
        "evidence": evidence, "updated": "t", "confidence": 0.5,
    }  # fmt: skip
    return {**doc, NORMAL: normal(doc)}


def test_the_stored_lessons_are_indexed_once_whatever_is_learned() -> None:
    table = Table({f"l{n}": document(n, f"Module{n} holds parser{n}.") for n in range(2_000)})
    lessons = LessonTable(table, Table({}))
    learned = [lessons.learn(document(5_000 + n, f"parser{n} belongs to module{n}")) for n in range(100)]

    assert learned == [(f"l{n}", False) for n in range(100)]
    assert table.read == 1

"""Lists, search, ids and the two numbers of a row."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from learnloop.learn.lessons import scorer
from learnloop.models.lesson import Score, Usage
from learnloop.service.intake import imports
from learnloop.service.lessons import discoveries, queue, rows
from learnloop.service.lessons import row as row_module
from learnloop.service.workspace import Workspace, open_workspace
from tests.fact_scene import BRANCH, IMPLIED, answer, item, reading, say
from tests.store.small_stores import lesson, put, workspace

NO_PIP = "no, use uv instead of pip"
NO_MOCK = "never mock the database"


def test_drafts_come_strongest_first(root: str) -> None:
    ws = workspace(root, NO_MOCK, NO_PIP, NO_PIP)
    drafts = rows.rows(ws)
    assert {row.statement: row.seen for row in drafts}["Use uv instead of pip."] == 2
    assert drafts[0].strength > drafts[1].strength
    assert [lesson.id for lesson in queue.listing(ws, "draft")] == [row.id for row in drafts]
    assert not any(row.backfilled for row in drafts), "recorded while it happened"


def test_words_from_outside_never_come_before_a_persons(root: str, tmp_path: Path) -> None:
    ws = workspace(root, NO_PIP)
    (tmp_path / "queue.json").write_text(
        json.dumps([{"message": "remember: always run make lint before a commit", "confidence": 1.0}])
    )
    imports.import_files(ws, "reflect", str(tmp_path / "queue.json"))
    for _ in range(5):
        told = {"summary": "Migration must run before seeding", "details": "The tables are missing else."}
        discoveries.discover(ws, {**told, "confidence": 1.0}, project="/p")
    assert [row.trust for row in rows.rows(ws)] == ["user", "agent", "external"]

    weak = scorer.strength(0.2, 1, "user")
    sure = scorer.strength(1.0, 99, "external")
    assert sure > weak, "strength alone would put it first"
    assert _order(weak, "user") < _order(sure, "external")
    assert _order(40, "user") < _order(40, "user", needs_words=True) < _order(90, "user", folded=True)


def _order(
    strength: int, trust: str, *, folded: bool = False, needs_words: bool = False
) -> tuple[object, ...]:
    return scorer.queue_order(strength, trust, folded=folded, needs_words=needs_words)


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("uv", 1),
        ("UV PIP", 1),
        ("database", 1),
        ("src/a.py", 2),
        ("first thing", 2),
        ("uv database", 0),
        ("", 0),
    ],
)
def test_search_looks_at_words_and_evidence(root: str, query: str, found: int) -> None:
    ws = workspace(root, NO_PIP, NO_MOCK)
    assert len(queue.search(ws, query)) == found


def test_a_document_that_is_no_lesson_is_left_out(root: str) -> None:
    ws = workspace(root, NO_PIP)
    (kept,) = rows.rows(ws)
    path = Path(root, "store", "lessons.json")
    tables = json.loads(path.read_text())
    tables["lessons"]["bad1"] = {"id": "bad1", "status": "draft", "confidence": "high"}
    tables["lessons"]["bad2"] = {"id": "bad2", "status": "draft", "usage": 7}
    path.write_text(json.dumps(tables))
    assert [draft.id for draft in queue.listing(ws, "draft")] == [kept.id]
    assert kept in rows.rows(ws)


def test_strength_is_the_chance_and_each_repeat_takes_a_fifth_of_the_doubt() -> None:
    plain = lesson(confidence=0.6)
    assert queue.strength(plain) == 60
    assert queue.strength(lesson(confidence=0.6, seen_count=2)) == 68
    assert queue.strength(lesson(confidence=0.6, seen_count=3)) == 74
    assert queue.strength(lesson(confidence=0.6, score=Score(overall=0.9))) == 60, "the promise is no chance"
    assert queue.strength(lesson(confidence=0.6, trust="external")) == 36
    assert queue.strength(lesson(confidence=0.9, trust="agent")) == round(50 * 0.85)
    assert queue.strength(lesson(confidence=0.9, seen_count=1000)) == 100


def said(root: str, name: str, chance: float, **fields: object) -> None:
    """A draft as ingest makes it of a sentence."""
    put(root, id=name * 8, source="said:standing", confidence=chance, statement=f"Use {name}.", **fields)


def test_likely_ones_open_and_weak_wordless_and_muted_ones_are_folded(root: str) -> None:
    ws = open_workspace(root)
    said(root, "a", 0.9)
    said(root, "b", 0.7)
    said(root, "c", 0.4)
    seen = {"quote": "why did you commit to main?", "session_id": "s", "event_id": "e", "ts": ""}
    complaint = {"needs_words": True, "title": "Complaint: why did you commit to main?", "evidence": [seen]}
    said(root, "d", 0.9, **complaint)
    said(root, "e", 0.8, seen_count=2, **complaint)
    page = rows.queue_page(ws)
    assert [row.id[0] for row in page.top] == ["a", "e", "b"]
    assert [(row.id[0], row.folded) for row in page.folded] == [("d", "words"), ("c", "weak")]
    assert row_module.fold_words(page.folded) == "2 more: 1 weak, 1 needs words"
    assert [row.chance for row in page.top] == ["likely", "likely", "maybe"]
    listed = queue.listed_drafts(ws)
    assert [(draft.id[0], draft.strength, draft.folded) for draft in listed] == [
        ("a", 90, False), ("e", 84, False), ("b", 70, False), ("d", 90, True), ("c", 40, True),
    ]  # fmt: skip
    assert [draft.id[0] for draft in queue.listed_drafts(ws, {"c" * 8, "a" * 8})] == ["a", "c"]


@pytest.mark.parametrize(("sure", "is_folded"), [(64, True), (65, False)])
def test_what_a_model_is_not_sure_of_is_folded(ws: Workspace, sure: int, is_folded: bool) -> None:
    say(ws.root, IMPLIED)
    answer(ws, reading(item(BRANCH, sure=sure)))
    [listed] = queue.listed_drafts(ws)
    assert (listed.strength, listed.folded) == (sure, is_folded)


def test_what_somebody_meant_as_a_lesson_is_not_folded_for_being_weak(root: str) -> None:
    ws = open_workspace(root)
    put(root, id="aaaaaaaa", source="block:process_knowledge", trust="agent", statement="Run make first.")
    put(root, id="bbbbbbbb", source="import:bullets", trust="external", statement="Run make last.")
    assert [row.id[0] for row in rows.queue_page(ws).top] == ["a", "b"]


def test_beyond_the_size_of_the_queue_likely_ones_are_counted_as_such(
    root: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LEARNLOOP_QUEUE_SIZE", "1")
    ws = open_workspace(root)
    for name, chance in zip("abcd", (0.9, 0.8, 0.7, 0.2), strict=True):
        said(root, name, chance)
    page = rows.queue_page(ws)
    assert [row.id[0] for row in page.top] == ["a"]
    assert row_module.fold_words(page.folded) == "3 more: 1 likely, 1 maybe, 1 weak"


@pytest.mark.parametrize(
    ("usage", "value"),
    [
        ({}, 0.5),
        ({"heeded": 2, "helpful": 1}, 0.8),
        ({"followed": 2, "helpful": 1}, 0.8),
        ({"ignored": 1, "corrected": 1}, 0.25),
        ({"recurred": 2}, 0.5),
        ({"helpful": 1, "harmful": 1}, 2 / 7),
    ],
)
def test_usefulness_is_what_recalls_led_to(usage: dict[str, int], value: float) -> None:
    found = lesson(usage=Usage.model_validate(usage))
    assert queue.usefulness(found) == pytest.approx(value)


def test_rows_need_no_models(root: str) -> None:
    workspace(root, NO_PIP)
    code = (
        "import sys\n"
        "from learnloop.service import workspace\nfrom learnloop.service.lessons import rows\n"
        "ws = workspace.open_workspace()\n"
        "print(len(rows.rows(ws)), len(rows.queue_page(ws).folded), 'pydantic' in sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "1 0 False\n"


def test_the_first_look_agrees_with_the_settings(root: str, monkeypatch: pytest.MonkeyPatch) -> None:
    ws = open_workspace(root)
    assert rows.list_settings(ws) == rows.ListSettings(ws.settings.queue_size, ws.settings.theme)
    monkeypatch.setenv("LEARNLOOP_QUEUE_SIZE", "7")
    assert rows.list_settings(open_workspace(root)).queue_size == 7
    monkeypatch.delenv("LEARNLOOP_QUEUE_SIZE")
    Path(root).mkdir()
    Path(root, "config.toml").write_text('theme = "nord"\n')
    assert rows.list_settings(open_workspace(root)) == rows.ListSettings(theme="nord")

"""The demo: lively, the same at every run, made through the real path."""

import re
from pathlib import Path

import pytest

from learnloop.demo import demo_store
from learnloop.service.experiments import reports
from learnloop.service.health import doctor
from learnloop.service.history import sentences
from learnloop.service.lessons import queue, rows
from learnloop.service.sessions import live_sessions, sessions
from learnloop.service.workspace import Workspace, open_workspace
from tests.demo_stores import NOW_MS, DemoStores


@pytest.fixture
def ws(root: str, demo_stores: DemoStores) -> Workspace:
    demo_stores.copy(root, NOW_MS)
    return open_workspace(root)


def test_every_kind_of_row_is_there(ws: Workspace) -> None:
    drafts = rows.rows(ws)
    assert len(drafts) >= 25
    assert any(row.needs_words for row in drafts)
    assert any(row.trust == "external" for row in drafts)
    assert {row.seen for row in drafts} >= {1, 2, 3}
    assert max(row.strength for row in drafts) - min(row.strength for row in drafts) >= 30
    active = rows.rows(ws, "active")
    assert len(active) >= 10
    assert sum(row.recalled > 0 for row in active) >= 5
    assert any(row.paused for row in active)
    assert {row.scope for row in active} == {"global", "project"}
    assert rows.rows(ws, "archived")
    assert any(lesson.held_back for lesson in queue.listing(ws, "rejected"))


def test_sessions_of_this_hour_are_at_work_and_show_what_became_of_lessons(ws: Workspace) -> None:
    found = live_sessions.sessions(ws, NOW_MS)
    phases = {live_sessions.phase(one, NOW_MS) for one in found}
    assert phases >= {"waiting", "tool", "working", "idle", "interrupted", "finished"}
    (tree,) = (one for one in found if live_sessions.phase(one, NOW_MS) == "tool")
    reviewer, tester = tree.subagents
    assert (reviewer.parent, tester.parent) == ("", reviewer.id)
    (heard,) = (one for one in found if one.task == "Now document it")
    told = live_sessions.story(ws, heard.id, heard.started_ms, heard.last_ms)
    assert told.feedback == {"correction": 1, "explicit_preference": 1}
    assert all(lesson.became.startswith("open here; in all told ") for lesson in told.recalled)
    assert any(re.fullmatch(r"correction \d\d\b.*", entry.heard) for entry in told.entries)


def test_one_experiment_is_known_and_one_has_just_begun(ws: Workspace) -> None:
    begun, known = reports.reports(ws)
    assert (begun.experiment.state, known.experiment.state) == ("running", "running")
    assert begun.comparisons[0].difference is None
    assert all(variant.moments for variant in begun.variants)
    assert known.known.startswith("fewer: ")


@pytest.mark.slow
def test_two_runs_are_the_same(ws: Workspace, tmp_path: Path) -> None:
    other = str(tmp_path / "other")
    demo_store.seed(other, now_ms=NOW_MS)
    again = open_workspace(other)
    assert queue.listing(again) == queue.listing(ws)
    assert sessions.turns(again, limit=500) == sessions.turns(ws, limit=500)
    assert _told(again) == _told(ws)


def _told(ws: Workspace) -> list[tuple[str, str, str]]:
    """The verdicts; those about prompt files name the folder that a demo lives in, which is left out."""
    return [(entry["id"], entry["ts"], entry["sentence"]) for entry in sentences.history(ws)]


def test_nothing_of_it_is_open_to_others(ws: Workspace) -> None:
    (folder,) = (check for check in doctor.examine(ws) if check.name == "folder")
    assert (folder.level, folder.message) == ("ok", ws.root)

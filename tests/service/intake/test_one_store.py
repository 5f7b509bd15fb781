"""Backfill of a host that keeps the sessions of all projects in one file."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from learnloop.service.intake import backfill, transcript_files
from learnloop.service.setup import settings_file
from learnloop.service.workspace import Workspace
from learnloop.store.store import Store


@pytest.fixture
def opencode(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A store with a session in each of two projects, and a third in one of them."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    path = tmp_path / "opencode" / "opencode.db"
    path.parent.mkdir()
    with closing(sqlite3.connect(path)) as store, store:
        store.execute("CREATE TABLE session (id, parent_id, directory, time_created)")
        store.execute("CREATE TABLE message (id, session_id, time_created, data)")
        store.execute("CREATE TABLE part (id, message_id, time_created, data)")
        for at, project in enumerate(("shop", "till", "shop")):
            ms, part = 1_790_000_000_000 + at, {"type": "text", "text": f"sell {project} {at}"}
            folder = tmp_path / project
            folder.mkdir(exist_ok=True)
            store.execute("INSERT INTO session VALUES (?, NULL, ?, ?)", [f"s{at}", str(folder), ms])
            store.execute(
                "INSERT INTO message VALUES (?, ?, ?, ?)", [f"m{at}", f"s{at}", ms, '{"role": "user"}']
            )
            store.execute("INSERT INTO part VALUES (?, ?, ?, ?)", [f"p{at}", f"m{at}", ms, json.dumps(part)])
    return path


def prompts(ws: Workspace) -> dict[str, str]:
    """The project of each prompt in the store."""
    return {turn.prompt: Path(turn.project).name for turn in Store(ws.root).turns()}


def test_each_session_belongs_to_the_project_that_it_began_in(ws: Workspace, opencode: Path) -> None:
    report = backfill.backfill(ws, [str(opencode)])
    assert (report.sessions, report.unreadable) == (3, ())
    assert prompts(ws) == {"sell shop 0": "shop", "sell till 1": "till", "sell shop 2": "shop"}
    assert backfill.backfill(ws, [str(opencode)]).events == 0


def test_a_project_names_its_own_sessions_alone(ws: Workspace, opencode: Path, tmp_path: Path) -> None:
    listed = {Path(each.project).name: each.sessions for each in transcript_files.projects()}
    assert listed == {"shop": 2, "till": 1}
    backfill.backfill(ws, [str(tmp_path / "shop")])
    assert set(prompts(ws).values()) == {"shop"}


def test_sessions_of_a_project_that_is_off_are_left_out(
    ws: Workspace, opencode: Path, tmp_path: Path
) -> None:
    settings_file.switch(ws, on=False, project=str(tmp_path / "shop"))
    report = backfill.backfill(ws, [str(opencode)])
    assert (report.sessions, report.switched_off) == (1, 2)
    assert prompts(ws) == {"sell till 1": "till"}

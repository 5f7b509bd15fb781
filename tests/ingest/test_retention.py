"""Retention: what was recorded goes after its time, wherever it is kept, whatever the clock did."""

import os
from pathlib import Path
from typing import Any

import pytest

from learnloop.cli.main import main
from learnloop.ingest import background, retention
from learnloop.service.workspace import open_workspace
from learnloop.store import segments
from learnloop.store.document_table import KINDS, VIEWS
from learnloop.store.store import Store
from learnloop.wire import clock, paths
from tests.ingest.session_scene import Scene, write

DAY_MS = 86_400_000
WORDS = "never use evalquux"


@pytest.fixture
def years(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Sets the clock of the program, by days from now."""
    now_ms = clock.now_ms

    def after(days: int) -> None:
        monkeypatch.setattr(clock, "now_ms", lambda: now_ms() + days * DAY_MS)

    return after


def recorded(root: str, days_ago: int, session: str = "s1") -> None:
    events = Scene(session).corrected(WORDS).events
    shift = clock.now_ms() - days_ago * DAY_MS - clock.parse_ms(events[0]["ts"])
    for event in events:
        event["ts"] = clock.iso(clock.parse_ms(event["ts"]) + shift)
    write(root, type("Shifted", (), {"events": events})())


def holding(root: str, *folders: str) -> list[str]:
    files = [path for folder in folders for path in Path(root, folder).rglob("*") if path.is_file()]
    return sorted(str(path.relative_to(root)) for path in files if b"evalquux" in path.read_bytes())


@pytest.mark.parametrize("days", [100, 400])
def test_prompts_go_with_their_time(root: str, years: Any, days: int) -> None:
    recorded(root, 0)
    background.run(root)
    assert [bool(docs) for docs in (Store(root).turns(), Store(root).feedback())] == [True, True]
    years(days)
    recorded(root, 0, "s2")
    background.run(root)
    sessions = {turn.session_id for turn in Store(root).turns()}
    assert sessions == {feedback.session_id for feedback in Store(root).feedback()} == {"s2"}
    assert [session.id for session in Store(root).sessions()] == ["s2"]
    assert [view["id"] for view in Store(root).all_documents(VIEWS)] == ["claude/s2"]


def test_nothing_goes_before_its_time(root: str, years: Any) -> None:
    recorded(root, 0)
    background.run(root)
    years(89)
    background.run(root)
    assert len(Store(root).sessions()) == 1
    assert Store(root).turns()


def test_a_session_that_goes_on_stays(root: str, years: Any) -> None:
    recorded(root, 0)
    background.run(root)
    years(80)
    recorded(root, 0)
    background.run(root)
    years(120)
    background.run(root)
    assert [session.id for session in Store(root).sessions()] == ["s1"]


def test_nothing_is_left_where_nothing_new_comes(root: str, years: Any) -> None:
    recorded(root, 0)
    background.run(root)
    years(100)
    background.run(root)
    assert not any(Store(root).documents(kind) for kind in KINDS)
    assert holding(root, "store/history.db", "store/state.json") == []


def test_what_was_set_aside_and_logged_goes_too(root: str, years: Any) -> None:
    for name in ("quarantine/x~1~odd", "log/background.log", "backups/store/lessons-0000000000001.json"):
        Path(root, name).parent.mkdir(parents=True, exist_ok=True)
        Path(root, name).write_text(WORDS)
    for name in ("backups/store/lessons-9000000000000.json",):
        Path(root, name).write_text("newest")
    years(100)
    background.run(root)
    assert holding(root, "quarantine", "log", "backups") == []
    assert Path(root, "backups/store/lessons-9000000000000.json").exists()


def test_learn_ingest_prunes_too(root: str, years: Any) -> None:
    recorded(root, 0)
    background.run(root)
    years(100)
    assert main(["ingest"]) == 0
    assert Store(root).turns() == []


def test_a_clock_that_was_ahead_keeps_nothing_for_ever(root: str, years: Any) -> None:
    years(36_500)
    recorded(root, 0, "ahead")
    background.run(root)
    for path in Path(paths.events(root)).iterdir():
        os.utime(path, ((clock.now_ms() / 1000),) * 2)
    years(0)
    for number in range(3):
        recorded(root, 0, f"s{number}")
        background.run(root)
    assert all(segments.fold_ms(name) > clock.now_ms() for name in segments.names(root))
    years(100)
    recorded(root, 0, "last")
    background.run(root)
    background.run(root)
    assert len(segments.names(root)) == 1


def test_a_clock_that_was_behind_loses_nothing(root: str, years: Any) -> None:
    recorded(root, 0)
    background.run(root)
    years(-400)
    recorded(root, 0, "s2")
    background.run(root)
    years(0)
    assert len(segments.names(root)) == 2
    background.run(root)
    assert len(segments.names(root)) == 2


def test_the_settings_say_how_long(root: str, years: Any) -> None:
    recorded(root, 0)
    Path(paths.config_file()).write_text("retention_days = 10\n")
    background.run(root)
    years(11)
    retention.retire(root)
    assert Store(root).turns() == []
    assert open_workspace(root).settings.retention_days == 10

"""How the reading stands, in words; its runs in sessions, lessons and the live line."""

from pathlib import Path

import pytest

from learnloop.service.facts import asking, listing
from learnloop.service.facts.reading_status import reading_status
from learnloop.service.health import doctor, health_report
from learnloop.service.sessions import live_sessions
from learnloop.service.workspace import Workspace, open_workspace
from learnloop.wire import paths
from learnloop_tui.view import event_words, health_lines
from learnloop_tui.view.state import Pulse
from learnloop_tui.view.text import Line
from tests.distill.model_scene import FakeModel, allow
from tests.fact_scene import IMPLIED, PROJECT, read_session, say


@pytest.fixture
def read(ws: Workspace) -> Workspace:
    """A store in which one fact became a draft, by hand."""
    read_session(ws)
    return ws


def _texts(lines: list[Line]) -> str:
    return "\n".join("".join(piece for piece, _ in line) for line in lines)


def _health(ws: Workspace) -> list[Line]:
    pulse = Pulse(health_report.health_report(ws), hooked=True)
    return health_lines.health(pulse, (), 100, 0, technical=True)


def test_the_figures_of_today_stand_against_the_limits(
    ws: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = FakeModel(tmp_path / "model", monkeypatch)
    allow(ws.root)
    say(ws.root, IMPLIED)
    model.answers("nonsense")
    asking.run_now(open_workspace(ws.root))
    ws = open_workspace(ws.root)
    status = reading_status(ws)
    assert (status.calls, status.unpriced, status.last_error) == (1, 1, "the answer is words instead of JSON")
    assert status.words.startswith("draft in 1 project · today 1 of 60 calls, ")
    assert "$0.00 of $0.50 and 1 of unknown cost" in status.words
    page = _health(ws)
    assert "A model reads along" in _texts(page)
    assert PROJECT in _texts(page)
    Path(ws.root, "facts").mkdir(exist_ok=True)
    Path(ws.root, "facts", "paused").touch()
    assert reading_status(ws).rests == "it is paused: learn facts run goes on"
    checks = [check for check in doctor.examine(ws) if check.name == "reading along"]
    assert [check.level for check in checks] == ["warn", "warn", "ok"]


def test_the_story_of_a_session_has_a_line_for_each_run(read: Workspace) -> None:
    entries = live_sessions.story(read, "s1").entries
    lines = [entry.words for entry in entries if entry.kind == "read"]
    heads = [line.partition(" · ")[0] for line in lines]
    assert heads == ["read 1 prompt"]
    assert all(line.endswith("cost unknown · 1 fact") for line in lines)
    record = {"kind": "facts", "payload": {"run": listing.runs(read)[0].as_json(), "facts": []}}
    assert event_words.happening(record).words == lines[0]
    assert event_words.happening({"kind": "facts", "payload": {"run": {"ms": "x"}}}).words == ""


def test_settings_that_cannot_be_read_allow_nothing_and_break_no_page(ws: Workspace) -> None:
    file = Path(paths.config_file())
    file.parent.mkdir(parents=True)
    file.write_text("[facts]\nmode = 7\n")
    assert reading_status(ws).words == "off"
    assert not asking.start(ws)
    assert health_report.health_report(ws).reading.words == "off"

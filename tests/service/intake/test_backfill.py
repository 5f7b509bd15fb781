"""Backfill: old sessions through the same path, once, without what hooks recorded."""

import json
from pathlib import Path

import pytest

from learnloop.errors import Refused, Unreadable
from learnloop.service import workspace
from learnloop.service.intake import backfill
from learnloop.service.lessons import rows
from learnloop.service.setup import settings_file
from learnloop.service.workspace import Workspace
from learnloop.store import segments
from learnloop.store.store import Store
from learnloop.wire import journal, payloads
from tests.ingest.client_transcript import Transcript


@pytest.fixture
def projects(root: str, tmp_path: Path) -> Path:
    """Where the client keeps its transcripts."""
    return tmp_path / "user" / ".claude" / "projects"


def session(name: str = "s1", cwd: str = "/code/shop") -> Transcript:
    made = Transcript(name, cwd).prompt("write a test", promptId=f"{name}-1")
    made.calls_tool("Write", {"file_path": f"{cwd}/test_a.py"}).says("Wrote it.")
    return made.prompt("No, that's wrong, use pytest", promptId=f"{name}-2")


def test_an_old_correction_becomes_a_draft(ws: Workspace, projects: Path) -> None:
    path = session().write(projects / "-code-shop")
    report = backfill.backfill(ws, [str(path)])
    (lesson,) = Store(ws.root).lessons()

    assert (report.sessions, report.events, report.drafts) == (1, 5, 1)
    assert lesson.statement == "Use pytest."
    assert lesson.evidence[0].ts.startswith("2026-01-31")
    assert lesson.evidence[0].transcript_path == str(path)
    assert lesson.evidence[0].backfilled
    assert [row.backfilled for row in rows.rows(ws)] == [True]
    assert str(report) == "5 events of 1 session added, 0 known already; 1 new draft"


def test_a_second_run_adds_nothing(ws: Workspace, projects: Path) -> None:
    path = str(session().write(projects / "-code-shop"))
    backfill.backfill(ws, [path])
    before = [lesson.as_json() for lesson in Store(ws.root).lessons()]
    report = backfill.backfill(ws, [path])

    assert (report.events, report.skipped) == (0, 5)
    assert [lesson.as_json() for lesson in Store(ws.root).lessons()] == before


def test_a_session_that_went_on_adds_what_is_new(ws: Workspace, projects: Path) -> None:
    made = session()
    path = str(made.write(projects / "-code-shop"))
    backfill.backfill(ws, [path])
    made.says("Used it.").prompt("thanks").write(projects / "-code-shop")

    assert backfill.backfill(ws, [path]).events == 2
    assert [turn.prompt for turn in Store(ws.root).turns()] == [
        "thanks",
        "No, that's wrong, use pytest",
        "write a test",
    ]


def _hooked(ws: Workspace, made: Transcript, since: int) -> None:
    """What hooks record of a session from one of its lines on."""
    for line in made.lines[since:]:
        words = line["message"]["content"]
        if line["type"] == "user" and isinstance(words, str):
            payload = {
                "hook_event_name": "UserPromptSubmit",
                "session_id": made.session,
                "prompt": words,
                "cwd": made.cwd,
            }
            context = payloads.HookContext(made.cwd, (), transcripts_ms(line))
            assert journal.append(ws.root, payloads.records("claude", payload, context))


def transcripts_ms(line: dict[str, object]) -> int:
    from learnloop.hosts import transcript_lines

    ms = transcript_lines.millis(line)
    assert ms is not None
    return ms


def test_what_hooks_recorded_is_skipped(ws: Workspace, projects: Path) -> None:
    made = session()
    path = str(made.write(projects / "-code-shop"))
    _hooked(ws, made, 0)

    assert backfill.backfill(ws, [path]).events == 0
    assert len([turn for turn in Store(ws.root).turns() if turn.prompt == "write a test"]) == 1


def test_the_time_before_hooks_were_installed_is_learned_from(ws: Workspace, projects: Path) -> None:
    made = session().says("Used it.").prompt("and now the docs", promptId="s1-3")
    path = str(made.write(projects / "-code-shop"))
    _hooked(ws, made, len(made.lines) - 1)
    workspace.ingest(ws)
    report = backfill.backfill(ws, [path])

    assert report.drafts == 1
    assert len(Store(ws.root).sessions()) == 1
    assert sorted(turn.prompt for turn in Store(ws.root).turns()) == [
        "No, that's wrong, use pytest",
        "and now the docs",
        "write a test",
    ]


def test_a_file_that_is_no_transcript_is_refused_and_nothing_changed(
    ws: Workspace, projects: Path, tmp_path: Path
) -> None:
    good = str(session().write(projects / "-code-shop"))
    foreign = tmp_path / "notes.jsonl"
    foreign.write_text(json.dumps({"hello": 1}) + "\n")

    with pytest.raises(Unreadable, match="is no transcript"):
        backfill.backfill(ws, [good, str(foreign)])
    assert Store(ws.root).sessions() == []
    assert segments.names(ws.root) == []


@pytest.mark.parametrize("name", ["own", "off"])
def test_a_project_that_is_off_is_not_read(ws: Workspace, projects: Path, tmp_path: Path, name: str) -> None:
    shop = tmp_path / "shop"
    (shop / ".learnloop").mkdir(parents=True)
    if name == "own":
        settings_file.switch(ws, on=False, project=str(shop))
    else:
        (shop / ".learnloop" / name).touch()
    off = session(cwd=f"{shop}/src").write(projects / "shop")
    on = session("s2").write(projects / "other")
    (shop / "src").mkdir()
    (shop / ".git").mkdir()
    report = backfill.backfill(ws, [str(off), str(on)])
    assert (report.sessions, report.switched_off) == (1, 1)
    assert "1 session of projects that are switched off was left out" in str(report)
    assert {turn.project for turn in Store(ws.root).turns()} == {"/code/shop"}


SILENT = [{"disableAllHooks": True}, {"disableAllHooks": "yes"}, {"env": {"LEARNLOOP_DISABLE": "1"}},
          {"env": {"LEARNLOOP_RECORD": "0"}}, {"env": {"LEARNLOOP_HOME": "/elsewhere"}}]  # fmt: skip


@pytest.mark.parametrize("settings", SILENT)
@pytest.mark.parametrize(
    "name", ["shop/.claude/settings.json", "shop/.claude/settings.local.json", "user/.claude/settings.json"]
)
def test_a_client_whose_settings_silence_hooks_is_not_read_without_a_word(
    ws: Workspace, projects: Path, tmp_path: Path, settings: dict[str, object], name: str
) -> None:
    """Also where the session began in a part of the project, through a link."""
    shop = tmp_path / "shop"
    (shop / "src").mkdir(parents=True)
    (shop / ".git").mkdir()
    (tmp_path / "link").symlink_to(shop)
    path = session(cwd=f"{tmp_path}/link/src").write(projects / "shop")
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text(json.dumps(settings))
    report = backfill.backfill(ws, [str(path)])
    assert (report.sessions, report.silenced) == (0, 1)
    assert str(tmp_path / name) in str(report)
    assert "learn backfill --despite-settings reads such sessions" in str(report)
    assert Store(ws.root).turns() == []
    assert backfill.backfill(ws, [str(path)], despite_settings=True).sessions == 1


def test_no_word_reads_what_is_switched_off(ws: Workspace, projects: Path, tmp_path: Path) -> None:
    path = session(cwd=str(tmp_path)).write(projects / "shop")
    settings_file.switch(ws, on=False, project=str(tmp_path))
    assert backfill.backfill(ws, [str(path)], despite_settings=True).switched_off == 1


@pytest.mark.parametrize("how", ["off", "record", "enabled", "LEARNLOOP_DISABLE"])
def test_nothing_is_read_while_nothing_may_be_recorded(
    ws: Workspace, projects: Path, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    path = session().write(projects / "-code-shop")
    if how == "off":
        settings_file.switch(ws, on=False)
    elif how.isupper():
        monkeypatch.setenv(how, "1")
    else:
        settings_file.set_(how, "false")
    with pytest.raises(Refused, match="off"):
        backfill.backfill(ws, [str(path)])
    assert not segments.names(ws.root)

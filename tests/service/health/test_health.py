"""Health and doctor: what arrives, how long hooks take, what is wrong and what to do about it."""

import os
import subprocess
from pathlib import Path

import pytest

from learnloop.hosts import deploy
from learnloop.service.health import doctor, health_report, quick_status, recall_cost
from learnloop.service.health.check import Check
from learnloop.service.health.recall_cost import RecallCost
from learnloop.service.intake import analysis
from learnloop.service.lessons import rows
from learnloop.service.review import verdicts
from learnloop.service.sessions import recent_events
from learnloop.service.setup import settings_file
from learnloop.service.workspace import Workspace, ingest, open_workspace
from learnloop.store import segments
from learnloop.store.store import Store
from learnloop.wire import clock, event, journal, paths
from tests.store.small_stores import workspace

NO_PIP = "no, use uv instead of pip"


def _record(
    kind: str, ms: int | None = None, hook_ms: float | None = None, **payload: object
) -> dict[str, object]:
    return event.record(
        kind,
        host="claude",
        session_id="s",
        cwd="/p",
        project="/p",
        payload=payload,
        ts_ms=ms,
        hook_ms=hook_ms,
    )


def _check(ws: Workspace, name: str, *, fix: bool = False) -> Check:
    found = [check for check in doctor.examine(ws, fix=fix) if check.name == name]
    return max(found, key=lambda check: ("ok", "warn", "fail").index(check.level))


def test_hook_times_come_by_event(root: str) -> None:
    ws = open_workspace(root)
    journal.append(root, [_record("prompt", hook_ms=float(number), prompt="x") for number in range(1, 101)])
    ingest(ws)
    journal.append(
        root, [_record("turn_end", hook_ms=9.5, message="", background=[]), _record("tool_end", tool="Read")]
    )
    by_name = {times.event: times for times in health_report.health_report(ws).hooks}
    assert (by_name["UserPromptSubmit"].count, by_name["UserPromptSubmit"].p50_ms) == (100, 51.0)
    assert by_name["UserPromptSubmit"].p95_ms == 96.0
    assert by_name["Stop"].p50_ms == 9.5
    assert by_name["PostToolBatch"].p50_ms is None


def test_the_last_capture_is_of_a_hook(root: str) -> None:
    ws = workspace(root, NO_PIP)
    before = health_report.health_report(ws).last_capture
    verdicts.promote(ws, rows.rows(ws)[0].id)
    assert health_report.health_report(ws).last_capture == before == recent_events.last_capture(root)
    assert before is not None
    assert (
        quick_status.status_line(health_report.health_report(ws).figures(), clock.parse_ms(before) + 125_000)
        == "Last capture 2 min ago."
    )


def test_the_last_capture_is_known_while_the_journal_is_folded(root: str) -> None:
    journal.append(root, [_record("prompt", prompt="hello")])
    before = recent_events.last_capture(root)
    Path(paths.journal(root)).rename(Path(root, f"journal.0-000000{segments.FOLD_SUFFIX}"))
    assert before is not None
    assert recent_events.last_capture(root) == before


def test_old_sessions_are_not_captured_now(root: str) -> None:
    ws = open_workspace(root)
    learned = {**_record("prompt", prompt="x"), "source": "transcript"}
    journal.append(root, [learned])
    assert health_report.health_report(ws).last_capture is None
    ingest(ws)
    assert health_report.health_report(ws).last_capture is None
    live = _record("prompt", clock.now_ms() - 1000, prompt="x")
    journal.append(root, [live])
    ingest(ws)
    bulk = [{**_record("prompt", prompt="x" * 15_000), "source": "transcript"} for _ in range(150)]
    journal.append(root, bulk)
    assert health_report.health_report(ws).last_capture == live["ts"]


def test_hook_errors_of_a_week_are_reported_and_grouped(root: str) -> None:
    ws = open_workspace(root)
    now = clock.now_ms()
    broken = "ValueError: not a JSON object"
    journal.append(
        root, [_record("hook_error", now - 8 * 86_400_000, event="Stop", error="long ago", bytes=1)]
    )
    journal.append(
        root, [_record("hook_error", now - age, event="Stop", error=broken, bytes=2) for age in (2, 1)]
    )
    for _ in range(2):  # in the journal, then in a segment
        found = recent_events.hook_errors(root)
        assert [one.error for one in found] == [broken] * 2
        assert len(recent_events.group_errors(found)) == 1
        figures = health_report.health_report(ws).figures()
        assert "2 hook errors in 7 days" in quick_status.status_line(figures)
        check = _check(ws, "hook errors")
        assert check.level == "warn"
        assert f"Stop: {broken} (2×" in check.message
        ingest(ws)


def test_the_doctor_reports_what_a_real_hook_could_not_use(root: str) -> None:
    ws = open_workspace(root)
    deploy.ensure(root)
    for data in (b"", b"[]", b"\xff\xfe", b'{"hook_event_name": "Stop"', b'{"hook_event_name": "Later"}'):
        run = subprocess.run(
            deploy.command(root, "claude"),
            shell=True,
            input=data,
            capture_output=True,
            check=True,
            timeout=30,
        )
        assert (run.stdout, run.stderr) == (b"", b"")
    messages = [check.message for check in doctor.examine(ws) if check.name == "hook errors"]
    assert len(messages) >= 3
    assert any("standard input" in message for message in messages)


def test_an_index_behind_the_store_is_reported(root: str) -> None:
    ws = workspace(root, NO_PIP)
    verdicts.promote(ws, rows.rows(ws)[0].id)
    assert _check(ws, "index").level == "ok"
    with Store(root).transaction() as tx:
        tx.table("lessons").put("another", {"id": "another", "status": "archived", "statement": "Tabs."})
    assert health_report.health_report(ws).index_current, "it may be about to be published"
    later = health_report.health_report(ws, clock.now_ms() + 60_000)
    assert not later.index_current
    assert "earlier state" in quick_status.status_line(later.figures())


@pytest.mark.parametrize(
    ("said", "level"),
    [("2.1.240 (Claude Code)", "ok"), ("no version", "warn")],
)
def test_old_clients_are_reported(
    root: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, said: str, level: str
) -> None:
    client = tmp_path / "bin" / "claude"
    client.parent.mkdir()
    client.write_text(f"#!/bin/sh\necho ${{LEARNLOOP_NESTED:?}} >&2\necho '{said}'\n")
    client.chmod(0o755)
    monkeypatch.setenv("PATH", f"{client.parent}:{os.environ['PATH']}")
    assert _check(open_workspace(root), "client").level == level


def test_what_agents_were_told_is_counted_by_session_and_day(root: str) -> None:
    ws = open_workspace(root)
    assert health_report.health_report(ws).recall_cost.words == "nothing was told yet"
    told = [{"id": "abcdefgh", "score": 90}]
    day = 86_400_000
    start = clock.now_ms() - 3 * day
    recalls = [
        _record("recall", start, moment="start", lessons=told, chars=401),
        _record("recall", start + 1000, moment="tool", tool="Bash", lessons=told, chars=99, stop=True),
        {**_record("recall", start + day, moment="start", lessons=told, chars=80), "session_id": "t"},
        {**_record("recall", start + day + 1, moment="start", lessons=told), "session_id": "t"},
    ]
    for receipt in recalls:
        journal.append(root, [receipt])
        ingest(ws)
    cost = health_report.health_report(ws).recall_cost
    assert cost == RecallCost(days=2, sessions=2, times=4, tokens=146, stopped=1)
    assert cost.words == "about 73 tokens a session, 73 a day, 1 call stopped"
    assert recall_cost.of_store(root) == cost
    with Store(root).transaction() as tx:
        for at, doc in Store(root).documents("health").items():
            tx.table("health").put(at, {name: part for name, part in doc.items() if name != "told"})
    analysis.analyze_all(ws)
    assert health_report.health_report(ws).recall_cost == cost, (
        "an older store counts it when history is read"
    )


def test_settings_count_once_they_are_published(root: str) -> None:
    ws = workspace(root, NO_PIP)
    settings_file.set_("recall", "false")
    ingest(ws)
    assert not health_report.health_report(ws).recalling
    assert _check(ws, "switches").level == "warn"
    settings_file.unset("recall")
    ingest(ws)
    assert health_report.health_report(ws).recalling


def test_switches_are_reported(root: str) -> None:
    ws = workspace(root, NO_PIP)
    Path(paths.recall_off_switch(root)).touch()
    assert _check(ws, "switches").level == "warn"
    assert "recall is switched off" in quick_status.status_line(health_report.health_report(ws).figures())
    Path(paths.off_switch(root)).touch()
    assert "Recording is switched off" in quick_status.status_line(health_report.health_report(ws).figures())

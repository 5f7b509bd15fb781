"""The health pane, the status line and the first run, on a bridge without a store."""

import asyncio
from functools import partial
from pathlib import Path

import pytest
from textual.widgets import SelectionList

from learnloop.service import hosts
from learnloop.service.health import doctor
from learnloop.service.health.check import Check
from learnloop.service.health.health_report import Health
from learnloop.service.health.missed_recalls import MissedRecall
from learnloop.service.health.recall_cost import RecallCost
from learnloop.service.sessions.recent_events import HookTimes
from learnloop.service.workspace import open_workspace
from learnloop.wire import clock
from learnloop_tui.bridge import machine_queries
from learnloop_tui.dialogs.choice import TickScreen
from learnloop_tui.dialogs.page import InstallScreen
from learnloop_tui.panes.health import HealthPane
from learnloop_tui.panes.welcome import WelcomePane
from learnloop_tui.view.state import Happening, Pulse, TranscriptChoice
from tests.tui.fakes import NOW_MS, Console, FakeBridge, console, lesson
from tests.tui.person import at


async def _health(seen: Console) -> HealthPane:
    await seen.press("6")
    await seen.until(lambda: seen.app.main.pane.PLACE == "health")
    pane = seen.app.main.pane
    assert isinstance(pane, HealthPane)
    return pane


def _says(pane: HealthPane, words: str) -> bool:
    return words in pane.plain


async def test_health_shows_figures_and_what_the_doctor_says() -> None:
    bridge = FakeBridge(lesson(1))
    times = HookTimes(event="UserPromptSubmit", count=1234, p50_ms=1.25, p95_ms=3.5, errors=2)
    bridge.health = Health(
        last_capture="2023-11-14T22:10:00.000Z", hooks=(times,), journal_lines=5, spool_files=3,
        recall_cost=RecallCost(days=2, sessions=4, times=9, tokens=800, stopped=2, judged=6, heeded=4),
    )  # fmt: skip
    bridge.examined = [Check(name="index", level="fail", message="is [/old]", hint="run learn ingest")]
    async with console(bridge) as seen:
        pane = await _health(seen)
        await seen.until(lambda: "✗ Not working: is [/old]" in pane.plain)
        assert "3 files waiting" not in pane.plain
        await seen.press("d")
        for words in (
            "UserPromptSubmit",
            "1,234",
            "1.2 ms",
            "3.5 ms",
            "→ run learn ingest",
            "3 files waiting",
            "about 200 tokens a session, 400 a day, 2 calls stopped",
            "4 of 6 judged recalls heeded (67 %)",
        ):
            assert words in pane.plain
        await seen.press("a")
        await seen.until(lambda: (True,) in bridge.asked(doctor.examine) and "is [/old]" not in pane.plain)


async def test_health_answers_in_its_first_line() -> None:
    bridge = FakeBridge(lesson(1))
    times = HookTimes(event="PreToolUse", count=9, p50_ms=17.2, p95_ms=30.0, errors=0)
    bridge.health = Health(last_capture="2023-11-14T22:10:00.000Z", hooks=(times,), active=8)
    async with console(bridge, size=(100, 30)) as seen:
        pane = await _health(seen)
        facts = "3 min ago; hooks take 17 ms; 8 lessons are in use."
        await seen.until(lambda: f"✓ Working. Last event recorded {facts}" in " ".join(pane.plain.split()))
        bridge.health = bridge.health.with_(
            last_capture="2023-11-14T22:13:00.000Z", last_correction="2023-11-14T22:10:00.000Z"
        )
        await seen.press("ctrl+r")
        await seen.until(lambda: f"✓ Working. Last correction heard {facts}" in " ".join(pane.plain.split()))
        assert seen.details.count <= seen.details.page
        for hooked, captured, words in (
            (False, None, "Not connected: i installs the hooks."),
            (True, None, "Hooks are in. Waiting for your first prompt."),
        ):
            bridge.hooked, bridge.health = hooked, Health(last_capture=captured)
            await seen.press("ctrl+r")
            await seen.until(partial(_says, pane, words))


async def test_the_status_line_shows_the_newest_capture_wherever_it_was_read() -> None:
    at_4_min, at_3_min = NOW_MS - 245_000, NOW_MS - 215_000
    pulse = Pulse(Health(last_capture=clock.iso(at_3_min)), hooked=True)
    for happened, kind in ((at_4_min, "tool_start"), (at_3_min, "tool_start"), (NOW_MS, "decision")):
        words, _ = machine_queries.status(pulse, Happening(happened, kind, "shop", ""), NOW_MS)
        assert words.startswith("Last capture 3 min ago")
    words, _ = machine_queries.status(pulse, Happening(NOW_MS, "prompt", "shop", ""), NOW_MS)
    assert words.startswith("Last capture 0 s ago")


async def test_health_shows_which_critical_lessons_stayed_silent() -> None:
    bridge = FakeBridge(lesson(1))
    silent = MissedRecall(short="k3fq", statement="Secrets stay in the vault.", times=2,
                    at="2023-11-14T22:10:00.000Z", file="/code/app.env")  # fmt: skip
    bridge.health = Health(missed_recalls=(silent,))
    async with console(bridge) as seen:
        pane = await _health(seen)
        await seen.until(lambda: "k3fq Secrets stay" in pane.plain)
        for words in ("not recalled 2 times", "/code/app.env"):
            assert words in pane.plain


async def test_an_event_is_on_the_live_line_at_once() -> None:
    bridge = FakeBridge(lesson(1))
    async with console(bridge) as seen:
        assert "no events yet" in seen.bar("live")
        bridge.news = [Happening(NOW_MS, "prompt", "shop", "“use [/x] \x1b[31muv”")]
        bridge.written.put_nowait(False)
        await seen.until(lambda: "❯ prompt shop “use [/x]" in seen.bar("live"))


def _empty() -> FakeBridge:
    bridge = FakeBridge()
    bridge.hooked, bridge.health = False, Health()
    return bridge


async def _welcome(seen: Console) -> WelcomePane:
    await seen.until(lambda: seen.app.main.pane.PLACE == "welcome" and seen.page)
    pane = seen.app.main.pane
    assert isinstance(pane, WelcomePane)
    return pane


async def test_first_run_installs_after_showing_the_change_and_waits_for_a_prompt() -> None:
    bridge = _empty()
    async with console(bridge) as seen:
        pane = await _welcome(seen)
        assert "the agents on this machine" in " ".join(pane.page_view.plain.split())
        await seen.press("i")
        await seen.until(lambda: isinstance(seen.app.screen, InstallScreen))
        assert bridge.asked(machine_queries.install) == [(("claude",), True)]
        dialog = seen.app.screen
        assert isinstance(dialog, InstallScreen)
        assert "12 hooks" in dialog.page.plain
        assert "@@" not in dialog.page.plain
        await seen.press("d")
        await seen.until(lambda: "@@ 1 @@" in dialog.page.plain)
        await seen.press("enter")
        await seen.until(lambda: "Waiting for your first prompt" in seen.page)
        assert bridge.asked(machine_queries.install) == [(("claude",), True), (("claude",), False)]
        bridge.news = [Happening(NOW_MS - 2_000, "prompt", "shop", "“hello”")]
        bridge.written.put_nowait(False)
        await seen.until(lambda: "captured 2 s ago ✓  “hello”" in seen.page)


async def test_install_is_for_the_agents_that_are_chosen_and_for_none_after_escape() -> None:
    bridge = _empty()
    bridge.agents = {"claude": "Claude Code", "codex": "Codex", "droid": "Factory droid"}
    async with console(bridge) as seen:
        await _welcome(seen)
        await seen.press("i")
        await seen.until(lambda: isinstance(seen.app.screen, TickScreen))
        await seen.press("escape")
        await seen.until(lambda: seen.app.screen is seen.app.main)
        assert not bridge.asked(machine_queries.install)
        await seen.press("i")
        await seen.until(lambda: isinstance(seen.app.screen, TickScreen))
        await seen.press("j", "space", "enter")
        await seen.until(lambda: isinstance(seen.app.screen, InstallScreen))
        await seen.press("enter")
        await seen.until(lambda: "Waiting for your first prompt" in seen.page)
        asked = [agents for agents, _ in bridge.asked(machine_queries.install)]
        assert asked == [("claude", "droid")] * 2


def test_the_agents_of_this_machine_are_installed_for_as_one_change(
    root: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    ws = open_workspace(root)
    assert machine_queries.agents(ws) == {"claude": "Claude Code"}
    for folder in (".claude", ".factory"):
        Path.home().joinpath(folder).mkdir()
    agents = machine_queries.agents(ws)
    assert agents == {"claude": "Claude Code", "droid": "Factory droid"}
    plan = machine_queries.install(ws, tuple(agents), dry_run=True)
    assert [line for line in plan.plan if line.startswith("Would add")] == [
        f"Would add {len(hosts.host(name).events)} hooks to {hosts.host(name).path_of('user', None)}:"
        for name in agents
    ]
    assert machine_queries.install(ws, ("droid",), dry_run=False).changed
    again = machine_queries.install(ws, tuple(agents), dry_run=True)
    assert again.changed
    assert ".factory" not in again.diff
    machine_queries.install(ws, ("claude",), dry_run=False)
    assert not machine_queries.install(ws, tuple(agents), dry_run=True).changed


async def test_the_first_run_is_a_menu_that_leads_to_old_sessions() -> None:
    bridge = _empty()
    async with console(bridge) as seen:
        await _welcome(seen)
        assert "▌ i   install hooks" in seen.page
        for word in ("i install hooks", "b backfill", "D demo"):
            assert word in seen.bar("keys")
        await seen.press("down", "down", "up")
        assert "▌ b   backfill" in seen.page
        await seen.press("enter")
        await seen.until(lambda: isinstance(seen.app.screen, TickScreen))
        assert seen.app.screen.query_one(SelectionList).option_count == 2
        await seen.press("a", "enter")
        await seen.until(lambda: seen.app.main.pane.PLACE == "triage" and bool(seen.rows))
        [(paths, _)] = bridge.asked(machine_queries.backfill)
        assert list(paths) == ["/t/shop", "/t/blog"]
        assert len(seen.rows) == 21
        assert seen.rows[-1].startswith("5 more: ")


async def test_a_backfill_that_finds_no_way_to_the_sessions_says_why() -> None:
    bridge, asked = _empty(), asyncio.Event()

    async def refused() -> tuple[TranscriptChoice, ...]:
        await asked.wait()
        raise PermissionError("the folder [/x] may not be read")

    bridge.answers[machine_queries.transcripts] = refused
    async with console(bridge) as seen:
        await _welcome(seen)
        await seen.press("b")
        await seen.until(lambda: "Looking for sessions …" in seen.toasts)
        asked.set()
        await seen.until(lambda: "the folder [/x] may not be read" in seen.toasts)


async def test_a_demo_opens_on_the_idea_and_installs_nothing() -> None:
    bridge = FakeBridge(lesson(1))
    bridge.demo = True
    async with console(bridge) as seen:
        await at(seen).sees("You say it once", "any key shows the drafts")
        await seen.press("i")
        await seen.until(lambda: seen.app.screen is seen.app.main)
        await seen.press("i")
        await seen.until(lambda: "This is a demo" in seen.toasts)
        assert not bridge.asked(machine_queries.install)

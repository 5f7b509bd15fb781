"""Pane 3 on real stores: what hook processes write, a long session, hostile words, what vanished."""

import threading
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from learnloop.ingest.run import ingest
from learnloop.learn.sessions.watch import LiveSession
from learnloop.service.lessons import queue
from learnloop.service.sessions import live_sessions
from learnloop.service.sessions.live_sessions import Story
from learnloop.service.workspace import Workspace
from learnloop.wire import clock, event, journal
from learnloop_tui.bridge import ServiceBridge, live_events
from learnloop_tui.panes.sessions import SessionsPane
from tests.hooks.agent import Agent
from tests.tui.fakes import Console, console

HOSTILE = "no, don't use [/pip] \x1b[31m\u202e\x07, use uv"
CALL: dict[str, Any] = {"tool_name": "Bash", "tool_input": {"command": "pytest -q"}, "tool_use_id": "toolu_1"}


def _write(root: str, session: str, *told: tuple[str, int, dict[str, Any]]) -> None:
    """Events of a session, each at a time."""
    assert journal.append(root, [
        event.record(kind, host="claude", session_id=session, cwd="/code/shop", project="/code/shop",
                     payload=payload, ts_ms=ms)
        for kind, ms, payload in told
    ])  # fmt: skip


async def _pane(seen: Console) -> SessionsPane:
    pane = await seen.open(SessionsPane)
    await seen.until(lambda: pane.view.rows)
    return pane


def _shows(seen: Console, sign: str) -> bool:
    return sign in seen.row_list.plain[0]


def _words(pane: SessionsPane) -> list[str]:
    return [item.words for item in pane.story.items]


async def test_what_hook_processes_write_is_followed_from_the_first_prompt_to_the_end(
    root: str, tmp_path: Path
) -> None:
    project = tmp_path / "shop"
    project.mkdir()
    agent = Agent(root, project)
    agent.fire("UserPromptSubmit", prompt="fix the build")
    async with console(ServiceBridge(root), size=(140, 36)) as seen:
        pane = await _pane(seen)
        await seen.until(lambda: "fix the build" in _words(pane))
        assert "● working" in seen.row_list.plain[0]
        fired: tuple[tuple[str, dict[str, Any], str], ...] = (
            ("PreToolUse", CALL, "▶ at a tool"),
            ("Notification", {"notification_type": "permission_prompt", "message": "May I run pytest?"},
             "! asks you"),
            ("PostToolBatch", {"tool_calls": [{**CALL, "tool_response": "ok"}]}, "● working"),
            ("Stop", {"last_assistant_message": "It is green."}, "○ idle"),
            ("SessionEnd", {"reason": "clear"}, "▪ finished"),
        )  # fmt: skip
        for name, fields, sign in fired:
            agent.fire(name, **fields)
            await seen.until(partial(_shows, seen, sign))
        await seen.until(lambda: "is over (clear)" in _words(pane))
        assert _words(pane) == ["fix the build", "May I run pytest?", "pytest -q", "It is green.",
                                "is over (clear)"]  # fmt: skip
        assert pane.story.follows


async def test_a_prompt_becomes_a_draft_in_triage_and_undo_takes_it_back(root: str) -> None:
    now = clock.now_ms()
    _write(root, "s1", ("prompt", now - 9_000, {"prompt": "the ledger keeps amounts in cents"}))
    async with console(ServiceBridge(root), size=(140, 36)) as seen:
        pane = await _pane(seen)
        await seen.until(lambda: pane.story.items)
        await seen.press("enter", "N")
        await seen.until(lambda: "waits in the Inbox" in seen.toasts)
        (made,) = queue.listing(Workspace(root), "draft")
        assert (made.status, made.trust, made.evidence[0].session_id) == ("draft", "user", "s1")
        await seen.press("z")
        await seen.until(lambda: not queue.listing(Workspace(root), "draft"))


async def test_words_from_outside_are_never_control_or_markup(root: str) -> None:
    now = clock.now_ms()
    _write(
        root, "s\x1b]0;1", ("prompt", now - 2_000, {"prompt": HOSTILE}),
        ("tool_start", now - 1_500, {"tool": "Bash\x1b[2J", "command": "rm\u202e -rf [red]x\n\ty"}),
        ("tool_failed", now - 1_000, {"tool": "[b]", "command": "a\x9b31m", "error": HOSTILE * 300}),
        ("subagent_start", now - 900, {}), ("notice", now - 500, {"type": "permission_prompt",
                                                                "message": f"[link]{HOSTILE}"}),
    )  # fmt: skip
    async with console(ServiceBridge(root), size=(60, 30)) as seen:
        pane = await _pane(seen)
        await seen.until(lambda: len(pane.story.items) >= 3)
        await seen.press("enter", "enter")
        told = "\n".join([*seen.row_list.plain, pane.plain, seen.app.export_screenshot()])
        assert not any(ord(char) < 32 and char not in "\n\r\t" for char in told)
        assert not set(told) & {"\u202e", "\x9b", "\x07"}
        assert "[/pip]" in pane.plain


@pytest.mark.slow
async def test_a_session_of_ten_thousand_events_opens_at_once_and_is_followed(root: str) -> None:
    now = clock.now_ms()
    _write(root, "long", ("prompt", now - 20_000_000, {"prompt": "the first of many"}), *(
        ("tool_end", now - 10_000_000 + n * 900, {"tool": "Edit", "file": f"/code/shop/src/{n}.py"})
        for n in range(10_000)
    ))  # fmt: skip
    story = live_sessions.story(Workspace(root), "long", now - 20_000_000, now)
    assert len(story.entries) == 10_001
    assert story.whole is not None
    assert story.whole.tools == {"Edit": (10_000, 0)}
    ingest(root)
    async with console(ServiceBridge(root), size=(140, 36)) as seen:
        pane = await _pane(seen)
        await seen.until(lambda: len(pane.story.items) == 10_001)
        assert pane.story.current is not None
        assert pane.story.current.words.endswith("/9999.py")
        _write(root, "long", ("turn_end", clock.now_ms(), {"message": "all done"}))
        await seen.until(lambda: pane.story.current and pane.story.current.words == "all done")


def _has_events(pane: SessionsPane, count: int) -> bool:
    return pane.view.rows[0].session.events == count


async def test_a_story_that_takes_long_is_read_once(root: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What arrives meanwhile does not begin it anew: on a slow machine it would never open."""
    reads, go_on, read_story = list[str](), threading.Event(), live_events.read_story

    def slow(ws: Workspace, session: LiveSession) -> Story:
        reads.append(session.id)
        go_on.wait(60)
        return read_story(ws, session)

    monkeypatch.setattr(live_events, "read_story", slow)
    _write(root, "s1", ("prompt", clock.now_ms() - 9_000, {"prompt": "hello"}))
    async with console(ServiceBridge(root), size=(140, 36)) as seen:
        pane = await _pane(seen)
        await seen.until(lambda: reads)
        for number in range(2, 5):
            _write(
                root, "s1", ("tool_end", clock.now_ms(), {"tool": "Edit", "file": f"/code/shop/{number}.py"})
            )
            await seen.until(partial(_has_events, pane, number))
        go_on.set()
        await seen.until(lambda: len(pane.story.items) == 4)
    assert reads == ["s1"]


async def test_a_transcript_that_is_gone_is_said(root: str) -> None:
    _write(root, "s1", ("prompt", clock.now_ms() - 2_000, {"prompt": "hello"}))
    async with console(ServiceBridge(root), size=(140, 36)) as seen:
        pane = await _pane(seen)
        await seen.until(lambda: pane.story.items)
        await seen.press("enter", "T")
        await seen.until(lambda: "named no transcript" in seen.toasts)

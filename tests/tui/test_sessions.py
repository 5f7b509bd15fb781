"""Pane 3: sessions as they are now, the story of one, and what can be done from there."""

from dataclasses import replace
from typing import Any

import pytest

from learnloop.learn.sessions.timeline import Kind
from learnloop.service.sessions import live_sessions
from learnloop.service.sessions.live_sessions import (
    LessonOutcome,
    LiveSession,
    RecalledLesson,
    Story,
    TimelineEntry,
)
from learnloop_tui.app import programs
from learnloop_tui.dialogs.page import PageDialog
from learnloop_tui.panes.sessions import SessionsPane
from learnloop_tui.view.state import Happening
from learnloop_tui.widgets.line_widgets import Page
from tests.tui.fakes import NOW_MS, Console, FakeBridge, console, lesson

BUSY = LiveSession(
    "s1", host="claude", project="/code/shop", branch="main", started_ms=NOW_MS - 60_000,
    last_ms=NOW_MS - 2_000, task="fix the build", prompts=1, is_busy=True, todo=(2, 5),
    tools={"Bash": (5, 1)}, events=9, hook_ms=(20.0,),
    subagents=(live_sessions.Subagent("h1", "reviewer", NOW_MS - 9_000, calls=3),
               live_sessions.Subagent("h2", "tester", NOW_MS - 5_000, ended_ms=NOW_MS - 3_000, parent="h1")),
)  # fmt: skip
OVER = LiveSession(
    "s2", host="claude", project="/code/bank", last_ms=NOW_MS - 7_200_000, task="name it", ended="clear"
)


def _entry(number: int, kind: Kind, words: str, **more: Any) -> TimelineEntry:
    return TimelineEntry(f"e{number}", NOW_MS - 60_000 + number * 1000, kind, words, **more)


RECALLED = (RecalledLesson("l00001", 90), RecalledLesson("l00002", 70))
ENTRIES = (
    _entry(1, "prompt", "fix the build", heard="correction 0.85: blame"),
    _entry(
        2,
        "told",
        "/code/shop/a.py",
        tool="Edit",
        lessons=RECALLED,
    ),
    _entry(3, "tool", "/code/shop/a.py", tool="Edit"),
    _entry(4, "failed", "pytest -q: exit 1", tool="Bash"),
    _entry(5, "done", "Done."),
)


def _bridge() -> FakeBridge:
    made = FakeBridge(lesson(1, status="active"), lesson(2, status="active"))
    made.sessions = [BUSY, OVER]
    recalled = (LessonOutcome("l00001", "tool1 is used here", 1, "followed 2×"),)
    made.stories = {"s1": Story(ENTRIES, {"correction": 1}, recalled)}
    return made


async def _open(seen: Console) -> SessionsPane:
    pane = await seen.open(SessionsPane)
    await seen.until(lambda: pane.story.session_id)
    return pane


async def test_every_session_is_shown_with_what_it_is_doing_and_its_story_can_be_read() -> None:
    async with console(_bridge(), size=(160, 40)) as seen:
        pane = await _open(seen)
        first, second = seen.row_list.plain[:2]
        assert "● working" in first
        assert "shop" in first
        assert "fix the build" in first
        assert first.rstrip().endswith("2 s")
        assert "▪ finished" in second
        assert second.rstrip().endswith("2 h")
        told = pane.plain
        for words in ("main", "Bash 5 (1 failed)", "2 of 5", "└ reviewer: at work, 3 calls",
                      "  └ tester: done", "correction 1",
                      "tool1 is used here (followed 2×)", "20 ms"):  # fmt: skip
            assert words in told, words
        told = "\n".join(pane.entry_list.plain)
        assert "❯ fix the build ↳ correction 0.85: blame" in told
        assert "◂ l000 90 l000 70 Edit a.py" in told
        assert "✗ Bash pytest -q: exit 1" in told
        await seen.press("y")
        assert seen.app.clipboard == "fix the build"
        await seen.press("Y")
        assert seen.app.clipboard == "s1"
        await seen.press("enter", "k", "y")
        assert seen.app.clipboard == "pytest -q: exit 1"
        await seen.press("g", "j", "enter")
        await seen.until(lambda: isinstance(seen.app.screen, PageDialog))
        told = seen.app.screen.query_one(Page).plain
        assert "score 90 of 100" in told
        assert "tool1 is used here" in told
        await seen.press("escape", "escape")
        await seen.until(lambda: seen.row_list.has_focus)


async def test_news_comes_into_the_story_and_the_cursor_follows_until_the_person_goes_back() -> None:
    bridge = _bridge()
    async with console(bridge, size=(140, 36)) as seen:
        pane = await _open(seen)
        assert "▼ follows" in str(seen.list_pane.page_frame.border_subtitle)
        await _news(bridge, seen, _entry(6, "prompt", "and the docs"))
        await seen.until(lambda: pane.story.current and pane.story.current.words == "and the docs")
        await seen.press("enter", "k", "k")
        held = pane.story.current
        await _news(bridge, seen, _entry(7, "tool", "ls", tool="Bash"))
        await seen.until(lambda: len(pane.story.items) == 7)
        assert pane.story.current == held
        assert "G follows again" in str(seen.list_pane.page_frame.border_subtitle)
        await seen.press("G")
        assert pane.story.current is not None
        assert pane.story.current.words == "ls"
        assert "▼ follows" in str(seen.list_pane.page_frame.border_subtitle)


async def _news(bridge: FakeBridge, seen: Console, entry: TimelineEntry) -> None:
    bridge.new_entries.append(("s1", entry))
    bridge.news.append(Happening(entry.ms, "prompt", "shop", entry.words))
    bridge.written.put_nowait(False)


async def test_f_narrows_the_story_to_a_kind() -> None:
    async with console(_bridge(), size=(140, 36)) as seen:
        pane = await _open(seen)
        await seen.press("enter")
        shown = []
        for _ in range(7):
            shown.append([item.kind for item in pane.story.items])
            await seen.press("f")
        assert shown[1:] == [
            ["prompt"], ["tool", "failed"], ["failed"], ["told"], ["prompt"], [],
        ]  # fmt: skip
        assert len(pane.story.items) == 5
        await seen.press("F")
        assert "agents" in str(seen.list_pane.page_frame.border_title)


async def test_from_a_recall_the_lesson_is_rated_and_paused() -> None:
    bridge = _bridge()
    async with console(bridge, size=(140, 36)) as seen:
        await _open(seen)
        await seen.press("plus")
        assert "Go to a recall" in seen.toasts
        await seen.press("enter", "g", "j", "plus")
        await seen.until(lambda: bridge.verdicts)
        assert (bridge.verdicts[0].action, bridge.verdicts[0].ids) == ("rate", ("l00001", "l00002"))
        assert bridge.verdicts[0].args == {"verdict": "helpful"}
        await seen.press("P")
        await seen.until(lambda: len(bridge.verdicts) == 2)
        assert bridge.verdicts[1].action == "pause"


@pytest.mark.parametrize(
    ("editor", "wanted"),
    [
        ("/bin/sh -x", ["/bin/sh", "-x", "+7", "/t.jsonl"]),
        ("'/bin/sh", ["less", "+7", "/t.jsonl"]),
        ("code --wait", ["code", "--wait", "-g", "/t.jsonl:7"]),
        ("hx", ["hx", "/t.jsonl:7"]),
        ("", ["less", "+7", "/t.jsonl"]),
    ],
)
def test_a_transcript_opens_at_its_line_in_what_the_person_chose(
    editor: str, wanted: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("VISUAL", "PAGER"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("EDITOR", editor)
    monkeypatch.setattr("shutil.which", lambda name: name if name[0] != "'" else None)
    assert programs.command("/t.jsonl", 7) == wanted


async def test_an_older_session_opens_by_its_id_and_one_that_is_gone_is_said() -> None:
    bridge = _bridge()
    bridge.older = {"s9": replace(OVER, id="s9", task="long ago")}
    async with console(bridge, size=(140, 36)) as seen:
        pane = await _open(seen)
        await seen.press("slash", *"bank", "enter")
        seen.app.open_session("s9")
        await seen.until(lambda: pane.view.current and pane.view.current.id == "s9")
        assert pane.view.query == ""
        seen.app.open_session("never")
        await seen.until(lambda: "Nothing is kept of that session" in seen.toasts)

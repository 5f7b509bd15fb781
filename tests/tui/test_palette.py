"""The palette: every command with why it cannot run, every lesson, and what choosing one does."""

import asyncio
import random
import time

import pytest
from textual import events
from textual.command import CommandList
from textual.widgets import Input

from learnloop.keymap import commands
from learnloop.service.sessions.live_sessions import SessionName
from learnloop_tui.bridge import ServiceBridge
from learnloop_tui.panes.lessons import LessonsPane
from learnloop_tui.panes.sessions import SessionsPane
from learnloop_tui.screens import palette
from learnloop_tui.screens.palette import Palette
from learnloop_tui.view.state import Row
from tests.recorded_events import write
from tests.tui.fake_rows import row
from tests.tui.fakes import Console, FakeBridge, console, lesson


async def _open(seen: Console, words: str = "") -> None:
    await seen.press("ctrl+p")
    await seen.until(lambda: isinstance(seen.app.screen, Palette) and _entries(seen))
    if words:
        await seen.press(*words)


def _entries(seen: Console) -> list[str]:
    if not isinstance(seen.app.screen, Palette):
        return []
    found = seen.app.screen.query_one(CommandList)
    return [str(found.get_option_at_index(at).prompt) for at in range(found.option_count)]


def _shop() -> FakeBridge:
    return FakeBridge(
        lesson(1, statement="The linter is run before a commit"),
        lesson(2, statement="Fixtures stand in conftest", status="active", project="/code/bank"),
        lesson(3, statement="[/x] [red]Brackets[/] \x1b[31m\u202estay", status="rejected"),
        *(lesson(number, confidence=0.4) for number in range(10, 50)),
    )


async def test_the_open_pane_s_commands_are_listed_and_disabled_ones_say_why() -> None:
    async with console(_shop()) as seen:
        await _open(seen)
        told = [entry.partition("\n")[0] for entry in _entries(seen)]
        assert told == [f"{one.title} ({one.key})" for one in commands.palette("triage")] + ["themes"]
        archive = next(entry for entry in _entries(seen) if entry.startswith("take out"))
        assert archive.endswith("not now: Only active lessons are archived; this one is draft.")


async def test_a_disabled_command_that_is_chosen_says_why_and_does_nothing() -> None:
    bridge = _shop()
    async with console(bridge) as seen:
        await _open(seen, "archive")
        await seen.until(lambda: _entries(seen)[0].startswith("take out"))
        await seen.press("enter")
        await seen.until(lambda: "Only active lessons are archived" in seen.toasts)
        assert bridge.verdicts == []


async def test_enter_runs_what_was_typed_however_fast() -> None:
    bridge = _shop()
    async with console(bridge) as seen:
        await seen.burst("ctrl+p", *"lessons", "enter", "p")
        await seen.until(lambda: seen.app.main.pane.PLACE == "lessons")
        assert bridge.verdicts == []


async def test_a_command_of_another_pane_leads_to_its_pane() -> None:
    async with console(_shop()) as seen:
        await _open(seen, "transcript")
        await seen.until(lambda: _entries(seen)[0].startswith("transcript (T)\n3 Sessions:"))
        await seen.press("enter")
        await seen.until(lambda: seen.app.main.pane.PLACE == "sessions")


async def test_a_lesson_is_found_by_its_words_and_opens_in_its_pane() -> None:
    async with console(_shop()) as seen:
        await _open(seen, "conftest")
        await seen.until(lambda: _entries(seen)[0].startswith("Fixtures stand in conftest\n● active"))
        await seen.press("enter")
        await seen.until(
            lambda: seen.app.main.pane.PLACE == "lessons" and seen.current.startswith("Fixtures")
        )
        await seen.until(lambda: "Why" in seen.page)


@pytest.mark.slow
async def test_a_lesson_is_shown_whatever_hides_it() -> None:
    async with console(_shop()) as seen:
        await seen.press("slash", *"linter", "enter", "v", "g", "enter")
        assert seen.rows == ["shop 1"]
        await _open(seen, "tool45")
        await seen.until(lambda: _entries(seen)[0].startswith("tool45"))
        await seen.press("enter")
        await seen.until(lambda: seen.current.startswith("tool45"))
        assert seen.app.main.pane.PLACE == "triage"
        await seen.press("2", "F")
        assert seen.pane(LessonsPane).shown_view == "retired"
        await _open(seen, "conftest")
        await seen.until(lambda: _entries(seen)[0].startswith("Fixtures"))
        await seen.press("enter")
        await seen.until(lambda: seen.current.startswith("Fixtures"))
        assert seen.pane(LessonsPane).shown_view == "all"


@pytest.mark.slow
async def test_hostile_words_are_shown_as_they_are_and_a_huge_paste_is_harmless() -> None:
    async with console(_shop()) as seen:
        await _open(seen, "brackets")
        await seen.until(lambda: _entries(seen)[0].startswith("[/x] [red]Brackets[/] \ufffd[31m\ufffdstay"))
        field = seen.app.screen.query_one(Input)
        for pasted in ("(.*)+[" * 200_000, "\x1b]0;x\x07\u202e"):
            seen.app.post_message(events.Paste(pasted))
            await seen.until(lambda: seen.app.is_settled)
            assert field.value == "brackets"
        seen.app.post_message(events.Paste("(.*)+["))
        await seen.until(lambda: field.value == "brackets(.*)+[")
        await seen.until(lambda: not any("Brackets" in entry for entry in _entries(seen)))
        await seen.press("escape")
        await seen.until(lambda: seen.app.screen is seen.app.main)


def _rows(count: int) -> tuple[Row, ...]:
    pick = random.Random(3)
    words = ("pytest", "ruff", "views", "ledger", "widget", "tokens", "billing", "deploy", "migrations")
    return tuple(
        row(lesson(at, confidence=0.5, statement=f"{' '.join(pick.choices(words, k=6))} number {at}"))
        for at in range(count)
    )


def test_better_fits_come_first() -> None:
    titles = ("the detests", "run", "Unit tests are run")
    items = [(title, title, f"{title} of the tests".lower()) for title in titles]
    assert [title for _, title in palette.best("TESTS", items)] == [
        "Unit tests are run",
        "the detests",
        "run",
    ]
    assert palette.best("   ", items) == []
    assert len(palette.best("e", [("e", "e", "e")] * 50)) == palette.MOST
    assert palette.fit("mgrt", "merge notes") == 0
    assert palette.fit("", "open") == 0
    assert 0 < palette.fit("opn", "open") < palette.fit("ope", "open") < 1


@pytest.mark.parametrize(
    ("query", "marked"), [("unit run", [(0, 4), (15, 18)]), ("nowhere", []), ("İ", []), ("", [])]
)
def test_the_typed_words_are_marked_in_the_entries(query: str, marked: list[tuple[int, int]]) -> None:
    shown = palette.shown("Unit tests are run", query)
    assert [(span.start, span.end) for span in shown.spans] == marked


def test_ten_thousand_lessons_are_searched_at_once() -> None:
    rows = _rows(10_000)
    for query in ("e", "number 77", "wdgtlgr", "a" * 80, "e e e e e e", "(((((", "zzzz"):
        began = time.process_time()
        palette.best(query, ((one, one.statement, one.haystack) for one in rows))
        assert time.process_time() - began < 0.3, query  # measured: 0.03; a busy machine may take longer


async def test_a_session_is_found_by_what_was_asked_and_opens_its_story(root: str) -> None:
    write(root, "prompt", "one", prompt="rename the ledger columns")
    write(root, "turn_end", "one", message="Done.", background=[])
    async with console(ServiceBridge(root)) as seen:
        await _open(seen, "ledger col")
        await seen.until(lambda: any(entry.startswith("rename the ledger") for entry in _entries(seen)))
        assert any("\nsession · " in entry for entry in _entries(seen))
        await seen.press(*"umns", "enter")
        await seen.until(lambda: seen.app.main.pane.PLACE == "sessions")
        pane = seen.pane(SessionsPane)
        await seen.until(lambda: pane.story.session_id and pane.story.rows)
        assert pane.view.current is not None
        assert "rename the ledger columns" in pane.view.current.session.task


class _Slow(FakeBridge):
    """Its sessions are read only when they are let go."""

    def __init__(self) -> None:
        super().__init__(lesson(1))
        self.go = asyncio.Event()

        self.answers[palette.names] = self._names

    async def _names(self, _now_ms: int) -> list[SessionName]:
        await self.go.wait()
        return [
            SessionName("s1", "mend the gate", "/code/shop", "main", "claude", "2023-11-14T22:00:00.000Z")
        ]


async def test_sessions_that_are_read_slowly_come_without_another_letter() -> None:
    bridge = _Slow()
    async with console(bridge) as seen:
        await _open(seen, "mend")
        await seen.until(lambda: not any(entry.startswith("mend the gate") for entry in _entries(seen)))
        bridge.go.set()
        await seen.until(lambda: any(entry.startswith("mend the gate") for entry in _entries(seen)))

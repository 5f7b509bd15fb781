"""The palette: every command with why it cannot run, every lesson, and what choosing one does."""

import asyncio

import pytest
from textual import events
from textual.command import CommandList
from textual.widgets import Input

from learnloop.keymap import commands
from learnloop.service.sessions.live_sessions import SessionName
from learnloop_tui.panes.lessons import LessonsPane
from learnloop_tui.screens import palette
from learnloop_tui.screens.palette import Palette
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


async def test_enter_runs_what_was_typed_however_fast() -> None:
    bridge = _shop()
    async with console(bridge) as seen:
        await seen.burst("ctrl+p", *"lessons", "enter", "p")
        await seen.until(lambda: seen.app.main.pane.PLACE == "lessons")
        assert bridge.verdicts == []


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

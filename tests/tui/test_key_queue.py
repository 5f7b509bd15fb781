"""Keys that arrive all at once reach what the keys before them opened, never the list behind it."""

from typing import Any

import pytest
from textual import events
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Input, TextArea

from learnloop.keymap import commands
from learnloop.models import Lesson
from learnloop_tui.dialogs.sentence_screen import StatementScreen
from learnloop_tui.widgets.sentence import Sentence
from tests.tui.fakes import Console, FakeBridge, console, lesson

_OPENING = {"filter", "reject", "edit", "help", "palette", "archive", "install", "backfill"}
_ASKING = {"mark", "mark_all", "messages"}
"""These open something for the letters behind them, or for want of anything else to do."""
_PLACES = {"triage": "1", "lessons": "2", "health": "6"}


def _bridge() -> FakeBridge:
    return FakeBridge(lesson(1), lesson(2), lesson(3), lesson(4, status="active"))


def _cases() -> list[Any]:
    """Every command. What opens nothing or was tried in Triage is slow, the palette with its search long."""
    return [
        pytest.param(place, command.id, command.keys[0], marks=_marks(place, command.id))
        for place in _PLACES
        for command in (*commands.of(place), *(commands.of("anywhere") if place == "triage" else ()))
        if command.id not in ("quit", "demo", "promote", "pause")
    ]


def _marks(place: str, command: str) -> list[pytest.MarkDecorator]:
    if command == "palette":
        return [pytest.mark.long]
    is_elsewhere_too = place != "triage" and any(each.id == command for each in commands.of("triage"))
    return [] if command in _OPENING | _ASKING and not is_elsewhere_too else [pytest.mark.slow]


def _is_open(seen: Console) -> bool:
    return seen.app.screen is not seen.app.main or isinstance(seen.app.focused, Input | TextArea)


@pytest.mark.parametrize(("place", "command", "key"), _cases())
async def test_letters_behind_a_key_that_opens_something_are_no_verdicts(
    place: str, command: str, key: str
) -> None:
    bridge = _bridge()
    async with console(bridge) as seen:
        to_a_lesson_it_fits = "G" if place == "lessons" and command != "archive" else "g"
        await seen.press(_PLACES[place])
        await seen.burst(to_a_lesson_it_fits, key, *"ppPp")
        if _is_open(seen):
            assert not bridge.verdicts
            assert not seen.app.verdicts.pending
        else:
            nothing_proposed = (place, command) in (("triage", "archive"), ("lessons", "reject"))
            assert command not in _OPENING or nothing_proposed


class _Leaving(Widget):
    """Goes away with what follows a key still in its hands, as a dialog does that the key closed."""

    can_focus = True

    def on_fence(self, event: Message) -> None:
        event.stop()
        self.remove()


async def test_a_key_is_done_with_when_its_widget_went_away_before_it_could_say_so() -> None:
    async with console(_bridge()) as seen:
        leaving = _Leaving()
        await seen.app.main.mount(leaving)
        leaving.focus()
        await seen.until(lambda: leaving.has_focus)
        await seen.burst("f12")
        assert not leaving.is_attached


async def test_a_reason_typed_at_once_is_the_reason() -> None:
    bridge = _bridge()
    async with console(bridge) as seen:
        await seen.burst(*"r0pip Pep", "enter", "j")
        await seen.until(lambda: bool(bridge.verdicts))
        assert [(one.action, one.args) for one in bridge.verdicts] == [("reject", {"reason": "pip Pep"})]
        assert seen.app.screen is seen.app.main


async def test_words_typed_behind_promote_go_into_the_statement() -> None:
    bridge = FakeBridge(_wordless(), lesson(2))
    async with console(bridge) as seen:
        await seen.burst(*"pppp.", "enter")
        assert isinstance(seen.app.screen, StatementScreen)
        assert seen.app.screen.query_one(Sentence).text == "", "keys typed ahead were not meant for it"
        assert not bridge.verdicts
        await seen.burst(*"Use it.")
        assert seen.app.screen.query_one(Sentence).text == "Use it."


def _wordless() -> Lesson:
    return lesson(1, needs_words=True, statement="")


async def test_a_paste_into_the_list_is_no_verdict_and_two_keys_at_once_are_two() -> None:
    bridge = _bridge()
    async with console(bridge) as seen:
        seen.app.post_message(events.Paste("ppp\nppp"))
        await seen.burst("j")
        assert not bridge.verdicts
        assert seen.current == "tool2 is used here"
        await seen.burst(*"pp")
        await seen.until(lambda: len(bridge.verdicts) == 2)
        assert [one.ids for one in bridge.verdicts] == [("l00002",), ("l00003",)]

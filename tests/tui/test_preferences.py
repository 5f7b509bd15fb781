"""The preferences' pane on a real store: what is believed, confirmed, reworded, dropped, chosen."""

from pathlib import Path

import pytest

from learnloop.faces.beliefs import GROUPS, Believed
from learnloop.service.profile import preferences
from learnloop.service.workspace import open_workspace
from learnloop_tui.bridge import ServiceBridge
from learnloop_tui.dialogs.choice import ChoiceScreen
from learnloop_tui.dialogs.sentence_screen import BeliefScreen
from learnloop_tui.panes.preferences import PreferencesPane
from learnloop_tui.view import preference_lines
from learnloop_tui.view.preference_state import BeliefHead
from learnloop_tui.widgets.sentence import Sentence
from tests.recorded_events import remarks, write
from tests.tui.fakes import Console, console


@pytest.fixture
def remarked(root: str) -> str:
    """A store in which a person has remarked on all that."""
    remarks(root)
    return root


async def _open(seen: Console) -> PreferencesPane:
    pane = await seen.open(PreferencesPane)
    await seen.until(lambda: any(row.state == "open" for row in pane.view.rows))
    return pane


def _is_about(row: Believed | BeliefHead, what: str) -> bool:
    return isinstance(row, Believed) and what in (row.where, row.group)


def _go(pane: PreferencesPane, where: str) -> None:
    at = next(at for at, row in enumerate(pane.view.items) if _is_about(row, where))
    pane.move_by(at - pane.view.cursor)


def _state(pane: PreferencesPane, where: str) -> str:
    return next(row.state for row in pane.view.rows if row.where == where or row.group == where)


async def test_beliefs_stand_by_what_they_are_and_lessons_are_not_among_them(remarked: str) -> None:
    async with console(ServiceBridge(remarked)) as seen:
        pane = await _open(seen)
        parts = [item.group for item in pane.view.items if isinstance(item, BeliefHead)]
        assert parts == sorted(parts, key=list(GROUPS).index)
        assert isinstance(pane.view.items[0], BeliefHead)
        assert pane.view.current is not None
        ways = [row.state for row in pane.view.rows if row.group == "trait"]
        assert ways == sorted(ways, key=lambda state: state == "unknown"), "what is not known yet comes last"


async def test_traits_are_confirmed_taken_back_reworded_dropped_and_chosen(remarked: str) -> None:
    ws = open_workspace(remarked)
    async with console(ServiceBridge(remarked)) as seen:
        pane = await _open(seen)
        _go(pane, "verbosity")
        words = ("This user wants short answers.", "concise (3)", "keep your answers short", "not confirmed")
        assert all(each in seen.page for each in words)
        await seen.press("p")
        await seen.until(lambda: _state(pane, "verbosity") == "told")
        assert preferences.preferences(ws).verbosity.confirmed
        await seen.press("z")
        await seen.until(lambda: _state(pane, "verbosity") == "open")
        assert not preferences.preferences(ws).verbosity.confirmed
        await seen.press("e")
        await seen.until(lambda: isinstance(seen.app.screen, BeliefScreen))
        field = seen.app.screen.query_one(Sentence)
        field.text = " "
        await seen.press("enter")
        assert isinstance(seen.app.screen, BeliefScreen)
        field.text = "Answers have two sentences."
        await seen.press("enter")
        await seen.until(lambda: "Answers have two sentences." in seen.page)
        assert "told" in _state(pane, "verbosity")
        await seen.press("r")
        await seen.until(lambda: _state(pane, "verbosity") == "dropped")
        await seen.press("r")
        await seen.until(lambda: "dropped already" in seen.toasts)
        _go(pane, "autonomy")
        assert "Both have been asked for" in seen.page
        await seen.press("p")
        await seen.until(lambda: isinstance(seen.app.screen, ChoiceScreen))
        await seen.press("1")
        await seen.until(lambda: _state(pane, "autonomy") == "told")
        assert preferences.preferences(ws).autonomy.confirmed_value is not None


async def test_of_two_rules_the_person_chooses_one(remarked: str) -> None:
    async with console(ServiceBridge(remarked)) as seen:
        pane = await _open(seen)
        _go(pane, "contradiction")
        assert "Older" in seen.page
        assert "Newer" in seen.page
        await seen.press("r")
        await seen.until(lambda: "Choose one of the two rules" in seen.toasts)
        await seen.press("p")
        await seen.until(lambda: isinstance(seen.app.screen, ChoiceScreen))
        await seen.press("2")
        await seen.until(lambda: all(row.group != "contradiction" for row in pane.view.rows))


async def test_the_list_is_filtered_and_a_new_remark_comes_in_by_itself(remarked: str) -> None:
    async with console(ServiceBridge(remarked)) as seen:
        pane = await _open(seen)
        await seen.burst("/", *"short", "enter")
        [row] = pane.view.items
        assert isinstance(row, Believed)
        assert row.where == "verbosity"
        write(remarked, "prompt", "new", prompt="do another task of the long plan")
        write(remarked, "turn_end", "new", message="Done.", background=[])
        write(remarked, "prompt", "remark", prompt="too long, be more concise please")
        await seen.until(lambda: pane.view.current is not None and pane.view.current.seen == row.seen + 1)


def test_hostile_words_cannot_steer_the_terminal(tmp_path: Path) -> None:
    lines = preference_lines.nothing("\x1b[31m[/red]")
    assert "\x1b" not in "".join(piece for line in lines for piece, _ in line)

"""One table of commands: keys, footer, palette, help and docs say the same."""

from collections import Counter
from pathlib import Path

import pytest
from textual.app import App
from textual.binding import Binding

from learnloop.keymap import commands
from learnloop_tui.app.app import ConsoleApp
from learnloop_tui.dialogs import help as help_screen
from learnloop_tui.panes.agents import AgentsPane
from learnloop_tui.panes.experiment_list import ExperimentsPane
from learnloop_tui.panes.health import HealthPane
from learnloop_tui.panes.lessons import LessonsPane
from learnloop_tui.panes.pane import Pane
from learnloop_tui.panes.patches import PatchesPane
from learnloop_tui.panes.preferences import PreferencesPane
from learnloop_tui.panes.sessions import SessionsPane
from learnloop_tui.panes.task_memory import MemoryPane
from learnloop_tui.panes.triage import TriagePane
from learnloop_tui.panes.welcome import WelcomePane
from learnloop_tui.widgets.line_widgets import Page
from tests.tui.fakes import FakeBridge, console, lesson

PANES: tuple[type[Pane], ...] = (
    TriagePane, LessonsPane, AgentsPane, PreferencesPane, PatchesPane, SessionsPane, HealthPane, WelcomePane,
    MemoryPane, ExperimentsPane,
)  # fmt: skip
DOCS = Path(__file__).parents[2] / "docs" / "keys.md"


def _bound(pane: type[App[str] | Pane]) -> dict[str, str]:
    bindings = [binding for binding in pane.BINDINGS if isinstance(binding, Binding)]
    return {key: binding.action for binding in bindings for key in binding.key.split(",")}


@pytest.mark.parametrize("pane", PANES)
def test_every_key_of_a_pane_is_in_the_table_and_the_other_way_round(pane: type[Pane]) -> None:
    places = [pane.PLACE] if pane is WelcomePane else [pane.PLACE, "list"]
    table = {
        key: f"app.command('{command.id}')"
        for place in places
        for command in commands.of(place)
        for key in command.keys
    }
    assert _bound(pane) == table


def test_keys_that_work_anywhere_are_in_the_table() -> None:
    table = {
        key: f"app.command('{command.id}')" for command in commands.of("anywhere") for key in command.keys
    }
    assert _bound(ConsoleApp) == table


@pytest.mark.parametrize("pane", PANES)
def test_no_key_means_two_things(pane: type[Pane]) -> None:
    places = {pane.PLACE, "anywhere"} | ({"list"} if pane is not WelcomePane else set())
    keys = Counter(key for command in commands.COMMANDS if places & {*command.places} for key in command.keys)
    assert [key for key, count in keys.items() if count > 1] == []


@pytest.mark.parametrize("pane", PANES)
def test_every_command_is_done_by_the_pane_or_the_app(pane: type[Pane]) -> None:
    actions = {**ConsoleApp(FakeBridge()).actions, **pane(FakeBridge(), lambda: 0).actions}
    for command in (*commands.of(pane.PLACE), *commands.of("anywhere")):
        assert command.id in actions


def test_nothing_is_done_that_no_command_names() -> None:
    ids = {command.id for command in commands.COMMANDS}
    for pane in PANES:
        assert pane(FakeBridge(), lambda: 0).actions.keys() <= ids


def test_every_command_has_words_and_a_place() -> None:
    ids = [command.id for command in commands.COMMANDS]
    assert len(ids) == len(set(ids))
    for command in commands.COMMANDS:
        assert command.help.endswith(".")
        assert set(command.places) <= set(commands.PLACES)


def test_help_and_docs_show_every_key_of_the_table() -> None:
    lines = ["".join(part for part, _ in line) for line in help_screen.table("lessons", 200)]
    told, written = "\n".join(lines), DOCS.read_text("utf-8")
    assert lines[1].startswith(" 2 Lessons"), "the open pane comes first"
    for command in commands.COMMANDS:
        assert f"{' '.join(map(commands.shown, command.keys))} " in told
        assert command.help in told
        keys = " ".join(f"`{commands.shown(key)}`" for key in command.keys)
        assert written.count(f"| {keys} | `{command.id}` | {command.help} |") == 1


async def test_help_starts_with_where_you_are_and_finds_words_and_keys() -> None:
    async with console(FakeBridge(lesson(1))) as seen:
        await seen.press("6")
        await seen.until(lambda: seen.app.main.pane.PLACE == "health")
        await seen.burst("?")
        page = seen.app.screen.query_one(Page)
        headings = [line.split("─")[0].strip() for line in page.plain.split("\n") if "──" in line]
        assert headings[:3] == ["6 Health", "In a list", "Anywhere"]
        await seen.burst(*"/harm")
        assert "Its last recall did harm." in page.plain
        assert "Keep it" not in page.plain
        await seen.burst("escape", *"/!")
        assert [line for line in page.plain.split("\n") if line.strip()][1].split()[0] == "!"
        await seen.burst("backspace", *"zzz")
        assert "No key and no command is called zzz." in page.plain
        await seen.burst("escape", "escape")
        assert seen.app.screen is seen.app.main

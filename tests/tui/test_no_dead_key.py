"""Every key of every pane does something or says why it does not: on the demo, and where nothing is there."""

import webbrowser
from typing import Any

import pytest

from learnloop.keymap import commands
from learnloop_tui.bridge import ServiceBridge
from learnloop_tui.widgets.line_widgets import Bar, Page
from learnloop_tui.widgets.row_list import RowList
from tests.demo_stores import DemoStores
from tests.tui.fakes import Console, console

pytestmark = pytest.mark.slow
PANES = ("triage", "lessons", "agents", "preferences", "patches", "sessions", "health", "memory",
         "experiments")  # fmt: skip
_LEAVES = {"quit", "escape"}
"""Quitting ends the test; escape with nothing open has nothing to leave."""


def _seen(seen: Console) -> tuple[Any, ...]:
    """All that a person can see change."""
    app = seen.app
    drawn = [bar.plain for bar in app.screen.query(Bar)]
    pages = [(page.plain, page.top, page.display) for page in app.screen.query(Page)]
    lists = [(rows.view.cursor, rows.plain, rows.top) for rows in app.screen.query(RowList) if rows.display]
    return (
        app.screen,
        app.focused,
        app.theme,
        len(app.notifications.messages),
        app.main.pane,
        drawn,
        pages,
        lists,
    )


async def _back(seen: Console, place: str) -> None:
    """To the pane, with nothing open."""
    while seen.app.screen is not seen.app.main:
        seen.app.pop_screen()
    if place != seen.app.main.pane.PLACE:
        await seen.app.main.open(place)
    pane = seen.app.main.pane
    if seen.app.focused not in (pane, *pane.query(RowList)):
        await seen.burst("escape", "escape")


async def _acts(seen: Console, key: str) -> bool:
    """Whether something is to be seen after a key."""
    before = _seen(seen)
    await seen.burst(key)
    try:
        await seen.until(lambda: _seen(seen) != before, 5)
    except TimeoutError:
        return False
    return True


def _commands(place: str) -> list[commands.Command]:
    """Those of the pane, and of those that work anywhere what depends on the pane; all on the first."""
    anywhere = [one for one in commands.of("anywhere") if place == PANES[0] or one.id.startswith("copy")]
    return [one for one in (*commands.of(place), *anywhere) if one.id not in _LEAVES | {place}]


def _no_browser() -> webbrowser.BaseBrowser:
    raise webbrowser.Error("no window opens on the machine that runs the tests")


@pytest.mark.parametrize("place", PANES)
@pytest.mark.parametrize("kind", ["demo", "empty"])
async def test_every_key_acts_or_says_why(
    root: str,
    demo_stores: DemoStores,
    kind: str,
    place: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("EDITOR", "true")
    monkeypatch.setattr(webbrowser, "get", _no_browser)
    if kind == "demo":
        demo_stores.copy(root)
    async with console(ServiceBridge(root), size=(110, 24)) as seen:
        for command in _commands(place):
            for key in command.keys[:1]:
                await _back(seen, place)
                if not await _acts(seen, key):
                    pytest.fail(f"{key} ({command.title}) is silently dead on {place} ({kind})")

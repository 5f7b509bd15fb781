"""The table of actions: every command has a handler, every handler a command."""

from __future__ import annotations

import pytest

from learnloop.keymap import commands
from learnloop_tui.panes.actions import APP_COMMANDS, Action, action_table


def _handlers(*places: str) -> dict[str, Action]:
    return {command.id: Action(lambda: None) for place in places for command in commands.of(place)}


def test_a_command_without_a_handler_is_refused_by_name() -> None:
    handlers = _handlers("agents", "list")
    del handlers["sort"]
    with pytest.raises(ValueError, match="no handler for sort"):
        action_table(("agents", "list"), handlers)


def test_a_handler_without_a_command_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match="no command promote"):
        action_table(("agents",), {**_handlers("agents"), "promote": Action(lambda: None)})


def test_commands_of_elsewhere_are_named() -> None:
    handlers = {**_handlers("agents"), "escape": Action(lambda: None)}
    assert action_table(("agents",), handlers, also=("escape",)) is handlers


def test_what_the_app_runs_is_not_asked_of_panes() -> None:
    handlers = {name: action for name, action in _handlers("welcome").items() if name not in APP_COMMANDS}
    assert action_table(("welcome",), handlers) is handlers


async def test_an_action_is_awaited_and_possible_unless_it_says_otherwise() -> None:
    calls: list[str] = []

    async def later() -> None:
        calls.append("later")

    await Action(later).perform()
    await Action(lambda: calls.append("at once")).perform()
    assert calls == ["later", "at once"]
    assert Action(later).why_not() == ""
    assert Action(later, lambda: "not now").why_not() == "not now"

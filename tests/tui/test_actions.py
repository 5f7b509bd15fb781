"""The table of actions: every command has a handler, every handler a command."""

from __future__ import annotations

import pytest

from learnloop.keymap import commands
from learnloop_tui.panes.actions import Action, action_table


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

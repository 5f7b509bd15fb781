"""The console with keys of a person's own."""

from pathlib import Path

import pytest
from textual.widgets import Input

from learnloop_tui.bridge import ServiceBridge
from learnloop_tui.dialogs.choice import ChoiceScreen
from learnloop_tui.view.state import Snapshot
from tests.tui.fakes import FakeBridge, console, lesson


class OwnKeys(FakeBridge):
    """Promote and reject have changed places, filter and quit have others."""

    keys = {"promote": ("r",), "reject": ("p", "f9"), "filter": ("ctrl+f",), "quit": ("Q",), "help": ("f1",)}  # noqa: RUF012

    async def load(self) -> Snapshot:
        """With keys."""
        return (await super().load())._replace(
            keys=self.keys, wrong_keys=("keys.bogus: there is no such command",)
        )


def _bridge() -> OwnKeys:
    return OwnKeys(lesson(1), lesson(2), lesson(3), lesson(4, status="active"))


async def test_own_keys_work_and_those_of_before_do_not() -> None:
    bridge = _bridge()
    async with console(bridge) as seen:
        await seen.press("r")
        await seen.until(lambda: len(bridge.verdicts) == 1)
        assert bridge.verdicts[0].action == "promote"
        await seen.press("f9")
        await seen.until(lambda: isinstance(seen.app.screen, ChoiceScreen))
        await seen.press("escape")
        await seen.until(lambda: seen.app.screen is seen.app.main)
        await seen.burst("slash", "q")
        assert seen.app.is_running
        assert not isinstance(seen.app.focused, Input)
        await seen.press("2")
        await seen.until(lambda: seen.app.main.pane.PLACE == "lessons")
        await seen.press("g", "p")
        await seen.until(lambda: "Only drafts are dropped" in seen.toasts)


async def test_keys_come_from_the_settings(root: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LEARNLOOP_KEYS", '{ help = "f1", lessons = ["l"], promote = "q" }')
    async with console(ServiceBridge(root)) as seen:
        await seen.press("l")
        await seen.until(lambda: seen.app.main.pane.PLACE == "lessons")
        assert "keys.promote: q means quit" in seen.toasts
    assert not Path(root, "config.toml").exists()

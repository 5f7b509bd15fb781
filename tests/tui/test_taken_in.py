"""What a standing approval took in, in the console: its sign, and `z`, which asks about the file."""

from pathlib import Path

import pytest

from learnloop_tui.bridge import ServiceBridge
from tests.auto_scene import DOCSTRINGS, RULES, AutoProject
from tests.tui import person
from tests.tui.fakes import console


@pytest.fixture
def shop(root: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AutoProject:
    monkeypatch.setenv("LEARNLOOP_FACTS_MODE", "auto")
    monkeypatch.setattr("learnloop.ingest.start_reading.start", lambda _: False)
    shop = AutoProject(root, tmp_path / "shop")
    shop.allow()
    shop.read("No, don't add docstrings to the handlers", DOCSTRINGS)
    return shop


async def test_it_has_its_sign_and_z_takes_it_back_with_its_file(shop: AutoProject) -> None:
    async with console(ServiceBridge(shop.root), size=(120, 30)) as seen:
        page = person.Inside(seen)
        await seen.press("2")
        await page.until(lambda screen: "◈" in screen and DOCSTRINGS in screen)
        await seen.press("z")
        await page.until(lambda screen: "Took in" in screen and "This writes:" in screen)
        await seen.press("y")
        await seen.until(lambda: shop.status(DOCSTRINGS) == "draft")
    assert (shop.learned, (shop.folder / "CLAUDE.md").read_text()) == ("", RULES)

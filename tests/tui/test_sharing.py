"""The key that shares a lesson through its repository, on a real store."""

import json
from pathlib import Path

import pytest

from learnloop.service.review import verdicts
from learnloop.service.workspace import Workspace
from learnloop_tui.bridge import ServiceBridge
from learnloop_tui.dialogs.page import AgreementPage
from learnloop_tui.panes.lessons import LessonsPane
from tests.service.transfer.checkouts import clone, remote
from tests.tui.fakes import Console, console


@pytest.fixture
def checkout(ws: Workspace, tmp_path: Path) -> Path:
    folder = clone(tmp_path / "shop", remote("git@github.com:acme/shop.git"))
    verdicts.add(ws, "Use uv instead of pip.", scope="project", project=folder)
    return Path(folder)


async def _asked(seen: Console) -> AgreementPage:
    await seen.open(LessonsPane)
    await seen.until(lambda: seen.rows)
    await seen.press("S")
    await seen.until(lambda: isinstance(seen.app.screen, AgreementPage))
    page = seen.app.screen
    assert isinstance(page, AgreementPage)
    return page


async def test_the_file_is_shown_to_the_byte_and_written_on_a_yes(ws: Workspace, checkout: Path) -> None:
    async with console(ServiceBridge(ws.root)) as seen:
        page = await _asked(seen)
        await seen.until(lambda: "Use uv instead of pip." in page.page.plain)
        await seen.pilot.press("y")
        await seen.until(lambda: "commit it" in seen.toasts)
    (path,) = (checkout / ".learnloop" / "lessons").iterdir()
    assert json.loads(path.read_text())["repo"] == "github.com/acme/shop"


async def test_a_lesson_without_a_checkout_says_the_way_out(ws: Workspace) -> None:
    verdicts.add(ws, "Use uv instead of pip.", scope="global")
    async with console(ServiceBridge(ws.root)) as seen:
        await seen.open(LessonsPane)
        await seen.until(lambda: seen.rows)
        await seen.press("S")
        await seen.until(lambda: "no checkout of its repository is known" in seen.toasts)

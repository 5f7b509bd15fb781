"""A fact in the patches' pane: its preview, and the dialog about who reads its file."""

from pathlib import Path

import pytest
from textual.widgets import OptionList

from learnloop.service.workspace import open_workspace
from learnloop_tui.bridge import ServiceBridge
from learnloop_tui.dialogs.choice import ImportScreen
from tests.fact_scene import project_with_a_fact
from tests.tui.fakes import Console, console


@pytest.fixture
def project(root: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = project_with_a_fact(open_workspace(root), tmp_path)
    monkeypatch.chdir(folder)
    return folder


async def _asked(seen: Console) -> ImportScreen:
    await seen.press("5")
    await seen.until(lambda: "Applying would" in seen.page)
    assert "+- Prefers functions over classes" in seen.page
    await seen.press("a")
    await seen.until(lambda: isinstance(seen.app.screen, ImportScreen))
    screen = seen.app.screen
    assert isinstance(screen, ImportScreen)
    return screen


async def test_the_first_fact_is_applied_with_the_line_that_the_person_chooses(
    root: str, project: Path
) -> None:
    async with console(ServiceBridge(root), size=(140, 50)) as seen:
        screen = await _asked(seen)
        await seen.until(lambda: "@LEARNED.md" in screen.shown.plain)
        assert screen.query_one(OptionList).option_count == 3
        await seen.press("j")
        await seen.until(lambda: "@AGENTS.md" in screen.shown.plain)
        await seen.press("2")
        await seen.until(lambda: "Applied in 2 files" in seen.toasts)
        assert (project / "CLAUDE.md").read_text() == "@AGENTS.md\n@LEARNED.md\n"
        await seen.burst("z", "y")
        await seen.until(lambda: "Taken back: Applied" in seen.toasts)
    assert [path.name for path in project.glob("*.md")] == ["AGENTS.md"]

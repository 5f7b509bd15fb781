"""The patches' pane on real files, through the bridge, the service and the file watch."""

from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import pytest

from learnloop.service.patches import patches
from learnloop.service.review import verdicts
from learnloop.service.workspace import open_workspace
from learnloop_tui.bridge import ServiceBridge
from learnloop_tui.dialogs.page import ConfirmScreen
from learnloop_tui.panes.patches import PatchesPane
from learnloop_tui.widgets.line_widgets import Page
from tests.tui.fakes import Console, console
from tests.tui.person import at

AGENT = "---\nname: reviewer\ndescription: Reviews changes\n---\n# Reviewer\n\nReview what changed.\n"


@pytest.fixture
def agents(root: str, home: Path) -> Path:
    """A home with two agents, and two rules that say what to patch."""
    folder = home / ".claude" / "agents"
    folder.mkdir(parents=True)
    (folder / "reviewer.md").write_text(AGENT)
    (folder / "tester.md").write_text("Test what changed.")
    ws = open_workspace(root)
    verdicts.add(ws, "Integration tests are run before a change is called done")
    verdicts.add(ws, "Commit messages name the reason of a change")
    return folder


def pane(seen: Console) -> PatchesPane:
    found = seen.app.main.pane
    assert isinstance(found, PatchesPane)
    return found


async def _open(seen: Console, words: str = "Applying would") -> PatchesPane:
    await seen.press("5")
    await seen.until(lambda: words in seen.page)
    return pane(seen)


async def test_a_proposal_is_previewed_applied_and_reverted(root: str, agents: Path) -> None:
    before = {path.name: path.read_bytes() for path in agents.iterdir()}
    async with console(ServiceBridge(root), size=(140, 50)) as seen:
        await _open(seen)
        assert "+- " in seen.page
        assert "A rule that you approved" in seen.page
        await seen.burst("asterisk", *"aaA")
        plan = seen.app.screen.query_one(Page)
        assert "2 will be put into their files" in plan.plain
        assert "Commit messages name the reason" in plan.plain
        await seen.press("y")
        await seen.until(lambda: "Applied in 2 files" in seen.toasts)
        assert all(path.read_text().count("learnloop:begin") == 1 for path in agents.iterdir())
        await seen.until(lambda: not pane(seen).view.items)
        await seen.press("f")
        await seen.until(lambda: "Reverting would" in seen.page)
        await seen.burst("asterisk", "x", "y")
        await seen.until(lambda: "Reverted in 2 files" in seen.toasts)
    assert {path.name: path.read_bytes() for path in agents.iterdir()} == before


async def test_the_state_of_a_file_follows_an_edit_elsewhere_and_a_conflict_is_decided(
    root: str, agents: Path
) -> None:
    file = agents / "reviewer.md"
    patches.apply(open_workspace(root), [patch.id for patch in patches.listing(open_workspace(root))])
    async with console(ServiceBridge(root), size=(140, 50)) as seen:
        await seen.press("5", "f")
        await seen.until(lambda: "● " in seen.page and "Reverting would" in seen.page)
        file.write_text(file.read_text().replace("Review what changed.", "Review all that changed."))
        await seen.until(lambda: "edited elsewhere since" in seen.page)
        words = pane(seen).view.current
        assert words is not None
        assert words.patch is not None
        said = words.patch.block
        file.write_text(file.read_text().replace(said, said + "\n- And by hand."))
        await seen.until(lambda: "Conflict: its block was edited by hand" in seen.page)
        await seen.press("x")
        await seen.until(lambda: seen.app.screen is not seen.app.main)
        await seen.press("1")
        await seen.until(lambda: "By hand." in file.read_text() or "by hand." in file.read_text())
        await seen.until(
            lambda: said + "\n- And by hand." in file.read_text() and _marks(file, words.id) == 0
        )


@pytest.mark.slow
async def test_leaving_a_conflict_leaves_its_file_alone_for_the_others_are_reverted(
    root: str, agents: Path
) -> None:
    patches.apply(open_workspace(root), [patch.id for patch in patches.listing(open_workspace(root))])
    edited = agents / "reviewer.md"
    edited.write_text(edited.read_text().replace(" <!-- learnloop:", " By hand. <!-- learnloop:", 1))
    words = edited.read_text()
    async with console(ServiceBridge(root), size=(140, 50)) as seen:
        await seen.press("5", "f")
        await seen.until(lambda: "Conflict: its block was edited by hand" in seen.page)
        current = pane(seen).view.current
        assert current is not None
        await seen.press("x")
        await seen.until(lambda: seen.app.screen is not seen.app.main)
        assert "esc leaves this file as it is" in str(seen.app.screen.query_one(".box").border_subtitle)
        await seen.press("escape")
    assert edited.read_text() == words
    assert _marks(agents / "tester.md", current.id) == 0


def _marks(file: Path, patch_id: str) -> int:
    return file.read_text().count(f"learnloop:{patch_id}")


async def test_a_proposal_is_looked_at_widely_dismissed_brought_back_and_in_the_history(
    root: str, agents: Path
) -> None:
    async with console(ServiceBridge(root), size=(140, 50)) as seen:
        await _open(seen)
        await seen.press("d")
        await seen.until(lambda: " │ " in seen.page)
        await seen.press("d", "r")
        await seen.until(lambda: seen.app.screen is not seen.app.main)
        await seen.press("1")
        await seen.until(lambda: pane(seen).view.count("dismissed") == 1)
        assert pane(seen).view.count("proposed") == 1
        await seen.press("f", "f", "R")
        await seen.until(lambda: pane(seen).view.count("proposed") == 2)
        await seen.press("f")
        await seen.until(lambda: any(item.entry for item in pane(seen).view.items))


async def test_the_wording_is_edited_before_it_is_applied(root: str, agents: Path) -> None:
    async with console(ServiceBridge(root), size=(140, 50)) as seen:
        await _open(seen)
        await seen.press("e")
        await seen.until(lambda: seen.app.screen is not seen.app.main)
        await seen.press(*" Always!", "ctrl+s")
        await seen.until(lambda: "Always!" in seen.page)
        await seen.burst("a", "y")
        await seen.until(lambda: "Always!" in (agents / "tester.md").read_text())


async def test_what_changed_since_it_was_shown_is_not_applied(root: str, agents: Path) -> None:
    class Unwatched(ServiceBridge):
        async def file_changes(self, folders: Sequence[str]) -> AsyncIterator[None]:
            for _ in ():
                yield

    async with console(Unwatched(root), size=(140, 50)) as seen:
        await _open(seen)
        (agents / "tester.md").write_text("Somebody else was here.")
        await seen.burst("a", "y")
        await seen.until(lambda: "changed since it was previewed" in seen.toasts)
    assert (agents / "tester.md").read_text() == "Somebody else was here."
    assert "learnloop" in (agents / "reviewer.md").read_text()


async def test_letters_behind_an_opener_are_no_verdicts(root: str, agents: Path) -> None:
    async with console(ServiceBridge(root), size=(140, 50)) as seen:
        await _open(seen)
        before = [(path.name, path.read_bytes()) for path in sorted(agents.iterdir())]
        for opener in "er":
            await seen.burst(opener, *"aavR")
            assert seen.app.screen is not seen.app.main
            assert "Applied" not in seen.toasts
            assert [(path.name, path.read_bytes()) for path in sorted(agents.iterdir())] == before
            await seen.burst("escape", "escape")


async def test_a_file_outside_of_the_project_is_written_after_a_question(root: str, agents: Path) -> None:
    before = (agents / "reviewer.md").read_bytes()
    async with console(ServiceBridge(root), size=(140, 50)) as seen:
        await _open(seen)
        await seen.burst("a")
        await seen.until(lambda: isinstance(seen.app.screen, ConfirmScreen))
        await at(seen).sees("outside of the project", "reviewer.md")
        await seen.press("escape")
        await seen.until(lambda: seen.app.screen is seen.app.main)
        assert (agents / "reviewer.md").read_bytes() == before


async def test_a_project_without_an_instruction_file_gets_one_with_a_key(root: str, tmp_path: Path) -> None:
    project = tmp_path / "shop"
    project.mkdir()
    ws = open_workspace(root)
    verdicts.add(ws, "Use pnpm instead of npm", "project", str(project))
    async with console(ServiceBridge(root), size=(140, 50)) as seen:
        await _open(seen, "no CLAUDE.md in shop yet: N creates it")
        await seen.burst("N", "y")
        await seen.until(lambda: "Created" in seen.toasts)
        assert (project / "CLAUDE.md").read_bytes() == b""
        await seen.until(lambda: "Applying would" in seen.page)
        await seen.press("a")
        await seen.until(lambda: "Use pnpm" in (project / "CLAUDE.md").read_text())

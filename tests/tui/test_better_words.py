"""Better words for drafts in the console: asked for beside it, shown as a diff, taken by the person alone."""

from pathlib import Path

import pytest

from learnloop.service import workspace
from learnloop.service.facts import listing
from learnloop.service.lessons import documents
from learnloop.service.workspace import Workspace
from learnloop_tui.bridge import ServiceBridge
from learnloop_tui.dialogs.confirm import ConfirmScreen
from learnloop_tui.dialogs.words_diff import BetterWordsScreen
from tests.distill.model_scene import FakeModel, allow
from tests.fact_scene import fact, facts, say
from tests.tui.fakes import Console, console

BETTER = {
    "p1": "Use pnpm for installing packages, not npm",
    "p2": "Log with structlog in handlers, not print",
}


@pytest.fixture
def ws(ws: Workspace) -> Workspace:
    say(ws.root, "install the packages", "no, don't use npm here, we use pnpm for installing packages")
    say(ws.root, "log the order", "no, don't print in handlers, always log with structlog", session="s2")
    workspace.ingest(ws)
    return ws


@pytest.fixture
def model(ws: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakeModel:
    fake = FakeModel(tmp_path / "model", monkeypatch)
    allow(ws.root)
    return fake


def _statements(ws: Workspace) -> set[str]:
    return {str(doc["statement"]) for doc in documents.lessons(ws.root).values()}


async def _shown(seen: Console) -> str:
    await seen.until(lambda: "shows them" in seen.toasts)
    await seen.press("L")
    return await _diff(seen)


async def _diff(seen: Console) -> str:
    await seen.until(lambda: isinstance(seen.app.screen, BetterWordsScreen))
    screen = seen.app.screen
    assert isinstance(screen, BetterWordsScreen)
    await seen.until(lambda: "+ " in screen.page.plain)
    return screen.page.plain


@pytest.mark.parametrize(("key", "is_taken"), [("enter", True), ("escape", False)])
async def test_the_diff_is_taken_or_left(ws: Workspace, model: FakeModel, key: str, is_taken: bool) -> None:
    before = _statements(ws)
    async with console(ServiceBridge(ws.root)) as seen:
        await seen.until(lambda: len(seen.rows) == 2)
        better = BETTER["p1" if "npm" in seen.current else "p2"]
        model.answers(facts(fact(better)))
        old = seen.current
        await seen.press("L")
        diff = await _shown(seen)
        assert f"- {old}" in diff
        assert f"+ {better}." in diff
        await seen.press(key)
        await seen.until(lambda: seen.app.screen is seen.app.main)
        if is_taken:
            await seen.until(lambda: "z takes it back" in seen.toasts)
            assert f"{better}." in _statements(ws)
            await seen.press("z")
            await seen.until(lambda: "Taken back" in seen.toasts)
    assert _statements(ws) == before


async def test_marks_are_asked_about_in_one_call_after_the_cost(ws: Workspace, model: FakeModel) -> None:
    async with console(ServiceBridge(ws.root)) as seen:
        await seen.until(lambda: len(seen.rows) == 2)
        names = ["p1", "p2"] if "npm" in seen.rows[0] else ["p2", "p1"]
        model.answers(facts(*(fact(BETTER[name], f"p{at}") for at, name in enumerate(names, 1))))
        await seen.press("asterisk", "L")
        await seen.until(lambda: isinstance(seen.app.screen, ConfirmScreen))
        assert model.seen == []
        await seen.press("y")
        await _shown(seen)
        await seen.press("enter")
        await seen.until(lambda: "1 more" not in str(seen.app.screen.query_one(".box").border_title))
        await _diff(seen)
        await seen.press("enter")
        await seen.until(lambda: seen.toasts.count("z takes it back") == 2)
    assert _statements(ws) == {f"{words}." for words in BETTER.values()}
    assert [run.prompts for run in listing.runs(ws)] == [2]


async def test_where_no_model_may_read_it_says_how_to_switch_on(ws: Workspace) -> None:
    async with console(ServiceBridge(ws.root)) as seen:
        await seen.until(lambda: len(seen.rows) == 2)
        await seen.press("L")
        await seen.until(lambda: "learn facts on" in seen.toasts)


async def test_a_model_that_hangs_holds_nothing_up(
    ws: Workspace, model: FakeModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    model.answers(facts())
    model.command(monkeypatch, "hang-after-trial", str(model.folder), "{schema}")
    async with console(ServiceBridge(ws.root)) as seen:
        await seen.until(lambda: len(seen.rows) == 2)
        await seen.press("L")
        await seen.until(lambda: (model.folder / "hangs").exists())
        await seen.press("s")
        await seen.until(lambda: "Applies everywhere now" in seen.toasts)
    assert listing.runs(ws)[0].error == "it was stopped"

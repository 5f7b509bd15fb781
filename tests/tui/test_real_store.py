"""The console on real stores: through the bridge, the service and the file watcher."""

import os
from pathlib import Path

import pytest
from textual.widgets import Input

from learnloop.models.decision import DecisionPlace
from learnloop.service import place
from learnloop.service.lessons import documents, rows
from learnloop.service.review import verdicts
from learnloop.service.workspace import open_workspace
from learnloop.wire import paths
from learnloop_tui.bridge import ServiceBridge
from learnloop_tui.dialogs.page import ConfirmScreen
from tests.cli.store import lesson, seed
from tests.demo_stores import DemoStores
from tests.generated_drafts import seed_queue
from tests.recorded_events import correct, write
from tests.tui.fakes import NOW_MS, console

HOSTILE = "no, don't use [/pip] \x1b[31m\u202e, use uv"


@pytest.fixture
def seeded(root: str, demo_stores: DemoStores) -> str:
    """A copy of the demo."""
    demo_stores.copy(root)
    return root


@pytest.mark.slow
async def test_a_verdict_is_undone_after_a_restart(seeded: str) -> None:
    ws = open_workspace(seeded)
    async with console(ServiceBridge(seeded)) as seen:
        first = seen.current
        await seen.press("p")
        await seen.until(lambda: "Kept “" in seen.toasts and not seen.app.verdicts.pending)
        assert first not in seen.rows
    promoted = [row for row in rows.rows(ws, "active") if row.statement == first]
    assert len(promoted) == 1
    async with console(ServiceBridge(seeded)) as seen:
        assert first not in seen.rows
        await seen.press("z")
        await seen.until(lambda: isinstance(seen.app.screen, ConfirmScreen))
        await seen.press("escape", "z")
        await seen.until(lambda: isinstance(seen.app.screen, ConfirmScreen))
        assert first not in seen.rows, "it is asked first"
        await seen.press("y")
        await seen.until(lambda: first in seen.rows)
        await seen.press("Z", "y")
        await seen.until(lambda: first not in seen.rows)


@pytest.mark.slow
async def test_reject_edit_and_scope_reach_the_store(seeded: str) -> None:
    ws = open_workspace(seeded)
    async with console(ServiceBridge(seeded)) as seen:
        rejected, edited = (row.id for row in rows.rows(ws, "draft")[:2])
        await seen.press("r")
        await seen.until(lambda: seen.app.screen is not seen.app.main)
        await seen.press("1")
        await seen.until(lambda: documents.find(ws, rejected).status == "rejected")
        await seen.press("s")
        await seen.until(lambda: documents.find(ws, edited).scope == "global")
        await seen.press("e")
        await seen.until(lambda: seen.app.screen is not seen.app.main)
        seen.app.screen.query_one("#title", Input).value = "A better title"
        await seen.press("ctrl+s")
        await seen.until(lambda: documents.find(ws, edited).title == "A better title")
    assert documents.find(ws, rejected).rejection_reason == "wrong"


async def test_a_command_that_has_to_pass_is_typed_into_the_form(
    root: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = DecisionPlace(terminal="pts/1", parents=("bash",), attended=True, since_ms=1)
    monkeypatch.setattr(place, "here", lambda: here)
    taught = lesson(
        "passes" + "a" * 20, status="active", project=str(tmp_path), statement="Lint has to pass."
    )
    seed(root, (taught,))
    ws = open_workspace(root)
    async with console(ServiceBridge(root)) as seen:
        await seen.press("2", "e")
        await seen.until(lambda: seen.app.screen is not seen.app.main)
        seen.app.screen.query_one("#run", Input).value = "true --all"
        await seen.press("ctrl+s")
        await seen.until(lambda: documents.find(ws, taught.id).run is not None)
    run = documents.find(ws, taught.id).run
    assert run
    assert run.words.endswith(f"/true --all` in {tmp_path} passes")


async def test_a_lesson_of_one_folder_says_who_hears_it_and_s_widens_it_to_the_project(root: str) -> None:
    folder = lesson("folder" + "a" * 20, scope="module", path="tests", statement="Fixtures are pure.",
                    confidence=0.9)  # fmt: skip
    seed(root, (folder,))
    async with console(ServiceBridge(root)) as seen:
        await seen.until(
            lambda: "told only if a session starts in tests/ itself" in " ".join(seen.page.split())
        )
        assert "a session starts in tests/ itself, and in no other" in " ".join(seen.page.split())
        assert "s whole project" in seen.page
        assert "of every session" not in seen.page
        await seen.press("s")
        await seen.until(lambda: documents.find(open_workspace(root), folder.id).scope == "project")
        await seen.until(lambda: "told at every session start" in " ".join(seen.page.split()))


async def test_what_a_hook_writes_is_shown_and_its_draft_follows_without_a_key(seeded: str) -> None:
    async with console(ServiceBridge(seeded)) as seen:
        await seen.press("f", "j", "space")
        current, marks, before = seen.current, seen.app.main.triage.view.marks, len(seen.rows)
        correct(seeded, HOSTILE)
        await seen.until(lambda: "use [/pip]" in seen.bar("live"))
        await seen.until(lambda: len(seen.rows) > before)
        assert any("uv" in statement for statement in seen.rows)
        assert (seen.current, seen.app.main.triage.view.marks) == (current, marks)
        for line in (seen.bar("live"), seen.page, *seen.row_list.plain):
            assert "\x1b" not in line
            assert "\u202e" not in line


async def test_what_the_command_line_does_shows_in_an_open_console(seeded: str) -> None:
    async with console(ServiceBridge(seeded)) as seen:
        first = seen.current
        verdicts.promote(open_workspace(seeded), [rows.rows(open_workspace(seeded), "draft")[0].id])
        await seen.until(lambda: first not in seen.rows)


async def test_an_empty_machine_is_greeted_and_hears_the_first_prompt(root: str) -> None:
    async with console(ServiceBridge(root)) as seen:
        await seen.until(lambda: seen.app.main.pane.PLACE == "welcome")
        assert " i install hooks" in seen.bar("keys")
        await seen.press("i")
        await seen.until(lambda: seen.app.screen is not seen.app.main)
        await seen.press("enter")
        await seen.until(lambda: "Waiting for your first prompt" in seen.page)
        await seen.until(lambda: "install" not in seen.bar("keys"))
        assert "hooks" in Path(os.environ["HOME"], ".claude", "settings.json").read_text("utf-8")
        write(root, "prompt", "p1", prompt="hello there")
        await seen.until(lambda: "hello there" in seen.page)


async def test_an_open_console_is_known_by_its_lock(root: str) -> None:
    import fcntl

    async with console(ServiceBridge(root)) as seen:
        await seen.until(lambda: seen.app.main.following)
        with Path(root, "console.lock").open("w") as file, pytest.raises(BlockingIOError):
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    with Path(root, "console.lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


@pytest.mark.slow
async def test_ten_thousand_rows_open_and_move(root: str) -> None:
    seed_queue(root, 10_000, now_ms=NOW_MS)
    async with console(ServiceBridge(root)) as seen:
        await seen.press("f", "G")
        assert len(seen.rows) == 10_001
        assert seen.app.main.triage.view.cursor == 10_000
        assert seen.row_list.plain[-1].startswith("▌")


async def test_health_reads_the_real_thing(seeded: str) -> None:
    async with console(ServiceBridge(seeded), size=(120, 60)) as seen:
        await seen.press("6", "d")
        await seen.until(lambda: "Looking" not in seen.page)
        for words in ("UserPromptSubmit", "journal", "segments", "quarantine", "hook errors"):
            assert words in seen.page


async def test_a_theme_is_there_again_after_a_restart(seeded: str) -> None:
    async with console(ServiceBridge(seeded)) as seen:
        before = seen.app.theme
        await seen.press("ctrl+t")
        chosen = seen.app.theme
        assert chosen != before
        await seen.until(lambda: Path(paths.config_file()).exists())
    async with console(ServiceBridge(seeded)) as seen:
        assert seen.app.theme == chosen


async def test_a_lesson_that_is_kept_is_shown_where_it_may_stand_in_a_file(root: str, home: Path) -> None:
    file = home / ".claude" / "CLAUDE.md"
    file.parent.mkdir(parents=True)
    file.write_text("# Mine\n")
    seed(root, (lesson("keep" + "2" * 22, statement="Answer in French.", scope="global", project=""),))
    async with console(ServiceBridge(root)) as seen:
        await seen.press("a")
        await seen.until(lambda: "No prompt file is proposed" in seen.toasts)
        await seen.press("p")
        await seen.until(lambda: "Also in CLAUDE.md? a" in seen.toasts)
        await seen.press("a")
        await seen.until(lambda: seen.app.main.pane.PLACE == "patches" and seen.view.current)
        await seen.until(lambda: "+- Answer in French." in seen.details.plain)
        await seen.press("a")
        await seen.until(lambda: isinstance(seen.app.screen, ConfirmScreen))
        await seen.press("y")
        await seen.until(lambda: "Answer in French." in file.read_text())

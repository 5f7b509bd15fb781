"""The memory pane on a real store: tasks, memories, days, and what agents are told."""

from functools import partial

import pytest

from learnloop.ingest.run import ingest
from learnloop.service.memory import memory_list, near_tasks
from learnloop.service.tasks import task_list
from learnloop.service.workspace import Workspace
from learnloop_tui.bridge import ServiceBridge
from learnloop_tui.panes.lessons import LessonsPane
from learnloop_tui.panes.task_memory import MemoryPane
from learnloop_tui.panes.triage import TriagePane
from tests.ingest.session_scene import Scene, write
from tests.ingest.test_earlier_tasks import NOON, PROJECT, corrected, others
from tests.ingest.test_primed_tasks import told
from tests.ingest.told_lessons import add
from tests.tui.fakes import Console, console
from tests.vectors import stores, tiny_model

DAY_MS = 86_400_000


@pytest.fixture
def history(ws: Workspace) -> None:
    again = Scene("s3", start=NOON + 1_200_000).prompt("The guest checkout shows the cart page twice", "p1")
    again.call("Edit", f"{PROJECT}/src/cart.ts", prompt_id="p1").stop(prompt_id="p1")
    write(ws.root, *others(), corrected("s1"), again)
    ingest(ws.root)


def _reads(seen: Console, words: str) -> bool:
    return words in seen.page


async def _open(seen: Console) -> MemoryPane:
    pane = await seen.open(MemoryPane)
    await seen.until(lambda: pane.view.items and pane.row_list.plain[0].strip("│▐ "))
    return pane


async def _turn(seen: Console, pane: MemoryPane, shown: str) -> None:
    await seen.press("f")
    await seen.until(lambda: pane.view.shown == shown and pane.view.loaded)


@pytest.mark.usefixtures("history")
@pytest.mark.slow
async def test_a_task_is_shown_with_its_steps_and_found_by_the_filter(ws: Workspace) -> None:
    async with console(ServiceBridge(ws.root)) as seen:
        pane = await _open(seen)
        await seen.until(lambda: "The guest checkout shows the cart page" in pane.row_list.plain[0])
        page = " ".join(seen.page.split())
        assert "unknown, nobody said" in page
        assert "✓ Edit" in page
        assert "Agents are not told earlier tasks in shop" in " ".join(page.split())
        await seen.press("slash", *"kind:code guest", "enter")
        await seen.until(lambda: pane.view.shown_count == 2)


@pytest.mark.usefixtures("history")
@pytest.mark.slow
async def test_tasks_are_grouped_by_how_they_went_what_they_were_and_where(ws: Workspace) -> None:
    async with console(ServiceBridge(ws.root)) as seen:
        pane = await _open(seen)
        for heading in ("unknown", "code", "shop"):
            await seen.press("v")
            assert heading in "".join(item.name for item in pane.view.items if not pane.view.is_row(item))


@pytest.mark.usefixtures("history")
async def test_a_memory_is_hidden_and_pinned_and_undone(ws: Workspace) -> None:
    def marks() -> list[tuple[bool, bool]]:
        return [(each.hidden, each.pinned) for each in memory_list.memories(ws, "is:hidden,pinned")]

    async with console(ServiceBridge(ws.root)) as seen:
        pane = await _open(seen)
        assert "Only a memory" in pane.why_not("archive")
        await _turn(seen, pane, "memories")
        await seen.press("x")
        await seen.until(lambda: pane.view.current and pane.view.current.hidden)
        await seen.press("p")
        await seen.until(lambda: pane.view.current and pane.view.current.pinned)
        assert marks() == [(True, True)]
        await seen.press("x")
        await seen.until(lambda: pane.view.current and not pane.view.current.hidden)
        await seen.press("z")
        await seen.until(lambda: pane.view.current and pane.view.current.hidden)


@pytest.mark.usefixtures("history")
async def test_a_switch_is_seen_at_once_beside_lessons_that_are_looked_up(ws: Workspace) -> None:
    add(ws, "Dates are written as in ISO 8601.")
    async with console(ServiceBridge(ws.root)) as seen:
        lessons = await seen.open(LessonsPane)
        await seen.until(lambda: lessons.view.current)
        pane = await _open(seen)
        for on, words in ((True, "Agents are told earlier"), (False, "Agents are not told earlier")):
            await seen.press("P")
            await seen.until(partial(_reads, seen, words))
            assert [(place.project, place.on) for place in near_tasks.places(ws)] == [(PROJECT, on)]
            await _turn(seen, pane, "memories" if on else "days")


@pytest.mark.usefixtures("history")
async def test_a_task_names_the_sessions_that_were_told_of_it(ws: Workspace) -> None:
    newest = task_list.newest(ws)[0]
    write(ws.root, told("later", newest.id, NOON + DAY_MS))
    ingest(ws.root)
    async with console(ServiceBridge(ws.root)) as seen:
        pane = await _open(seen)
        pane.go(next(at for at, row in enumerate(pane.view.items) if row.id == newest.id))
        await seen.until(lambda: "Told to later sessions (1)" in seen.page)
        assert "main · session later · score 77" in " ".join(seen.page.split())


@pytest.mark.usefixtures("history")
async def test_the_log_of_a_day_is_read(ws: Workspace) -> None:
    async with console(ServiceBridge(ws.root)) as seen:
        pane = await _open(seen)
        await _turn(seen, pane, "memories")
        await _turn(seen, pane, "days")
        await seen.until(lambda: pane.view.items)
        pane.go(next(at for at, row in enumerate(pane.view.items) if row.id == "2026-03-10"))
        await seen.until(lambda: "Daily Log - 2026-03-10" in seen.page)
        assert "auto-generated" not in seen.page
        assert "2026-03-11" not in {row.id for row in pane.view.items}, "no task was on that day"


@pytest.mark.usefixtures("history")
async def test_the_drafts_of_a_day_are_opened_from_its_log(ws: Workspace) -> None:
    async with console(ServiceBridge(ws.root)) as seen:
        pane = await _open(seen)
        await _turn(seen, pane, "memories")
        await _turn(seen, pane, "days")
        await seen.until(lambda: pane.view.items)
        pane.go(next(at for at, row in enumerate(pane.view.items) if row.id == "2026-03-10"))
        await seen.until(lambda: "draft: learn promote" in seen.page)
        await seen.press("p")
        await seen.until(lambda: isinstance(seen.app.main.pane, TriagePane))
        await seen.until(lambda: "pnpm" in seen.page)


@pytest.mark.usefixtures("history")
@pytest.mark.slow
async def test_the_filter_finds_tasks_by_what_they_mean_where_a_model_is_named(ws: Workspace) -> None:
    tiny_model.needs_extra()
    stores.with_model(ws.root)
    near_tasks.rebuild_vectors(ws, lambda *_: None)
    async with console(ServiceBridge(ws.root)) as seen:
        pane = await _open(seen)
        await seen.press("slash", *"visitor")
        await seen.until(lambda: {task.title.split()[0] for task in pane.view.items} == {"Add", "The"})
        await seen.press(*" kind:docs")
        await seen.until(lambda: not pane.view.items)

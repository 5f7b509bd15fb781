"""Two consoles on one store, in processes and terminals of their own, and a command line besides."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from learnloop.service.lessons import documents, rows
from learnloop.service.workspace import Workspace, open_workspace
from tests.generated_drafts import seed_queue
from tests.tui.person import at_terminal, environment

DRAFTS = 240

pytestmark = pytest.mark.long  # whole processes in terminals of their own: a crowded machine makes them wait


@pytest.fixture
def ws(root: str) -> Workspace:
    """A store with drafts."""
    seed_queue(root, DRAFTS)
    return open_workspace(root)


def count(ws: Workspace, status: str) -> int:
    """Lessons of a status, read anew."""
    return len(rows.rows(ws, status))


async def test_what_one_does_shows_in_the_other_and_is_undone_there(ws: Workspace) -> None:
    with at_terminal(ws.root) as ada, at_terminal(ws.root) as ben:
        await ada.sees("Inbox 240", "│▌")
        await ben.sees("Inbox 240", "│▌")
        words = (await ada.row())[2:32]
        await ada.promotes(words)
        await ben.sees("Inbox 239", "2 Lessons 1")
        await ben.undoes()
        await ben.sees("Inbox 240", words)
        await ada.sees("Inbox 240", "2 Lessons 0", words)
        assert count(ws, "active") == 0
        await ada.types("Z")
        await ada.sees("Done again")
        await ben.sees("Inbox 239")
    assert count(ws, "active") == 1


@pytest.mark.timeout(240)
@pytest.mark.parametrize("each", [8, pytest.param(100, marks=pytest.mark.long)])
async def test_of_the_verdicts_of_two_hands_none_is_lost(ws: Workspace, each: int) -> None:
    """One works from the top, the other from the bottom, neither waits for the other."""
    left = DRAFTS - 2 * each
    with at_terminal(ws.root) as ada, at_terminal(ws.root) as ben:
        for person in (ada, ben):
            await person.sees("Inbox 240", "│▌")
            await person.types("f")
            await person.sees("more: ", "— w folds")
        await ben.types("G")
        await ben.sees_no("— w folds")
        for _ in range(each):
            await ada.promotes_this()
            await ben.rejects_this()
        for person in (ada, ben):
            await person.sees(f"Inbox {left} ", f"2 Lessons {each} ")
    assert (count(ws, "active"), count(ws, "rejected"), count(ws, "draft")) == (each, each, left)
    decided = [
        decision for decision in documents.decisions(ws.root) if decision.action in ("promote", "reject")
    ]
    assert len(decided) == 2 * each


async def test_the_command_line_promotes_beside_an_open_console(ws: Workspace) -> None:
    learn = str(Path(sys.executable).with_name("learn"))
    plain = [row.id for row in rows.rows(ws, "draft") if row.trust == "user" and not row.needs_words]
    chosen = plain[-20:]
    with at_terminal(ws.root) as person:
        await person.sees("Inbox 240", "│▌")
        running = [
            subprocess.Popen([learn, "promote", *chosen[at : at + 5]], env=environment(ws.root))
            for at in range(0, 20, 5)
        ]
        for _ in range(10):
            await person.promotes_this()
        await person.sees("Inbox 210", "2 Lessons 30")
        assert [one.wait(60) for one in running] == [0] * 4
    assert (count(ws, "active"), count(ws, "draft")) == (30, DRAFTS - 30)

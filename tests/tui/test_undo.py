"""Every verdict of the console, done, undone, done again: the same state each time, in one step each."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from learnloop.service.lessons import documents
from learnloop.service.patches import patches
from learnloop.service.profile import belief_verdicts
from learnloop.service.workspace import open_workspace
from learnloop_tui.bridge import ServiceBridge
from tests.demo_stores import DemoStores
from tests.tui.fakes import Console, console


class Act(NamedTuple):
    """A verdict: where, on which rows (by a test on what the list has), with which keys."""

    name: str
    place: str
    keys: tuple[str, ...]
    fits: Callable[[Any], bool] = lambda _: True
    marks: int = 0
    first: tuple[str, ...] = ()
    """Keys of a verdict that has to be given before."""
    turns: tuple[str, ...] = ()
    """Keys that lead to the list where its row stands then, and back."""
    turned: Callable[[Any], bool] = lambda _: True
    """Whether a row of that list is the one."""
    turns_back: tuple[str, ...] = ()
    opens: tuple[str, ...] = ()
    """Keys of a dialog that takes nothing which was typed before it stood there."""
    writes: bool = False
    """Undo and redo write a file, so they ask."""


def _draft(row: Any) -> bool:
    return bool(row.status == "draft" and not row.needs_words and not row.external)


def _active(row: Any) -> bool:
    return bool(row.status == "active" and not row.paused)


ACTS = (
    Act("promote", "1", ("1",), lambda row: _draft(row) and "ruff format" in row.statement, opens=("p",)),
    Act("promote with words", "1", (*" Tabs.", "enter"), lambda row: row.needs_words, opens=("p",)),
    Act("promote several", "1", ("p", "y"), _draft, 3),
    Act("reject", "1", ("r", "w"), _draft),
    Act("reject several", "1", ("r", "o"), _draft, 3),
    Act("edit", "1", ("e", "tab", *"More ", "ctrl+s"), _draft),
    Act("scope", "1", ("s",), lambda row: row.scope == "project"),
    Act("scope of several", "1", ("s", "y"), lambda row: row.scope == "project", 2),
    Act("only tell", "2", ("3",), lambda row: _active(row) and "uv" in row.statement, opens=("t",)),
    Act("merge", "2", ("m", "enter"), lambda row: _active(row) and row.scope == "global", 2),
    Act("archive", "2", ("x", "u"), _active),
    Act("archive several", "2", ("x", "s"), _active, 2),
    Act("restore", "2", ("R",), lambda row: row.status == "archived"),
    Act("restore several", "2", ("R", "y"), lambda row: row.status in ("archived", "rejected"), 2),
    Act("pause", "2", ("P",), _active),
    Act("resume", "2", ("P",), _active, first=("P",)),
    Act("pause several", "2", ("P", "enter"), _active, 2),
    Act("rate helpful", "2", ("plus",), lambda row: _active(row) and row.recalled > 0),
    Act("rate harmful", "2", ("minus",), lambda row: _active(row) and row.recalled > 0),
    Act("confirm", "yours", ("p",), lambda one: one.state == "open" and one.group == "agent"),
    Act("drop", "yours", ("r",), lambda one: one.state == "open" and one.group == "project"),
    Act(
        "reword", "yours", ("e", *" Yes.", "enter"), lambda one: one.state == "open" and one.group == "agent"
    ),
    Act("decide between two rules", "yours", ("p", "1"), lambda one: one.group == "contradiction"),
    Act("apply", "5", ("a", "y"), writes=True),
    Act("dismiss", "5", ("r", "1")),
    Act("edit a block", "5", ("e", *" Yes.", "ctrl+s")),
    Act(
        "revert",
        "5",
        ("x",),
        first=("a", "y"),
        turns=("f",),
        turned=lambda row: row.standing == "clean",
        turns_back=("F",),
        writes=True,
    ),
    Act(
        "bring back",
        "5",
        ("R",),
        first=("r", "1"),
        turns=("f", "f"),
        turned=lambda row: "pnpm" in row.patch.block,
        turns_back=("F", "F"),
    ),
)


def _state(root: str) -> dict[str, Any]:
    """All that verdicts change, as plain values."""
    ws = open_workspace(root)
    found = {
        "lessons": dict(documents.lessons(root)),
        "believed": [one.as_json() for part in belief_verdicts.belief_page(ws)[1:] for one in part],
        "preferences": belief_verdicts.belief_page(ws).preferences.as_json(),
        "patches": [
            [one.id, one.state, one.block, one.reason_dismissed, [target.path for target in one.targets]]
            for one in patches.listing(ws)
        ],
        "files": {str(path): path.read_text("utf-8") for path in Path(os.environ["HOME"]).rglob("*.md")},
    }
    return dict(json.loads(json.dumps(found, default=str), object_hook=_without_times))


def _without_times(found: dict[str, Any]) -> dict[str, Any]:
    """When a document was written last is no part of what was decided; a null says what no field says."""
    left_out = ("updated", "last_updated")
    return {name: value for name, value in found.items() if value is not None and name not in left_out}


@pytest.fixture
def home(root: str, demo_stores: DemoStores) -> str:
    """The demo, and an agent's file that rules can be patched into."""
    demo_stores.copy(root)
    folder = Path(os.environ["HOME"], ".claude", "agents")
    folder.mkdir(parents=True)
    (folder / "tester.md").write_text("---\nname: tester\ndescription: Tests\n---\n# Tester\n")
    return root


async def _open(seen: Console, place: str) -> None:
    await (seen.press(place) if place.isdigit() else seen.app.main.open("preferences"))
    await seen.until(lambda: seen.view.loaded and seen.view.items)
    if place == "1":
        await seen.press("f")
    if place == "5":
        await seen.until(lambda: "Applying would" in seen.page, 8)


async def _choose(seen: Console, act: Act, fits: Callable[[Any], bool]) -> None:
    """The cursor on a row that fits, or marks on as many as are wanted."""
    items = seen.view.items
    fitting = [at for at, item in enumerate(items) if seen.view.is_row(item) and fits(item)]
    assert fitting, f"a row for: {act.name}"
    for at in fitting[: max(1, act.marks)]:
        await seen.burst("g", *["j"] * at, *(["space"] if act.marks else []))


@pytest.mark.slow
@pytest.mark.parametrize("place", "1245")
async def test_undone_and_done_again_it_is_the_same(home: str, place: str) -> None:
    def decided() -> int:
        return len(documents.decisions(home))

    async def written(count: int) -> None:
        await seen.until(lambda: decided() == count and not seen.app.verdicts.pending)

    async with console(ServiceBridge(home), size=(110, 24)) as seen:
        await _open(seen, place)
        for act in (act for act in ACTS if act.place == place):
            start = _state(home)
            await _choose(seen, act, act.fits)
            before, count = start, decided()
            if act.first:
                await seen.burst(*act.first)
                await written(count + 1)
                before, count = _state(home), decided()
                if act.turns:
                    await seen.press(*act.turns)
                    await seen.until(lambda: seen.view.items)
                    await _choose(seen, act, act.turned)
            await seen.burst(*act.opens)
            await seen.burst(*act.keys)
            await written(count + 1)
            after = _state(home)
            assert after != before, f"{act.name} changes something"
            steps = [("z", before), ("Z", after), ("z", before), *([("z", start)] if act.first else [])]
            for at, (key, wanted) in enumerate(steps, 2):
                await seen.burst(key, *(["y"] if act.writes else []))
                await written(count + at)
                assert _state(home) == wanted, f"{key} after: {act.name}"
            await seen.press(*act.turns_back)
            await seen.until(lambda: seen.view.items)

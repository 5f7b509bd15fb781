"""The rows of last time: shown while the real ones are read, and never longer."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from learnloop.service.lessons import rows as lesson_rows
from learnloop.service.transfer import forget
from learnloop.service.workspace import open_workspace
from learnloop_tui.app.app import ConsoleApp
from learnloop_tui.bridge import ServiceBridge, row_cache
from learnloop_tui.view.state import Snapshot
from tests.generated_drafts import seed_queue
from tests.tui.fake_rows import row
from tests.tui.fakes import NOW_MS, Console, console, lesson
from tests.tui.slow_bridge import SlowBridge

if TYPE_CHECKING:
    from learnloop_tui.view.state import Row


async def test_rows_of_last_time_are_shown_until_the_real_ones_are() -> None:
    gone = lesson(1, statement="It was archived meanwhile")
    bridge: Any = SlowBridge(lesson(2), lesson(3))
    bridge.cached = Snapshot((row(gone), row(lesson(2))))
    app = ConsoleApp(bridge, clock=lambda: NOW_MS)
    async with app.run_test(size=(120, 30), notifications=True) as pilot:
        seen = Console(app, pilot)
        await seen.until(lambda: seen.rows == ["It was archived meanwhile", "tool2 is used here"])
        bridge.ready.set()
        await seen.until(lambda: seen.rows == ["tool2 is used here", "tool3 is used here"])
        await seen.until(lambda: "tool2 is used here" in seen.page)
        assert "failed" not in seen.toasts


@pytest.fixture
def rows() -> tuple[Row, ...]:
    """Enough of them to be kept."""
    return tuple(row(lesson(number)) for number in range(row_cache.FEWEST))


@pytest.fixture
def stamp(tmp_path: Path) -> tuple[int, int]:
    """The file of lessons that the rows are read from."""
    store = tmp_path / "store"
    store.mkdir()
    (store / "lessons.json").write_text("{}")
    return row_cache.stamp(str(tmp_path))


@pytest.mark.parametrize("forgotten", ["all", "some"])
def test_rows_of_a_file_that_is_gone_are_not_written_back(
    tmp_path: Path, rows: tuple[Row, ...], stamp: tuple[int, int], forgotten: str
) -> None:
    file = tmp_path / "store" / "lessons.json"
    if forgotten == "some":
        (tmp_path / "new").write_text("{}")
        (tmp_path / "new").replace(file)
    else:
        shutil.rmtree(file.parent)
    row_cache.write(str(tmp_path), Snapshot(rows, 7, "nord"), stamp)
    assert not Path(row_cache.path(str(tmp_path))).exists()


def test_what_is_kept_is_what_was_shown(
    tmp_path: Path, rows: tuple[Row, ...], stamp: tuple[int, int]
) -> None:
    row_cache.write(str(tmp_path), Snapshot(rows, 7, "nord"), stamp)
    found = row_cache.read(str(tmp_path))
    assert found is not None
    assert (found.strongest, found.theme) == (7, "nord")
    assert found.rows == tuple(one._replace(words="") for one in rows)
    assert Path(row_cache.path(str(tmp_path))).stat().st_mode & 0o777 == 0o600


def test_a_file_that_is_not_whole_is_none(
    tmp_path: Path, rows: tuple[Row, ...], stamp: tuple[int, int]
) -> None:
    row_cache.write(str(tmp_path), Snapshot(rows), stamp)
    file = Path(row_cache.path(str(tmp_path)))
    whole = file.read_bytes()
    head = whole.index(b"\n")
    for damaged in (
        b"",
        whole[:head],
        whole[:-1],
        whole[: head + 100],
        b"{}\n" + whole[head + 1 :],
        b"[1]\nx",
    ):
        file.write_bytes(damaged)
        assert row_cache.read(str(tmp_path)) is None
    file.write_bytes(whole.replace(b"tool17 ", b"tool18 ", 1))
    assert row_cache.read(str(tmp_path)) is None


async def test_a_console_leaves_its_rows_and_forgetting_takes_them(root: str) -> None:
    seed_queue(root, row_cache.FEWEST, now_ms=NOW_MS)
    async with console(ServiceBridge(root)) as seen:
        first = seen.current
        await seen.press("p")
        await seen.until(lambda: "Kept “" in seen.toasts and not seen.app.verdicts.pending)
    found = row_cache.read(root)
    assert found is not None
    assert first in [one.statement for one in found.rows if one.status == "active"]
    project = lesson_rows.rows(open_workspace(root), "draft")[0].project
    forget.forget(open_workspace(root), project=project)
    assert row_cache.read(root) is None

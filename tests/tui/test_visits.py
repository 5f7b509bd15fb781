"""Since the last visit: what is new stands in one quiet line, and only a real visit counts as one."""

import stat
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from learnloop.service.health import visits
from learnloop.service.workspace import ingest, open_workspace
from learnloop.wire import clock, paths
from learnloop_tui.app.app import ConsoleApp
from learnloop_tui.app.news import SHORTEST_MS
from learnloop_tui.bridge import ServiceBridge
from learnloop_tui.widgets.line_widgets import Bar
from tests.recorded_events import correct
from tests.tui.fakes import Console


class Clock:
    """A clock that a test moves on."""

    def __init__(self) -> None:
        self.ms = clock.now_ms()

    def __call__(self) -> int:
        return self.ms


@asynccontextmanager
async def visit(root: str, lasting_ms: int = SHORTEST_MS) -> AsyncIterator[Console]:
    """A visit that lasts so long."""
    now = Clock()
    app = ConsoleApp(ServiceBridge(root), clock=now)
    async with app.run_test(size=(140, 30), notifications=True) as pilot:
        made = Console(app, pilot)
        await made.until(lambda: app.health.pulse is not None and app.main.following)
        await made.until(lambda: app.visit.is_news_read)
        await pilot.pause()
        yield made
        now.ms += lasting_ms


def _news(seen: Console) -> str:
    return "".join(bar.plain for bar in seen.app.main.query("#news").results(Bar))


async def test_the_first_visit_shows_nothing_and_the_next_what_came_since(root: str) -> None:
    ws = open_workspace(root)
    correct(root, "no, use uv instead of pip")
    ingest(ws, wait_s=10)
    async with visit(root) as seen:
        assert _news(seen) == ""
    path = Path(paths.visit(root))
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert "uv" not in path.read_text("utf-8")
    async with visit(root) as seen:
        assert _news(seen) == ""
    correct(root, "no, always use tabs in makefiles")
    ingest(ws, wait_s=10)
    async with visit(root) as seen:
        await seen.until(lambda: "1 new draft" in _news(seen))
        assert "Since " in _news(seen)
        await seen.press("exclamation_mark")
        await seen.until(lambda: seen.app.screen is not seen.app.main)
        await seen.press("escape")
        await seen.until(lambda: seen.app.screen is seen.app.main)
        await seen.press("escape")
        await seen.until(lambda: _news(seen) == "")
    async with visit(root) as seen:
        assert _news(seen) == ""


async def test_a_visit_too_short_to_read_anything_does_not_count(root: str) -> None:
    ws = open_workspace(root)
    async with visit(root):
        pass
    correct(root, "no, use uv instead of pip")
    ingest(ws, wait_s=10)
    async with visit(root, SHORTEST_MS - 1) as seen:
        await seen.until(lambda: "1 new draft" in _news(seen))
    async with visit(root) as seen:
        await seen.until(lambda: "1 new draft" in _news(seen))


async def test_two_consoles_the_later_one_says_what_was_seen(root: str) -> None:
    ws = open_workspace(root)
    async with visit(root):
        async with visit(root):
            pass
        correct(root, "no, use uv instead of pip")
        ingest(ws, wait_s=10)
    async with visit(root) as seen:
        assert _news(seen) == ""


@pytest.mark.parametrize("torn", ["", "{", "[]", '{"at": "x"}', "[" * 100_000])
def test_what_cannot_be_read_is_a_first_visit(root: str, torn: str) -> None:
    ws = open_workspace(root)
    Path(root).mkdir(exist_ok=True)
    Path(paths.visit(root)).write_text(torn, "utf-8")
    assert visits.since(ws) is None
    visits.leave(ws)
    assert visits.since(ws) is not None

"""Nothing flickers, jumps or is cut off: waits, rows that arrive, empty panes, screens of any size."""

import pytest
from textual.widget import Widget

from learnloop_tui.view import bars, pages
from learnloop_tui.view.state import Happening
from learnloop_tui.widgets import line_widgets
from learnloop_tui.widgets.line_widgets import Page
from tests.tui.fakes import NOW_MS, Console, FakeBridge, console, lesson

SIZES = ((60, 20), (80, 24), (240, 70))


def _screen(seen: Console) -> list[str]:
    """What the terminal shows, line by line."""
    strips = seen.app.screen._compositor.render_strips()
    return ["".join(segment.text for segment in strip) for strip in strips]


def _drawn(page: Page) -> str:
    page.measure()
    return "\n".join(page.render_line(y).text.rstrip() for y in range(page.size.height))


async def test_a_wait_is_shown_only_when_it_lasts(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr(line_widgets, "monotonic", lambda: now[0])
    async with console(FakeBridge(lesson(1))) as seen:
        page = seen.details
        page.show(lambda _: pages.loading())
        now[0] += 0.149
        assert "Loading" not in _drawn(page)
        now[0] += 0.002
        assert "Loading …" in _drawn(page)
        page.show(lambda _: [(("there", "text"),)])
        assert _drawn(page).strip() == "there"
        page.show(lambda _: pages.loading())
        assert "Loading" not in _drawn(page), "each wait begins anew"


@pytest.mark.parametrize("pane", ["1", "2"])
@pytest.mark.slow
async def test_rows_that_arrive_above_move_neither_cursor_nor_its_line(pane: str) -> None:
    status = "draft" if pane == "1" else "active"
    bridge = FakeBridge(*(lesson(number, status=status) for number in range(50, 90)))
    async with console(bridge, size=(100, 24)) as seen:
        await seen.press(pane, *"j" * 15)
        rows = seen.row_list
        line, words = rows.view.cursor - rows.top, seen.current
        for number in range(5):
            bridge.lessons[f"l{number:05d}"] = lesson(number, status=status)
        bridge.news.append(Happening(NOW_MS, "decision", "shop", "new"))
        bridge.written.put_nowait(True)
        await seen.until(lambda: "tool0 is used here" in seen.rows)
        assert seen.current == words
        assert rows.view.cursor - rows.top == line


WHAT_TO_DO = {
    "1": "When you correct your agent", "4": "Give your agent a task", "5": "Approve a lesson first",
    "3": "Start your coding agent",
}  # fmt: skip


async def test_an_empty_pane_says_what_to_do() -> None:
    done = lesson(1).with_(status="rejected")
    async with console(FakeBridge(done), size=(60, 20)) as seen:
        for key, words in WHAT_TO_DO.items():
            await seen.press(key)
            await seen.until(lambda: words in " ".join(seen.app.main.screen_text().split()))  # noqa: B023


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.slow
async def test_every_pane_fits_every_size(size: tuple[int, int]) -> None:
    width, height = size
    bridge = FakeBridge(*(lesson(number) for number in range(1, 40)))
    async with console(bridge, size=size) as seen:
        for number in range(1, len(bars.PANES) + 1):
            await seen.press(str(number))
            await seen.pilot.pause()
            told = _screen(seen)
            assert len(told) == height
            assert all(len(line) <= width for line in told)
            assert "? help" in told[-1], (number, told[-1])
            assert f" {number} " in told[0] or f" {number}!" in told[0]
            for widget in seen.app.screen.walk_children(Widget):
                assert not getattr(widget, "show_horizontal_scrollbar", False), widget
                if widget.display and widget.region.area:
                    assert widget.region.right <= width, widget
                    assert widget.region.bottom <= height, widget


async def test_words_stay_within_a_reading_width_on_a_very_wide_screen() -> None:
    long = lesson(1).with_(statement="All of it is written down " * 20)
    async with console(FakeBridge(long), size=(240, 60)) as seen:
        await seen.until(lambda: "told when" in seen.page)
        assert max(len(line) for line in seen.page.splitlines()) <= 101


async def test_the_smallest_terminal_shows_rows() -> None:
    async with console(FakeBridge(*map(lesson, range(1, 9))), size=(40, 10)) as seen:
        await seen.until(lambda: sum("is used here" in line for line in seen.row_list.plain) >= 2)
        await seen.until(lambda: seen.details.page >= 2)

"""The report page from the console: opened where there is a browser with a window, else named."""

import webbrowser
from pathlib import Path

import pytest

from learnloop.service.report import report_file
from learnloop_tui.app import programs
from tests.tui.fakes import FakeBridge, console, lesson

PAGE = Path("/home/robin/report.html")


class Browser(webbrowser.BaseBrowser):
    """Remembers what it was asked to open."""

    def __init__(self, name: str = "firefox", *, opens: bool = True) -> None:
        super().__init__(name)
        self.opens = opens
        self.urls: list[str] = []

    def open(self, url: str, new: int = 0, autoraise: bool = True) -> bool:
        self.urls.append(url)
        return self.opens


def use(monkeypatch: pytest.MonkeyPatch, chosen: Browser) -> Browser:
    monkeypatch.setattr(webbrowser, "get", lambda: chosen)
    return chosen


def test_a_browser_of_the_terminal_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    chosen = use(monkeypatch, Browser("lynx"))
    assert programs.show_page(PAGE) == f"There is no browser with a window here. The report is in {PAGE}."
    assert chosen.urls == []
    use(monkeypatch, Browser(opens=False))
    assert "no browser" in programs.show_page(PAGE)


def test_without_a_browser_the_file_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> webbrowser.BaseBrowser:
        raise webbrowser.Error("could not locate runnable browser")

    monkeypatch.setattr(webbrowser, "get", refuse)
    assert programs.show_page(PAGE) == f"There is no browser here. The report is in {PAGE}."


async def test_a_key_writes_the_report_and_opens_it(monkeypatch: pytest.MonkeyPatch) -> None:
    chosen = use(monkeypatch, Browser())
    bridge = FakeBridge(lesson(1))
    bridge.answers[report_file.write_for_console] = lambda: PAGE
    async with console(bridge) as seen:
        await seen.press("6")
        await seen.until(lambda: seen.app.main.pane.PLACE == "health")
        await seen.press("W")
        await seen.until(
            lambda: any("report is open" in str(each) for each in seen.app.notifications.messages)
        )
    assert chosen.urls == [PAGE.as_uri()]

"""The committed tour is what the console looks like; `make screenshots` writes it anew."""

import asyncio
import re
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest
from scripts import tour

from learnloop_tui.bridge import ServiceBridge
from learnloop_tui.widgets import status_lines
from tests import browser

SVG = tour.FILE.read_text("utf-8")


@pytest.fixture(params=[0.0, 0.05])
def answers_after_s(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> float:
    """Answers of the service and messages take and stay as long as on a machine with more or less to do."""
    delay: float = request.param

    def late(name: str) -> None:
        in_time = getattr(ServiceBridge, name)

        async def answer(*args: Any, **kwargs: Any) -> Any:
            result = await in_time(*args, **kwargs)
            await asyncio.sleep(delay)
            return result

        monkeypatch.setattr(ServiceBridge, name, answer)

    for name in ("work", "read", "long", "latest", "live"):
        late(name)
    monkeypatch.setitem(status_lines.SHOWN_S, "information", delay or 4.0)
    return delay


@pytest.mark.slow
def test_a_fresh_tour_is_the_committed_one(answers_after_s: float) -> None:
    fresh = tour.draw()
    if fresh != SVG:
        at = next((at for at, two in enumerate(zip(fresh, SVG, strict=False)) if two[0] != two[1]), len(SVG))
        here = f"{fresh[at - 60 : at + 60]!r} where it has {SVG[at - 60 : at + 60]!r}"
        pytest.fail(f"docs/tour.svg is out of step, {here}: look at what changed, then run make screenshots")


def test_tour_is_small_whole_and_loads_nothing() -> None:
    assert len(SVG.encode()) <= 1_500_000
    ET.fromstring(SVG)
    assert "http" not in SVG.replace("http://www.w3.org/2000/svg", "")
    assert "/tmp" not in SVG
    assert "<script" not in SVG


def test_every_step_is_shown_after_the_one_before() -> None:
    shown = re.findall(r"(?:0%\{opacity:0\})?([\d.]+)%\{opacity:1\}([\d.]+)%\{opacity:0\}", SVG)
    assert len(shown) == len(tour.STEPS)
    assert [end for _, end in shown[:-1]] == [begin for begin, _ in shown[1:]]
    assert (float(shown[0][0]), float(shown[-1][1])) == (0, 100)
    for step in tour.STEPS:
        assert step.caption in SVG


@pytest.mark.slow
@browser.needs_browser
def test_browser_shows_it_as_a_picture(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text(f'<img src="{tour.FILE.as_uri()}" onload="document.title=this.naturalWidth">', "utf-8")
    assert re.search(r"<title>\d{3,}</title>", browser.document(page.as_uri()))

"""The committed pictures are what the console looks like; `make screenshots` writes them anew."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from scripts import screenshots

from learnloop_tui.view.bars import PANES
from learnloop_tui.view.themes import THEMES

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def taken() -> Iterator[Callable[[screenshots.Shot], dict[str, str]]]:
    """Takes pictures of a scene that is seeded once."""
    with screenshots.studio() as studio:
        yield studio


def _cases() -> list[Any]:
    """All pictures; beyond that of the first pane they are slow."""
    return [
        pytest.param(shot, id=shot.name, marks=[pytest.mark.slow] * (shot.name != PANES[0]))
        for shot in screenshots.SHOTS
    ]


@pytest.mark.parametrize("shot", _cases())
def test_a_fresh_picture_is_the_committed_one(
    shot: screenshots.Shot, taken: Callable[[screenshots.Shot], dict[str, str]]
) -> None:
    for name, fresh in taken(shot).items():
        committed = ROOT / "screenshots" / f"{name}.svg"
        if not committed.exists() or committed.read_text("utf-8") != fresh:
            pytest.fail(f"{committed.name} is out of step: look at what changed, then run make screenshots")


@pytest.mark.parametrize("pane", PANES)
def test_every_pane_is_shown_dark_light_and_narrow(pane: str) -> None:
    shots = {name: (shot, theme) for shot in screenshots.SHOTS for name, theme in shot.names.items()}
    assert shots[pane][1] == "learnloop-dark"
    assert shots[f"{pane}-light"][1] == "learnloop-light"
    assert shots[f"{pane}-narrow"][0].size[0] == 60
    assert {theme for _, theme in shots.values()} == {theme.name for theme in THEMES}


def test_pictures_load_nothing_and_name_no_machine() -> None:
    for path in (ROOT / "screenshots").glob("*.svg"):
        svg = path.read_text("utf-8")
        assert "http" not in svg.replace("http://www.w3.org/2000/svg", "")
        assert "@import" not in svg
        assert "/tmp" not in svg
    assert {path.stem for path in (ROOT / "screenshots").glob("*.svg")} == {
        name for shot in screenshots.SHOTS for name in shot.names
    }

"""The committed pictures are what the console looks like; `make screenshots` writes them anew."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]


def _script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("screenshots_script", ROOT / "scripts" / "screenshots.py")
    assert spec is not None
    assert spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = made
    spec.loader.exec_module(made)
    return made


SCRIPT = _script()


@pytest.mark.parametrize("shot", SCRIPT.SHOTS, ids=lambda shot: shot.name)
def test_a_fresh_picture_is_the_committed_one(shot: object) -> None:
    name = shot.name  # type: ignore[attr-defined]
    committed = ROOT / "screenshots" / f"{name}.svg"
    fresh = SCRIPT.take((shot,))[name]
    if committed.read_text("utf-8") != fresh:
        pytest.fail(f"{committed.name} is out of step: look at what changed, then run make screenshots")


def test_pictures_load_nothing_and_name_no_machine() -> None:
    for path in (ROOT / "screenshots").glob("*.svg"):
        svg = path.read_text("utf-8")
        assert "http" not in svg.replace("http://www.w3.org/2000/svg", "")
        assert "@import" not in svg
        assert "/tmp" not in svg
    assert {path.stem for path in (ROOT / "screenshots").glob("*.svg")} == {
        shot.name for shot in SCRIPT.SHOTS
    }

"""Generated pages say what the program says."""

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]


def _reference() -> ModuleType:
    spec = importlib.util.spec_from_file_location("reference", ROOT / "scripts" / "reference.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


REFERENCE = _reference()


@pytest.mark.parametrize("path", sorted(REFERENCE.PAGES))
def test_page_is_in_step(path: str) -> None:
    assert (ROOT / path).read_text("utf-8") == REFERENCE.written(path), "run make docs"

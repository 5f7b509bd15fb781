"""Generated pages say what the program says."""

from pathlib import Path

import pytest
from scripts import reference

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("path", sorted(reference.PAGES))
def test_page_is_in_step(path: str) -> None:
    assert (ROOT / path).read_text("utf-8") == reference.written(path), "run make docs"

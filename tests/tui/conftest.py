"""What tests of the console share."""

import pytest
from textual._compositor import Compositor


@pytest.fixture(autouse=True)
def _few_frames(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the short run a screen is painted when it opens, not after every change: there is no terminal.

    Painting took two fifths of these tests' time. `make test-all` paints everything.
    """
    if "not slow" in request.config.option.markexpr:
        monkeypatch.setattr(Compositor, "render_partial_update", lambda _: None)

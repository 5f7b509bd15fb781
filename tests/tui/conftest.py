"""What tests of the console share."""

from typing import Any
from weakref import WeakSet

import pytest
from textual._compositor import Compositor


@pytest.fixture(autouse=True)
def _few_frames(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the short run a screen is painted when it opens, and the last one at the end: there is no terminal.

    Painting every change took two fifths of these tests' time. `make test-all` does it.
    """
    if "not slow" not in request.config.option.markexpr:
        return
    painted, paint = WeakSet[Compositor](), Compositor.render_update

    def paint_once(screen: Compositor, *args: Any, **kwargs: Any) -> Any:
        if screen in painted:
            return None
        painted.add(screen)
        return paint(screen, *args, **kwargs)

    monkeypatch.setattr(Compositor, "render_update", paint_once)

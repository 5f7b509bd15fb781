"""What tests of the console share."""

from collections.abc import Iterator
from typing import Any
from weakref import WeakSet

import pytest
from textual._compositor import Compositor
from textual.css.stylesheet import Stylesheet


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


@pytest.fixture(scope="session", autouse=True)
def _style_sheets_are_read_once() -> Iterator[None]:
    """All consoles of this process have the same style sheets; reading them took a sixth of each start."""
    known: dict[Any, Any] = {}
    parse = Stylesheet._parse_rules

    def parse_once(sheet: Stylesheet, *args: Any, **kwargs: Any) -> Any:
        key = (tuple(sheet._variables.items()), args, tuple(kwargs.items()))
        if key not in known:
            known[key] = parse(sheet, *args, **kwargs)
        return known[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Stylesheet, "_parse_rules", parse_once)
        yield

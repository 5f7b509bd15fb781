"""The short part of `make soak`: a few simulated weeks, ten times the events, the same lessons."""

from pathlib import Path

import pytest
from scripts.soak import measuring, simulated

from learnloop.store import segments
from learnloop.store.store import Store
from learnloop.wire import clock

_DAY_MS = 86_400_000


@pytest.mark.usefixtures("root")
@pytest.mark.slow
def test_what_is_held_of_many_events_stays_small(tmp_path: Path) -> None:
    sizes = {}
    for events in (150, 1_500):
        place = tmp_path / str(events)
        simulated.live(place, events, 60, weeks=2)
        assert len(Store(str(place)).documents("lessons")) >= 60
        sizes[events] = measuring.sizes(place)
    for part in ("recall", "store/lessons", "store/decisions"):
        assert sizes[1_500][part] <= 2 * sizes[150][part], part


@pytest.mark.usefixtures("root")
@pytest.mark.slow
def test_segments_go_after_their_time(tmp_path: Path) -> None:
    simulated.live(tmp_path / "store", 160, 2, weeks=16)
    oldest = segments.fold_ms(segments.names(str(tmp_path / "store"))[0])
    assert clock.now_ms() - 92 * _DAY_MS < oldest < clock.now_ms() - 80 * _DAY_MS

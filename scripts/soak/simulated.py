"""A year that takes minutes: events and lessons week by week, ingested as the background does."""

import itertools
import sys
from pathlib import Path
from unittest import mock

from scripts.perf import big_stores

from learnloop.ingest import background
from learnloop.wire import clock

PROJECT = "/somewhere/project"
WEEKS = 52
_WEEK_MS = 7 * big_stores.DAY_MS


def live(root: Path, events: int, lessons: int, *, weeks: int = WEEKS, loud: bool = False) -> None:
    """Fill a store with so many weeks, the last of which ends now; what is old goes as it would."""
    root.mkdir(parents=True, exist_ok=True)
    end = clock.now_ms()
    told = big_stores.lessons(lessons, PROJECT)
    for week in range(1, weeks + 1):
        now = end - (weeks - week) * _WEEK_MS
        with mock.patch.object(clock, "now_ms", lambda now=now: now):
            big_stores.write(root, itertools.islice(told, _share(lessons, week, weeks)))
            count = _share(events, week, weeks)
            big_stores.write(root, big_stores.events(count, PROJECT, days=7, seed=week, one_in=30))
            background.run(str(root))
        if loud and week % 4 == 0:
            print(f"{root.name}: week {week} of {weeks}", file=sys.stderr, flush=True)


def _share(whole: int, week: int, weeks: int) -> int:
    """The part of one week, so that all weeks make the whole."""
    return whole * week // weeks - whole * (week - 1) // weeks

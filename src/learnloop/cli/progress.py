"""A bar for long work, on stderr where a person watches; elsewhere a line when it takes long."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from learnloop.service.intake.backfill import Progress

AFTER_S = 0.75


@contextmanager
def progress(what: str) -> Iterator[Progress]:
    """Yields a function of the work done, its total and what came of it; before, the bar shows no share."""
    if not sys.stderr.isatty() or os.environ.get("TERM", "dumb") == "dumb":
        with _line_when_long(what):
            yield lambda _done, _total, _so_far="": None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    share, came = TextColumn("{task.percentage:>3.0f} %"), TextColumn("{task.fields[so_far]}")
    columns = TextColumn(what), BarColumn(None), share, MofNCompleteColumn(), came, TimeRemainingColumn()
    with Progress(*columns, console=Console(stderr=True), transient=True, expand=True) as bar:
        task = bar.add_task("", total=None, so_far="")
        yield lambda done, total, so_far="": bar.update(task, completed=done, total=total, so_far=so_far)


@contextmanager
def _line_when_long(what: str) -> Iterator[None]:
    from threading import Timer

    timer = Timer(AFTER_S, print, [f"learn: still at work: {what.lower()}"], {"file": sys.stderr})
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()

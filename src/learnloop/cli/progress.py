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
    """Yields a function of the work done and its total; before its first call the bar shows no share."""
    if not sys.stderr.isatty() or os.environ.get("TERM", "dumb") == "dumb":
        with _line_when_long(what):
            yield lambda _done, _total: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


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

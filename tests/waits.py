"""How long a block works and sleeps: neither depends on what else the machine does.

What waits on anything else, as on a FIFO, is ended by the time limit of each test.
"""

import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest


class TooLongError(BaseException):
    """Nothing in the program catches it."""


class Sleeps:
    """The sleeps that were asked for."""

    def __init__(self) -> None:
        self.seconds = 0.0


@contextmanager
def counted(most_s: float = 60.0) -> Iterator[Sleeps]:
    """Count the sleeps of this process, and end it where they, or its work, take longer than that."""
    sleeps, sleep = Sleeps(), time.sleep

    def count(seconds: float) -> None:
        sleeps.seconds = round(sleeps.seconds + seconds, 6)
        if sleeps.seconds > most_s:
            raise TooLongError
        sleep(seconds)

    def end(*_: object) -> None:
        raise TooLongError

    before = signal.signal(signal.SIGPROF, end)
    signal.setitimer(signal.ITIMER_PROF, most_s)
    try:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(time, "sleep", count)
            yield sleeps
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)

"""A forked process that applies or reverts patches and dies before, or fails at, a step of our choosing.

Steps are the calls that reach the disk: open for writing, write, fsync, rename, unlink, chmod.
"""

import contextlib
import errno
import os
import traceback
from collections.abc import Callable
from typing import Any

from learnloop.errors import LearnloopError

NAMES = (
    "open",
    "write",
    "fsync",
    "fdatasync",
    "replace",
    "rename",
    "unlink",
    "fchmod",
    "ftruncate",
    "pwrite",
)
DEAD = 9


class Steps:
    """Counts the steps, and ends at one of them."""

    def __init__(self, how: str, number: int) -> None:
        self.how, self.number, self.count = how, number, 0

    def take_over(self) -> None:
        """From now on every step counts."""
        for name in NAMES:
            setattr(os, name, self.wrap(name, getattr(os, name)))

    def wrap(self, name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        """A call that counts as a step; one that opens a file counts only where it may change it."""

        def counted(*args: Any, **kwargs: Any) -> Any:
            if name == "open" and not args[1] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT):
                return call(*args, **kwargs)
            self.count += 1
            if self.count == self.number:
                if self.how == "die":
                    os._exit(DEAD)
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            return call(*args, **kwargs)

        return counted


def forked(work: Callable[[], object]) -> tuple[int, str]:
    """Run something in a forked process; its exit code, and what it returned or failed with."""
    return started(work)()


def started(work: Callable[[], object]) -> Callable[[], tuple[int, str]]:
    """Start something in a forked process; what is returned waits for its end, as `forked` does."""
    out, into = os.pipe()
    child = os.fork()
    if not child:
        os.close(out)
        code, answer = 0, ""
        try:
            answer = str(work())
        except BaseException:  # whatever it is, the parent is told
            code, answer = 1, traceback.format_exc()
        os.set_blocking(into, True)
        with os.fdopen(into, "w") as pipe:
            pipe.write(answer)
        os._exit(code)
    os.close(into)

    def ended() -> tuple[int, str]:
        with os.fdopen(out) as pipe:
            answer = pipe.read()
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), answer

    return ended


def cut_off(work: Callable[[], object], how: str, number: int) -> tuple[int, str]:
    """Exit code and output of a fork that works until the step of this number."""

    def counted() -> int:
        steps = Steps(how, number)
        steps.take_over()
        with contextlib.suppress(LearnloopError, OSError):
            work()
        return steps.count

    return forked(counted)

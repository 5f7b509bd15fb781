"""A program in a terminal of its own (a pseudo-terminal), and when words arrived on its screen."""

import contextlib
import fcntl
import os
import pty
import select
import signal
import struct
import termios
import time
from collections.abc import Callable, Mapping, Sequence
from types import TracebackType
from typing import Self

from scripts.perf.terminal_screen import TerminalScreen

ROWS, COLUMNS = 40, 140
COLOURFUL = {"TERM": "xterm-256color", "COLORTERM": "truecolor"}


class Terminal:
    """Starts a program; what it writes is read as it comes, whoever waits for words reads it."""

    def __init__(
        self,
        argv: Sequence[str],
        env: Mapping[str, str],
        *,
        size: tuple[int, int] = (COLUMNS, ROWS),
        looks: Mapping[str, str] = COLOURFUL,
    ) -> None:
        self.started = time.perf_counter()
        self._columns, self._rows = size
        self.pid, self._fd = pty.fork()
        if not self.pid:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", self._rows, self._columns, 0, 0))
            os.execve(argv[0], list(argv), {**env, **looks})
        fcntl.ioctl(self._fd, termios.TIOCSWINSZ, struct.pack("HHHH", self._rows, self._columns, 0, 0))
        self.raw = bytearray()
        """Everything that was written."""
        self._seen = bytearray()
        self._screen, self._fed = TerminalScreen(self._rows, self._columns), 0
        self.at = 0.0
        """When the program last wrote something, in seconds of the clock."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with contextlib.suppress(ProcessLookupError, ChildProcessError):
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        os.close(self._fd)

    def until(self, words: str, timeout: float = 20.0) -> float:
        """When these words stood in what the program wrote since the last wait; in seconds of the clock."""
        needle, deadline = words.encode(), time.perf_counter() + timeout
        while needle not in self._seen:
            if not self._read(deadline - time.perf_counter()):
                raise TimeoutError(f"{words!r} did not appear in {timeout:g} s: …{self._seen[-2000:]!r}")
        self._seen = self._seen.partition(needle)[2]
        return self.at

    @property
    def screen(self) -> str:
        """What stands on the screen now, line by line, without looks."""
        self._screen.feed(bytes(self.raw[self._fed :]))
        self._fed = len(self.raw)
        return self._screen.text

    def until_screen(self, fits: Callable[[str], object], timeout: float = 30.0) -> str:
        """The screen, once it fits."""
        deadline = time.perf_counter() + timeout
        while not fits(self.screen):
            left = deadline - time.perf_counter()
            if left <= 0 or not (self._read(min(left, 0.5)) or self.is_alive):
                raise TimeoutError(f"not in {timeout:g} s; the screen says:\n{self.screen}")
        return self.screen

    @property
    def is_alive(self) -> bool:
        """Whether the program still runs; its end is noted where it does not."""
        try:
            return os.waitpid(self.pid, os.WNOHANG)[0] == 0
        except ChildProcessError:
            return False

    def until_gone(self, timeout: float = 20.0) -> None:
        """Until the program has ended."""
        deadline = time.perf_counter() + timeout
        while self.is_alive:
            if time.perf_counter() > deadline:
                raise TimeoutError(f"it did not end in {timeout:g} s; the screen says:\n{self.screen}")
            self._read(0.05)

    def resize(self, columns: int, rows: int) -> None:
        """Another size; the program is told by the system."""
        self.screen  # noqa: B018  # what came before belongs to the size of before
        self._screen.resize(rows, columns)
        fcntl.ioctl(self._fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def rest(self, seconds: float) -> None:
        """Keep reading for so long, as a terminal does."""
        deadline = time.perf_counter() + seconds
        while (left := deadline - time.perf_counter()) > 0:
            self._read(left)

    def forget(self) -> None:
        """Only what comes from now on counts."""
        self._seen = bytearray()

    def press(self, keys: str) -> None:
        """Type something; what is longer than the terminal takes at once is written as it is read."""
        left = keys.encode()
        while left:
            _, ready, _ = select.select([], [self._fd], [], 0.01)
            if ready:
                left = left[os.write(self._fd, left[:1024]) :]
            self._read(0.0005)

    def _read(self, timeout: float) -> bool:
        if timeout <= 0 or not select.select([self._fd], [], [], timeout)[0]:
            return False
        try:
            data = os.read(self._fd, 1 << 16)
        except OSError:  # the other side is closed
            time.sleep(min(timeout, 0.01))
            return False
        self.at = time.perf_counter()
        self._seen += data
        self.raw += data
        return bool(data)

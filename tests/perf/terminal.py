"""A program in a terminal of its own (a pseudo-terminal), and when words arrived on its screen."""

import fcntl
import os
import pty
import select
import signal
import struct
import termios
import time
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Self

ROWS, COLUMNS = 40, 140


class Terminal:
    """Starts a program; what it writes is read as it comes, whoever waits for words reads it."""

    def __init__(self, argv: Sequence[str], env: Mapping[str, str]) -> None:
        self.started = time.perf_counter()
        self.pid, self._fd = pty.fork()
        if not self.pid:
            os.execve(argv[0], list(argv), {**env, "TERM": "xterm-256color", "COLORTERM": "truecolor"})
        fcntl.ioctl(self._fd, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        self._seen = b""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        os.close(self._fd)

    def until(self, words: str, timeout: float = 20.0) -> float:
        """When these words stood in what the program wrote since the last wait; in seconds of the clock."""
        wanted, deadline = words.encode(), time.perf_counter() + timeout
        while wanted not in self._seen:
            if not self._read(deadline - time.perf_counter()):
                raise TimeoutError(f"{words!r} did not appear in {timeout:g} s: …{self._seen[-2000:]!r}")
        self._seen = self._seen.partition(wanted)[2]
        return self._at

    def rest(self, seconds: float) -> None:
        """Keep reading for so long, as a terminal does."""
        deadline = time.perf_counter() + seconds
        while self._read(deadline - time.perf_counter()):
            pass

    def forget(self) -> None:
        """Only what comes from now on counts."""
        self._seen = b""

    def press(self, keys: str) -> None:
        """Type something."""
        os.write(self._fd, keys.encode())

    def _read(self, timeout: float) -> bool:
        if timeout <= 0 or not select.select([self._fd], [], [], timeout)[0]:
            return False
        try:
            data = os.read(self._fd, 1 << 16)
        except OSError:  # the other side is closed
            return False
        self._at = time.perf_counter()
        self._seen += data
        return bool(data)

"""`learn` on a terminal of its own, as a person's shell starts it."""

import os
import pty
import struct
import subprocess
import sys
import termios
from collections.abc import Mapping, Sequence
from contextlib import suppress
from fcntl import ioctl

LEARN = (sys.executable, "-m", "learnloop.cli.main")


def on_terminal(
    argv: Sequence[str],
    typed: bytes = b"",
    *,
    size: tuple[int, int] = (24, 80),
    env: Mapping[str, str] | None = None,
    program: Sequence[str] = LEARN,
    code: int = 0,
) -> bytes:
    """All that a program prints on a terminal of `size` (lines, columns); it has to end with `code`."""
    ours, theirs = pty.openpty()
    ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", *size, 0, 0))
    os.write(ours, typed)
    process = subprocess.Popen(
        [*program, *argv], stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True,
        env={"TERM": "xterm-256color", **os.environ, "LINES": "", "COLUMNS": "", **(env or {})},
    )  # fmt: skip
    os.close(theirs)
    shown = b""
    with suppress(OSError):  # the other side is closed: the end
        while part := os.read(ours, 65536):
            shown += part
    os.close(ours)
    assert process.wait(60) == code, shown.decode("utf-8", "replace")
    return shown

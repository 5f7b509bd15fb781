"""`learn` on a terminal of its own, as a person's shell starts it."""

import io
import os
import pty
import struct
import subprocess
import sys
import termios
import traceback
from collections.abc import Mapping, Sequence
from contextlib import suppress
from fcntl import ioctl

from learnloop.cli.main import main

LEARN = (sys.executable, "-m", "learnloop.cli.main")


class Keyboard(io.StringIO):
    """A person's, for a command line within the test."""

    def isatty(self) -> bool:
        return True


def on_terminal(
    argv: Sequence[str],
    typed: bytes = b"",
    *,
    size: tuple[int, int] = (24, 80),
    env: Mapping[str, str] | None = None,
    program: Sequence[str] = (),
    code: int = 0,
) -> bytes:
    """All that a program prints on a terminal of `size` (lines, columns); it has to end with `code`.

    Without `program` it is `learn`, in a process that has everything loaded already.
    """
    ours, theirs = pty.openpty()
    ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", *size, 0, 0))
    os.write(ours, typed)
    environment = {"TERM": "xterm-256color", **os.environ, "LINES": "", "COLUMNS": "", **(env or {})}
    if program:
        process = subprocess.Popen(
            [*program, *argv], stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True,
            env=environment,
        )  # fmt: skip
    elif not (pid := os.fork()):
        _learn(argv, theirs, environment)
    os.close(theirs)
    shown = b""
    with suppress(OSError):  # the other side is closed: the end
        while part := os.read(ours, 65536):
            shown += part
    os.close(ours)
    ended = process.wait(60) if program else os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    assert ended == code, shown.decode("utf-8", "replace")
    return shown


def _learn(argv: Sequence[str], terminal: int, environment: Mapping[str, str]) -> None:
    """Be `learn` on that terminal from here on, in a child of the tests."""
    code = 70
    try:
        os.setsid()
        os.environ.clear()
        os.environ.update(environment)
        for stream in (0, 1, 2):
            os.dup2(terminal, stream)
        sys.stdin = io.TextIOWrapper(io.FileIO(0, closefd=False), "utf-8")
        sys.stdout = sys.stderr = io.TextIOWrapper(
            io.FileIO(1, "w", closefd=False), "utf-8", line_buffering=True
        )
        code = main(argv)
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        os._exit(code)

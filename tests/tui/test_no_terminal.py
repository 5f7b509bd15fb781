"""`learn-tui` where it cannot draw: one readable line, exit 1, and a way that works there."""

import os
import pty
import shlex
import struct
import subprocess
import sys
import termios
from fcntl import ioctl
from pathlib import Path

import pytest

from tests.cli.terminal import on_terminal

CONSOLE = (sys.executable, "-m", "learnloop_tui.main")
WAY_OUT = b"learn triage --plain"


def _is_readable(told: bytes, what: bytes) -> None:
    (line,) = told.replace(b"\r\n", b"\n").splitlines()
    assert line.startswith(b"learn-tui: ")
    assert what in line
    assert WAY_OUT in line
    assert b"\x1b" not in line


@pytest.mark.parametrize("argv", [[], ["--demo"]])
def test_a_pipe_is_no_terminal(root: str, argv: list[str]) -> None:
    done = subprocess.run([*CONSOLE, *argv], stdin=subprocess.DEVNULL, capture_output=True, check=False)
    assert (done.returncode, done.stdout) == (1, b"")
    _is_readable(done.stderr, b"needs a terminal, and the input is none")
    assert not Path(root).exists()


def test_a_redirected_output_is_no_terminal(root: str, tmp_path: Path) -> None:
    command = f"{shlex.join(CONSOLE)} > {shlex.quote(str(tmp_path))}/out"
    told = on_terminal(["-c", command], program=["sh"], code=1)
    _is_readable(told, b"the output is none")
    assert (tmp_path / "out").read_bytes() == b""


@pytest.mark.parametrize(
    ("term", "what"), [("dumb", b"TERM=dumb"), ("unknown", b"TERM=unknown"), ("", b"not set")]
)
def test_a_terminal_of_plain_lines(root: str, term: str, what: bytes) -> None:
    _is_readable(on_terminal([], env={"TERM": term}, program=CONSOLE, code=1), what)


def test_a_locale_that_cannot_write_frames(root: str) -> None:
    env = {"TERM": "xterm", "PYTHONIOENCODING": "iso-8859-1"}
    _is_readable(
        on_terminal([], env=env, program=CONSOLE, code=1), b"the console needs UTF-8: set LANG=C.UTF-8"
    )


@pytest.mark.parametrize("size", [(9, 200), (40, 39), (1, 1)])
def test_a_terminal_that_is_too_small(root: str, size: tuple[int, int]) -> None:
    told = on_terminal([], env={"TERM": "xterm"}, size=size, program=CONSOLE, code=1)
    _is_readable(told, f"the terminal is {size[1]} × {size[0]}, the console needs 40 × 10".encode())


def test_the_way_out_works_in_each_of_these_places(root: str) -> None:
    learn = [sys.executable, "-m", "learnloop.cli.main", "triage", "--plain"]
    done = subprocess.run(learn, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"no draft is left" in on_terminal(["triage", "--plain"], env={"TERM": "dumb"}, size=(1, 20))
    assert os.path.lexists(root) is False


@pytest.mark.slow
def test_a_terminal_that_is_closed_ends_the_console_of_another_sessions_leader(root: str) -> None:
    ours, theirs = pty.openpty()
    ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 30, 100, 0, 0))
    env = {**os.environ, "TERM": "xterm-256color"}
    console = subprocess.Popen(
        CONSOLE, stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True, env=env
    )
    os.close(theirs)
    shown = b""
    while b"Inbox" not in shown:
        shown += os.read(ours, 65536)
    os.close(ours)
    assert console.wait(60) == 1

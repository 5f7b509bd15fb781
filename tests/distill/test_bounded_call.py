"""A command gets so many seconds and bytes, and nothing that it started outlives it."""

import contextlib
import fcntl
import os
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from learnloop.distill.bounded_call import CallResult, call

FAKE = str(Path(__file__).with_name("fake_command.py"))
TIMEOUT = CallResult(None, b"", b"", "timeout")


def _call(*argv: str, most_s: float = 20.0, text: str = "words") -> CallResult:
    command = [sys.executable, FAKE, *argv]
    return call(command, text, env=dict(os.environ), folder="/", most_s=most_s, most_bytes=256 << 10)


@contextlib.contextmanager
def _within(seconds: int) -> Iterator[None]:
    """Raise TimeoutError in what takes longer."""

    def late(*_: object) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def test_its_input_ends() -> None:
    result = call(["cat"], "words", env={}, folder="/", most_s=5, most_bytes=10)
    assert result == CallResult(0, b"words", b"")


def test_what_it_answers_is_taken() -> None:
    assert _call("say", "hello") == CallResult(0, b"hello", b"")


@pytest.mark.parametrize("code", [1, 2, 137])
def test_its_exit_code_and_its_complaint_are_told(code: int) -> None:
    assert _call("exit", str(code)) == CallResult(code, b"", b"it broke\n")


@pytest.mark.parametrize("way", ["hang", "complain"])
def test_one_that_does_not_end_is_ended(way: str) -> None:
    assert _call(way, most_s=0.5).reason == "timeout"


def test_one_that_ignores_the_request_to_end_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("learnloop.distill.bounded_call.GRACE_S", 0.2)
    assert _call("ignore", most_s=0.5).reason == "timeout"


def test_one_that_answers_too_much_is_ended_at_once() -> None:
    began = time.monotonic()
    assert _call("flood").reason == "it answered more than 256 KiB"
    assert time.monotonic() - began < 10


def test_what_it_left_running_ends_with_it(tmp_path: Path) -> None:
    held = tmp_path / "held"
    held.touch()
    assert _call("fork", str(held)).code == 0
    with held.open() as file, _within(10):
        fcntl.flock(file, fcntl.LOCK_EX)  # which its child held


@pytest.mark.parametrize("program", ["/nowhere/at/all", "/etc/hostname", "/"])
def test_one_that_cannot_be_started_is_named(program: str) -> None:
    result = call([program], "", env={}, folder="/", most_s=1, most_bytes=10)
    assert result.reason.startswith(f"{program} cannot be started: ")


def test_a_text_that_it_does_not_read_holds_nothing_up() -> None:
    assert _call("exit", "0", text="x" * 1_000_000).code == 0

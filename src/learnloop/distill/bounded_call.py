"""Runs a command with a text on its input, within bounds of time and output; nothing of it stays."""

import contextlib
import os
import selectors
import signal
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from typing import NamedTuple

GRACE_S = 2.0
"""Between the request to end and the end by force."""
_LINGER_S = 0.5
"""So long what a command left running may hold its output open."""
_CHUNK = 1 << 16
_STDERR = 4096
_TICK_S = 0.1


class CallResult(NamedTuple):
    """How a command ended, and what it wrote."""

    code: int | None
    """None where it was ended."""
    output: bytes
    errors: bytes
    """The beginning of what it wrote to stderr."""
    reason: str = ""
    """Why it was not started or was ended; `timeout` for time."""


def call(
    argv: Sequence[str], text: str, *, env: Mapping[str, str], folder: str, most_s: float, most_bytes: int
) -> CallResult:  # fmt: skip
    """Run a command in a folder and wait for it, but no longer than `most_s`."""
    with tempfile.TemporaryFile() as given:
        given.write(text.encode("utf-8", "replace"))
        given.seek(0)
        try:
            process = subprocess.Popen(
                argv, stdin=given, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=dict(env), cwd=folder,
                start_new_session=True,
            )  # fmt: skip
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            return CallResult(None, b"", b"", f"{argv[0]} cannot be started: {reason.lower()}")
    try:
        return _read(process, time.monotonic() + most_s, most_bytes)
    finally:
        _end(process)


def _read(process: subprocess.Popen[bytes], deadline: float, most_bytes: int) -> CallResult:
    """Read both streams until the command ends, takes too long, or writes too much."""
    assert process.stdout
    assert process.stderr
    output, errors, ended_at = bytearray(), bytearray(), 0.0
    with selectors.DefaultSelector() as streams:
        for stream in (process.stdout, process.stderr):
            streams.register(stream, selectors.EVENT_READ, stream is process.stdout)
        while streams.get_map():
            for key, _ in streams.select(_TICK_S):
                data = os.read(key.fd, _CHUNK)
                if key.data:
                    output += data
                elif len(errors) < _STDERR:
                    errors += data
                if not data:
                    streams.unregister(key.fileobj)
            now = time.monotonic()
            if len(output) > most_bytes:
                return CallResult(None, b"", bytes(errors), f"it answered more than {most_bytes >> 10} KiB")
            if process.poll() is not None:
                ended_at = ended_at or now
                if now - ended_at > _LINGER_S:
                    break
            elif now > deadline:
                return CallResult(None, b"", bytes(errors), "timeout")
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(max(deadline - time.monotonic(), 0))
        return CallResult(process.returncode, bytes(output), bytes(errors))
    return CallResult(None, b"", bytes(errors), "timeout")


def _end(process: subprocess.Popen[bytes]) -> None:
    """End the command's process group: whatever it started ends with it."""
    for sign in (signal.SIGTERM, signal.SIGKILL):
        with contextlib.suppress(ProcessLookupError, PermissionError, subprocess.TimeoutExpired):
            os.killpg(process.pid, sign)
            process.wait(GRACE_S)
    for stream in (process.stdout, process.stderr):
        if stream:
            stream.close()

"""What a registered hook runs: read the firing, record it, answer, leave. Nothing here can hurt the agent."""

import _signal  # type: ignore[import-not-found]  # `signal` itself would load enum
import posix
import sys
import time

from learnloop.wire import env, paths, switches

LIMIT = 16 * 1024 * 1024  # a larger firing is counted, not read
LONGEST_S = 3.0  # then a hook leaves, whatever it waits for
_CHUNK = 1 << 16


def main(root: str) -> None:
    """Handle the firing on standard input for the data in `root`; never returns, always exits 0.

    `$LEARNLOOP_HOME` of the agent, where it is a full path, comes before the root that was registered, unless
    nothing may be recorded there.
    """
    started = time.monotonic_ns() - time.process_time_ns()  # about when the interpreter was started
    try:
        _signal.signal(_signal.SIGALRM, _leave)
        _signal.setitimer(_signal.ITIMER_REAL, LONGEST_S)
        data, size = _read_all(0)
        registered, root = root, paths.root() if env.get("LEARNLOOP_HOME").startswith("/") else root
        may_be_elsewhere = root == registered or switches.recording(registered, "")
        if may_be_elsewhere and not switches.silenced() and not switches.is_set(root + "/off"):
            from learnloop_hooks import record

            host = sys.argv[1] if len(sys.argv) > 1 else "claude"
            event = sys.argv[2] if len(sys.argv) > 2 else ""
            answer = record.handle(root, host, data, size, started, event)
            while answer:
                answer = answer[posix.write(1, answer) :]
    except BaseException:  # whatever it is, the agent must not see it
        pass
    posix._exit(0)


def _leave(*_: object) -> None:
    posix._exit(0)


def _read_all(fd: int) -> tuple[bytes, int]:
    """Everything that can be read, so that the writer never meets a closed pipe, and how much it was.

    Beyond the limit only the beginning is kept.
    """
    data = posix.read(fd, _CHUNK)
    chunk = data and posix.read(fd, _CHUNK)
    if not chunk:
        return data, len(data)
    parts, size = [data], len(data)
    while chunk:
        size += len(chunk)
        if size <= LIMIT:
            parts.append(chunk)
        chunk = posix.read(fd, _CHUNK)
    return (b"".join(parts) if size <= LIMIT else data), size

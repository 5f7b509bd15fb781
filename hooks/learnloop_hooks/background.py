"""Starts the background ingest: a process that outlives the hook and holds none of its pipes."""

import fcntl
import posix

from learnloop.wire import codec, regular
from learnloop_hooks import FOLDER


def start(root: str) -> None:
    """Start an ingest unless a console is open, which ingests by itself. Never raises."""
    try:
        argv = _argv(root)
        if argv and not _console_is_open(root):
            _stamp(root)
            _spawn(argv)
    except Exception:  # recorded is what counts; the next ingest takes it
        pass


def _argv(root: str) -> list[str]:
    """How deploy said an ingest is started."""
    command = codec.decode(regular.read(FOLDER + "/ingest.json", 1 << 16).decode("utf-8"))
    is_command = isinstance(command, list) and all(isinstance(part, str) for part in command)
    return [*command, root] if is_command else []


def _console_is_open(root: str) -> bool:
    try:
        fd = regular.opened(root + "/console.lock")
    except FileNotFoundError:
        return False
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        posix.close(fd)
    return False


def _stamp(root: str) -> None:
    """Note the start first, so that of many hooks at once hardly two start one."""
    fd = regular.opened(root + "/ingest.stamp", posix.O_WRONLY | posix.O_CREAT)
    try:
        posix.utime(fd)
    finally:
        posix.close(fd)


def _spawn(argv: list[str]) -> None:
    posix.chdir("/")  # the child must not keep the project's file system busy
    opened = [
        (posix.POSIX_SPAWN_OPEN, fd, "/dev/null", posix.O_RDONLY if fd == 0 else posix.O_WRONLY, 0)
        for fd in range(3)
    ]
    try:
        posix.posix_spawn(argv[0], argv, posix.environ, file_actions=opened, setsid=True)
    except NotImplementedError:  # an older macOS
        posix.posix_spawn(argv[0], argv, posix.environ, file_actions=opened, setpgroup=0)

"""Starts the background ingest, and the judging of a turn: processes that outlive the hook."""

import _signal  # type: ignore[import-not-found]  # `signal` itself would load enum
import fcntl
import posix

from learnloop.wire import codec, regular
from learnloop_hooks import FOLDER

_JUDGE = "learnloop.service.facts.reader"
_WAITS_S = 20.0  # then the hook leaves, and what is found is told at the next prompt


def start(root: str) -> None:
    """Start an ingest unless a console is open, which ingests by itself. Never raises."""
    try:
        argv = _argv(root)
        if argv and not _console_is_open(root):
            _stamp(root)
            _spawn(argv)
    except Exception:  # recorded is what counts; the next ingest takes it
        pass


def judge(root: str, session: str, *, waits: bool) -> dict[str, str]:
    """Have a model judge the turn that ended; where an agent waits, what it broke: the place by lesson."""
    *command, _, _ = _argv(root)
    argv = [*command, _JUDGE, root, session]
    if not waits:
        _spawn(argv)
        return {}
    ours, theirs = posix.pipe()
    _spawn(argv, theirs)
    posix.close(theirs)
    _signal.setitimer(_signal.ITIMER_REAL, _WAITS_S)
    broken = codec.decode(b"".join(iter(lambda: posix.read(ours, 1 << 16), b"")).decode("utf-8") or "{}")
    is_whole = isinstance(broken, dict) and all(isinstance(place, str) for place in broken.values())
    return broken if is_whole else {}


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


def _spawn(argv: list[str], answers: int = -1) -> None:
    """Start a process; what it writes goes nowhere, or to a descriptor."""
    posix.chdir("/")  # the child must not keep the project's file system busy
    opened = [
        (posix.POSIX_SPAWN_OPEN, fd, "/dev/null", posix.O_RDONLY if fd == 0 else posix.O_WRONLY, 0)
        for fd in range(3)
        if fd != 1 or answers < 0
    ]
    if answers >= 0:
        opened.append((posix.POSIX_SPAWN_DUP2, answers, 1))  # type: ignore[arg-type]  # of another length
    try:
        posix.posix_spawn(argv[0], argv, posix.environ, file_actions=opened, setsid=True)
    except NotImplementedError:  # an older macOS
        posix.posix_spawn(argv[0], argv, posix.environ, file_actions=opened, setpgroup=0)

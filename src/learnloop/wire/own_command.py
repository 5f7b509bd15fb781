"""The person's own command at the end of a turn: whether it passes decides whether an agent is done.

What runs are words that a person typed in a terminal. No shell reads them, and nothing that an agent wrote
becomes a part of them. A command of which a file in the project is another than the person saw does not run.
"""

import _signal  # type: ignore[import-not-found]  # `signal` itself would load enum
import posix
import time

from learnloop.wire import env, regular

TYPE_CHECKING = False  # importing `typing` would double a hook's start-up
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any, TypeAlias

    from learnloop.wire.check_memory import Done
    from learnloop.wire.relevance import Record

    Run: TypeAlias = dict[str, Any]
    """{line, argv, project, files: {path: checksum}}"""

LONGEST_S = 20.0
"""All commands of a turn's end together; a client waits thirty seconds for a hook."""
_LEAVE_S = 3.0
_PAUSE_S = 0.01
_CHUNK, _CHECKSUM_BYTES = 1 << 20, 8


def checksum(path: str) -> int:
    """A number that another content hardly shares; raises OSError where there is no regular file."""
    import hashlib  # nearly no hook needs it

    digest = hashlib.sha256()
    fd = regular.opened(path, follows=True)
    try:
        while chunk := posix.read(fd, _CHUNK):
            digest.update(chunk)
    finally:
        posix.close(fd)
    return int.from_bytes(digest.digest()[:_CHECKSUM_BYTES], "big")


def changed(run: "Run") -> str:
    """A file of the project that the command runs and that is another than the person saw; else ""."""
    for path, seen in run["files"].items():
        try:
            if checksum(path) != seen:
                return str(path)
        except OSError:
            return str(path)
    return ""


def judged(
    records: "Iterable[Record]", memory: "Done", project: str, *, goes_on: bool
) -> "tuple[dict[str, str], dict[str, bool | None], str]":
    """Run the commands that are due in a project; what is due elsewhere, or below a client, is no more.

    Of each lesson whose command fails how it ended, where the agent goes on; whether each passed, None where
    the agent goes on first; and what the person is to know of one that decides nothing.
    """
    failing: dict[str, str] = {}
    ran: dict[str, bool | None] = {}
    message, until, due = "", _deadline(), memory.due()
    for record in records:
        for number, rule in enumerate(record["checks"]):
            key, run = f"{record['id']}.{number}", rule.get("run")
            if run is None or key not in due:
                continue
            memory.settle(key, ahead=False)
            if run["project"] != project or env.get("CLAUDE_CODE_EXECPATH"):
                continue
            passes, words = verdict(run, until)
            if passes is None:
                message = words
            elif not passes and goes_on:
                failing[record["id"]], ran[record["id"]] = words, None
                memory.open(key)
            else:
                ran[record["id"]] = passes
    return failing, ran, message


def verdict(run: "Run", until: float) -> "tuple[bool | None, str]":
    """Whether a command passes, and how it ended; None where it decides nothing."""
    line = f"`{run['line']}`"
    if path := changed(run):
        return None, f"{line} did not run: {path} is another than when you allowed it"
    try:
        code = _exit_code(run, until)
    except OSError as error:
        return None, f"{line} does not start ({error.strerror})"
    if code is None:
        return None, f"{line} did not end in time"
    return not code, "" if not code else f"{line} ends with {code}: run it, and mend what it names"


def _deadline() -> float:
    """When the commands of this turn's end have to be over; the hook may stay so long."""
    if _signal.getitimer(_signal.ITIMER_REAL)[0]:
        _signal.setitimer(_signal.ITIMER_REAL, LONGEST_S + _LEAVE_S)
    return time.monotonic() + LONGEST_S


def _exit_code(run: "Run", until: float) -> int | None:
    """How a command ends that reads nothing, and of which nobody sees what it prints."""
    posix.chdir(run["project"])
    opened = [
        (posix.POSIX_SPAWN_OPEN, fd, "/dev/null", posix.O_RDONLY if fd == 0 else posix.O_WRONLY, 0)
        for fd in range(3)
    ]
    around = {**posix.environ, b"LEARNLOOP_NESTED": b"1"}
    child = posix.posix_spawn(run["argv"][0], run["argv"], around, file_actions=opened, setpgroup=0)
    while time.monotonic() < until:
        ended, status = posix.waitpid(child, posix.WNOHANG)
        if ended:
            return posix.waitstatus_to_exitcode(status)
        time.sleep(_PAUSE_S)
    posix.killpg(child, 9)
    posix.waitpid(child, 0)
    return None

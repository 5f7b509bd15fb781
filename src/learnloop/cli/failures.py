"""Errors of `learn`: each becomes one line on stderr and an exit code."""

import errno
import os
import sys
from collections.abc import Sequence
from functools import cache

from learnloop.wire.text import clean, cut

_LONGEST = 500
_ISSUES = "learn doctor"
_CHECK = "check the path, its permissions and the free space"


def print_error(what: str, to_do: str = "") -> None:
    """Print one line on stderr: what is wrong, and what to do about it."""
    line = " ".join(clean(f"{what} – {to_do}" if to_do else what).split())
    print(f"learn: {cut(line, _LONGEST)}", file=sys.stderr)


print_once = cache(print_error)
"""As `print_error`; of equal lines the first is printed."""


def system(error: OSError) -> int:
    """Report an error of the operating system; returns 1."""
    reason = (error.strerror or str(error) or type(error).__name__).lower()
    what = f"{error.filename}: {reason}" if error.filename else reason
    is_odd = error.errno in (errno.EINVAL, errno.EFBIG)
    print_error(what, "look at it, then move it away" if is_odd else _CHECK)
    try:
        sys.stdout.flush()
    except OSError:
        let_go_of_stdout()
    return 1


def let_go_of_stdout() -> None:
    """Send stdout to /dev/null, so that the interpreter's last flush succeeds."""
    devnull = os.open(os.devnull, os.O_WRONLY)
    os.dup2(devnull, sys.stdout.fileno())
    os.close(devnull)


def unexpected(error: Exception, arguments: Sequence[str]) -> int:
    """Write a fault of the program to a log file and name it in one line; returns 3."""
    what = f"unexpected {type(error).__name__}"
    try:
        path = _write_log(error, arguments)
    except OSError:
        print_error(f"{what}: {error}", f"no log could be written; run {_ISSUES}")
    else:
        print_error(what, f"the details are in {path}; {_ISSUES} checks the installation")
    return 3


def _write_log(error: Exception, arguments: Sequence[str]) -> str:
    import platform
    import time
    import traceback

    from learnloop import __version__
    from learnloop.wire import paths, regular

    folder = paths.log(paths.root())
    paths.ensure_dir(folder)
    path = f"{folder}/learn-{time.strftime('%Y%m%dT%H%M%SZ', time.gmtime())}-{os.getpid()}.log"
    head = f"learnloop {__version__}, Python {platform.python_version()}, {platform.platform()}"
    verb = arguments[0] if arguments else ""  # only the verb: what follows may be private
    text = "\n".join([head, f"learn {verb}", "", *traceback.format_exception(error)])
    fd = regular.opened(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    os.write(fd, text.encode("utf-8", "backslashreplace"))
    os.close(fd)
    return path

"""Output longer than the screen goes through a pager, as in git."""

import io
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout, suppress

_NONE = ("", "cat")
_state = {"on": True}


def switch_off() -> None:
    """Print everything at once, for `--no-pager`."""
    _state["on"] = False


class _Page(io.StringIO):
    """Buffers output that is formatted as for a terminal."""

    def isatty(self) -> bool:
        """True: a page is made only for a terminal."""
        return True


@contextmanager
def paged() -> Iterator[None]:
    """Send what is printed inside through the pager where it is longer than the screen."""
    words = _pager() if _state["on"] and sys.stdout.isatty() and not isinstance(sys.stdout, _Page) else []
    if not words:
        yield
        return
    page = _Page()
    try:
        with redirect_stdout(page):
            yield
    finally:
        text, is_long = page.getvalue(), False
        with suppress(OSError, ValueError):  # lines that wrap count once
            is_long = text.count("\n") >= os.get_terminal_size(sys.stdout.fileno()).lines
        if not is_long or not _through(words, text):
            sys.stdout.write(text)


def _pager() -> list[str]:
    """The pager's command: of `LEARNLOOP_PAGER`, else `PAGER`, else `less`; empty where there is none."""
    import shlex
    import shutil

    named = os.environ.get("LEARNLOOP_PAGER", os.environ.get("PAGER", "less")).strip()
    if named in _NONE or os.environ.get("TERM", "dumb") == "dumb":
        return []
    try:
        words = shlex.split(named)
    except ValueError:
        return []
    return words if shutil.which(words[0]) else []


def _through(words: list[str], text: str) -> bool:
    """Show a text in the pager until it is left; False where the pager does not start."""
    env = {"LESS": "FRX", "LV": "-c", **os.environ}  # as git: colours shown, the text left on the screen
    sys.stdout.flush()
    try:
        process = subprocess.Popen(words, stdin=subprocess.PIPE, env=env)
    except OSError:
        return False
    with suppress(BrokenPipeError, KeyboardInterrupt):
        process.communicate(text.encode(sys.stdout.encoding or "utf-8", "backslashreplace"))
    while True:  # ctrl+c is the pager's own key
        with suppress(KeyboardInterrupt):
            process.wait()
            return True

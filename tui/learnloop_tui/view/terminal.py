"""Whether there is a terminal that the console can draw on; where not, a sentence and the way out."""

from __future__ import annotations

import os
import select
import sys

LEAST_COLUMNS, LEAST_LINES = 40, 10
"""Below this nothing can be read; what the panes leave out above it, they leave out themselves."""
_PLAIN = "learn triage --plain shows one draft at a time, learn --help lists the other commands"


def obstacle() -> str:
    """Why the console cannot start here, and what to do instead; empty where it can."""
    for stream, name in ((sys.stdin, "input"), (sys.stdout, "output")):
        if stream is None or not stream.isatty():
            return f"the console needs a terminal, and the {name} is none – {_PLAIN}"
    if os.environ.get("TERM", "") in ("", "dumb", "unknown"):
        term = os.environ.get("TERM", "")
        reason = f"TERM={term} says that this terminal" if term else "TERM is not set, so this terminal"
        return f"{reason} can show plain lines only – {_PLAIN}"
    for stream in (sys.stdout, sys.stderr):  # Textual draws on the second
        encoding = getattr(stream, "encoding", None) or "utf-8"
        if encoding.lower().replace("_", "-") not in ("utf-8", "utf8"):
            return f"the locale writes {encoding}, the console needs UTF-8: set LANG=C.UTF-8; {_PLAIN}"
    return _too_small()


def is_gone() -> bool:
    """Whether the terminal behind the input was closed; no signal says so where another program leads."""
    poll = select.poll()
    poll.register(sys.__stdin__ or 0, 0)  # a hang-up is told unasked
    return bool(poll.poll(0))


def _too_small() -> str:
    try:
        columns, lines = os.get_terminal_size(sys.stdout.fileno())
    except OSError:
        return ""
    if not columns or not lines:  # a terminal that does not say
        return ""
    if columns >= LEAST_COLUMNS and lines >= LEAST_LINES:
        return ""
    least = f"{LEAST_COLUMNS} × {LEAST_LINES}"
    return f"the terminal is {columns} × {lines}, the console needs {least} – make it larger; {_PLAIN}"

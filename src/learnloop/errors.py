"""The error family: every expected failure says what is wrong and what to do about it.

LearnloopError
├── NotFound          no lesson, session, project or file of that name
├── Ambiguous         a short id that several lessons share
├── Refused           something asked for is not allowed or makes no sense now
├── Unreadable        a file that cannot be read or parsed (settings, transcript, import, store)
└── Busy              another process holds a lock for too long
"""


class LearnloopError(Exception):
    """An expected failure; `message` names the thing, `hint` the way out."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(f"{message}: {hint}" if hint else message)
        self.message = message
        self.hint = hint


class NotFound(LearnloopError):
    """Nothing of that name."""


class Ambiguous(LearnloopError):
    """A short id that several documents share."""


class Refused(LearnloopError):
    """Not allowed, or no sense in it now."""


class Unreadable(LearnloopError):
    """A file that cannot be read or parsed."""


class Busy(LearnloopError):
    """Another process holds a lock for too long."""

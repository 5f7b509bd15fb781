"""Environment variables without importing `os`, which alone costs a hook a tenth of its start-up."""

import posix
import sys


def get(name: str, default: str = "") -> str:
    """The value of an environment variable, or `default` where it is unset.

    A process that has loaded `os` is asked through `os.environ`, so that changes made there count.
    """
    os = sys.modules.get("os")
    if os is not None:
        return str(os.environ.get(name, default))
    value: bytes | None = posix.environ.get(name.encode())
    return default if value is None else value.decode("utf-8", "surrogateescape")


def is_on(name: str) -> bool:
    """Whether a switch variable is set to anything but nothing, `0`, `false`, `no` or `off`."""
    return means_on(get(name))


def permits(value: str) -> bool:
    """Whether the value of a variable that may forbid is empty or says yes: what is unclear forbids."""
    return value.lower() in ("", "1", "true", "yes", "on", "t", "y")


def means_on(value: str) -> bool:
    """Whether the value of a switch variable means on."""
    return value.lower() not in ("", "0", "false", "no", "off")

"""Whether a person sits at a host's client: its command line says so, where the system shows that."""

import posix

from learnloop.wire import regular

TYPE_CHECKING = False  # importing `typing` would double a hook's start-up
if TYPE_CHECKING:
    from learnloop.wire.hosts import Description

_MOST_BETWEEN = 3
_TERMINALS = ("/dev/pts/", "/dev/tty")


def headless(host: "Description") -> str:
    """`print` where the client says that it runs without a person; nothing where it does not."""
    if "print" not in host:
        return ""
    try:
        pid, words = _client(posix.getppid(), host.get("plugins", "\0"))
        return "print" if _is_print(host, pid, words) else ""
    except (OSError, LookupError, ValueError):  # no /proc, or not ours to read
        return ""


def _client(pid: int, plugins: str) -> tuple[int, list[str]]:
    """The process behind shells and a client's own one for plugins, and its command line.

    Raises OSError or ValueError.
    """
    for _ in range(_MOST_BETWEEN):
        words = regular.of_process(pid, "cmdline").split("\0")
        is_shell = words[0].endswith("sh") and "-c" in words
        if not is_shell and not words[1].endswith(plugins):
            return pid, words
        pid = int(regular.of_process(pid, "stat").rpartition(")")[2].split()[1])
    raise ValueError("no client")


def _is_print(host: "Description", pid: int, words: list[str]) -> bool:
    if any(word.partition("=")[0] in host["print"] for word in words):
        return True
    editors = host.get("piped")
    is_piped = editors is not None and not any(word in editors for word in words)
    return is_piped and not posix.readlink(f"/proc/{pid}/fd/0").startswith(_TERMINALS)

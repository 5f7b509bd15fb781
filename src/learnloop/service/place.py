"""The place of a decision: its terminal, the processes above it, and whether an agent is among them.

An agent is recognised by the variables that it sets for its shell, and by its name among the ancestors. An
editor with an agent inside (Cursor) is the ancestor of the person's own terminal too, so there only the
variable of its agent counts.
"""

import os
import re
import subprocess
from collections.abc import Iterable
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from learnloop.models.decision import DecisionPlace
from learnloop.wire import regular

AGENTS = frozenset((
    "claude", "codex", "gemini", "cursor-agent", "copilot", "opencode", "droid", "qwen", "cline", "aider",
    "amp", "goose", "auggie", "crush", "kiro-cli",
))  # fmt: skip
_SIGNS = re.compile(
    r"CLAUDECODE|AI_AGENT|GEMINI_CLI|QWEN_CODE|OPENCODE|CLINE_ACTIVE|CODEX_(?!HOME$|API_KEY$).*"
    r"|CURSOR_(?!TRACE_ID$|API_KEY$).*|COPILOT_CLI|DROID_.*"
)
"""Variables that agents set for what they run, whatever their value; persons set the exceptions."""
_PLAYERS = re.compile(r"script|expect|unbuffer|socat|empty|(python|pypy|perl|ruby|tclsh)[\d.]*")
"""Programs that can hold the other side of a terminal without a person."""
_RUNTIMES = re.compile(r"(node|bun|deno|python|ruby|uv|npx|npm)[\d.]*")
_SESSION = "CLAUDE_CODE_SESSION_ID"
_MOST, _NAME = 8, 40
_DEEPEST, _MOST_VARIABLES = 64, 1 << 22


class Processes(NamedTuple):
    """What the system says of this process."""

    names: tuple[tuple[str, ...], ...]
    """The names of each ancestor, the nearest first: its own, and that of the program it interprets."""
    terminal: str
    holder: str
    """The name of the process above the terminal's session."""
    since_ms: int
    variables: tuple[str, ...] = ()
    """The variables that the processes above were started with."""


def here() -> DecisionPlace:
    """Where this process runs."""
    seen = processes()
    inherited = (
        name for name in seen.variables if not name.startswith("CURSOR_")
    )  # its editor may have some
    above = (name for names in seen.names for name in names if name.lower() in AGENTS)
    agent = next(chain(signs((*os.environ, *inherited)), above), "")
    attended = bool(seen.terminal) and not agent and not _PLAYERS.fullmatch(seen.holder)
    return DecisionPlace(
        terminal=seen.terminal[:_NAME], parents=tuple(names[-1][:_NAME] for names in seen.names)[:_MOST],
        agent=agent[:_NAME], session=os.environ.get(_SESSION, "")[:_NAME], attended=attended,
        since_ms=seen.since_ms,
    )  # fmt: skip


def signs(variables: Iterable[str]) -> list[str]:
    """The variables by which an agent's shell is recognised."""
    return [name for name in variables if _SIGNS.fullmatch(name)]


def processes() -> Processes:
    """The ancestors and the terminal of this process, from `/proc` or `ps`."""
    return _from_proc() if Path("/proc/self/stat").exists() else _from_ps()


class _Stat(NamedTuple):
    name: str
    parent: int
    session: int
    terminal: int
    started: int


def _from_proc() -> Processes:
    own = _stat(os.getpid())
    names: list[tuple[str, ...]] = []
    variables: set[str] = set()
    pid = own.parent if own else 0
    while pid > 0 and len(names) < _DEEPEST and (stat := _stat(pid)):
        names.append(_names(pid, stat.name))
        variables |= _variable_names(pid)
        pid = stat.parent
    if own is None or not own.terminal:
        return Processes(tuple(names), "", "", 0, tuple(variables))
    leader = _stat(own.session)
    holder = _stat(leader.parent) if leader else None
    since = _boot_ms() + leader.started * 1000 // os.sysconf("SC_CLK_TCK") if leader else 0
    player = _player(leader.parent, holder.name) if leader and holder else ""
    return Processes(tuple(names), _terminal(own.terminal), player, since, tuple(variables))


def _variable_names(pid: int) -> set[str]:
    """The names of the variables that a process of the person's was started with."""
    try:
        entries = regular.of_process(pid, "environ", _MOST_VARIABLES).split("\0")
    except OSError:
        return set()
    return {entry.partition("=")[0] for entry in entries}


def _player(pid: int, name: str) -> str:
    """What holds a terminal's other side: of a script that the person can change, its interpreter."""
    try:
        program = os.path.basename(os.readlink(f"/proc/{pid}/exe"))  # noqa: PTH115, PTH119
        words = regular.of_process(pid, "cmdline").split("\0")[1:]
    except OSError:  # of another user
        return name
    script = next((word for word in words if word[:1] != "-"), "")
    path = Path(f"/proc/{pid}/cwd", script)
    is_installed = bool(script) and path.exists() and not os.access(path, os.W_OK)
    return name if is_installed or not _PLAYERS.fullmatch(program) else program


def _stat(pid: int) -> _Stat | None:
    try:
        head, _, tail = regular.of_process(pid, "stat").rpartition(")")
    except OSError:
        return None
    fields = tail.split()
    return _Stat(head.partition("(")[2], int(fields[1]), int(fields[3]), int(fields[4]), int(fields[19]))


def _names(pid: int, name: str) -> tuple[str, ...]:
    """A process's names; of an interpreter also the program's, as `node …/bin/codex` is called codex."""
    if not _RUNTIMES.fullmatch(name):
        return (name,)
    try:
        words = regular.of_process(pid, "cmdline").split("\0")[1:3]
    except OSError:
        return (name,)
    bases = (os.path.basename(word).partition(".")[0] for word in words if word[:1] != "-")  # noqa: PTH119
    return (*bases, name)


def _terminal(number: int) -> str:
    major, minor = os.major(number), os.minor(number)
    return f"pts/{minor + (major - 136) * 256}" if 136 <= major <= 143 else f"tty{minor}"


def _boot_ms() -> int:
    seconds, _, _ = regular.of_process("", "stat", 1 << 20).partition("\nbtime ")[2].partition("\n")
    return int(seconds or 0) * 1000


def _from_ps() -> Processes:
    """The same from `ps`, which tells neither sessions nor times everywhere."""
    command = ["/bin/ps", "-axo", "pid=,ppid=,tty=,comm="]
    try:
        listed = subprocess.run(command, capture_output=True, text=True, timeout=2, check=False).stdout
    except (OSError, subprocess.TimeoutExpired):
        return Processes((), "", "", 0)
    rows = {row[0]: row[1:] for line in listed.splitlines() if len(row := line.split(None, 3)) == 4}
    own = rows.get(str(os.getpid()), ("", "", ""))
    names: list[tuple[str, ...]] = []
    pid = own[0]
    while pid in rows and len(names) < _DEEPEST:
        names.append((os.path.basename(rows[pid][2]),))  # noqa: PTH119
        pid = rows[pid][0]
    return Processes(tuple(names), own[1] if own[1] not in ("", "?", "??", "-") else "", "", 0)

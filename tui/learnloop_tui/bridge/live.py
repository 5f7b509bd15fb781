"""Following the store: the console lock, the file watcher, and events in words. Runs in worker threads."""

from __future__ import annotations

import contextlib
import fcntl
import os
from typing import TYPE_CHECKING, Any

from learnloop.wire import clock
from learnloop_tui.view.state import Happening

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

DEBOUNCE_MS, STEP_MS = 50, 10
"""How long the watcher gathers changes at most, and how long a pause ends the gathering."""
_WATCHED = (".jsonl", "lessons.json", "decisions.json", "health.json")


def hold(root: str) -> int:
    """Say that a console is open, so that hooks leave the ingest to it; several may be."""
    fd = os.open(f"{_folder(root)}/console.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    with contextlib.suppress(OSError):
        fcntl.flock(fd, fcntl.LOCK_SH | fcntl.LOCK_NB)
    return fd


def is_there(root: str) -> bool:
    """Whether there is a folder of that name."""
    return os.path.isdir(root)  # noqa: PTH112  # strings all the way down


def holds(root: str, fd: int) -> bool:
    """Whether the lock that is held is the one that hooks look at."""
    try:
        return os.path.samestat(os.fstat(fd), os.stat(f"{root}/console.lock"))  # noqa: PTH116
    except OSError:
        return False


def release(fd: int) -> None:
    """The console is closed."""
    if fd >= 0:
        os.close(fd)


def _folder(root: str) -> str:
    for folder in (root, f"{root}/spool", f"{root}/store"):
        os.makedirs(folder, mode=0o700, exist_ok=True)  # noqa: PTH103  # strings all the way down
    return root


def prepare() -> None:
    """Import the watcher: slow, so in a thread."""
    import watchfiles  # noqa: F401


async def changes(root: str) -> AsyncIterator[bool]:
    """Whenever files of the store change: True where documents are among them, False where only events came.

    Where the system's notifications are not to be had, the folders are polled.
    """
    from watchfiles import awatch
    from watchfiles._rust_notify import WatchfilesRustInternalError

    folders = (_folder(root), f"{root}/spool", f"{root}/store")
    for polling in (None, True):
        try:
            async for found in awatch(
                *folders, watch_filter=_matters, debounce=DEBOUNCE_MS, step=STEP_MS, recursive=False,
                force_polling=polling,
            ):  # fmt: skip
                yield any(path.endswith(".json") for _, path in found)
            return
        except (OSError, WatchfilesRustInternalError):
            if polling:
                raise


def _matters(_: object, path: str) -> bool:
    return path.endswith(_WATCHED)


def happening(record: dict[str, Any]) -> Happening:
    """An event as the live line tells it."""
    payload = record.get("payload")
    kind = str(record.get("kind", ""))
    return Happening(
        ms=clock.parse_ms(record.get("ts")),
        kind=kind,
        project=str(record.get("project", "")).rstrip("/").rpartition("/")[2],
        words=_words(kind, payload if isinstance(payload, dict) else {}, record),
    )


def _words(kind: str, payload: dict[str, Any], record: dict[str, Any]) -> str:
    say = payload.get
    call = f"{say('tool') or 'a tool'} {say('file') or say('command') or ''}".rstrip()
    match kind:
        case "prompt":
            return f"({say('machine')})" if say("machine") else f"“{say('prompt') or ''}”"
        case "tool_start" | "tool_end":
            return call
        case "tool_failed":
            return f"{call}: {say('error') or 'failed'}"
        case "refusal":
            return f"{call}: “{say('words')}”" if say("words") else call
        case "subagent_start" | "subagent_end":
            return str(record.get("agent_type") or "subagent")
        case "turn_end" | "turn_failed":
            return str(say("message") or say("error") or "")
        case "recall":
            told = say("lessons") or ()
            return (
                f"{len(told)} {'lesson' if len(told) == 1 else 'lessons'} at the {say('moment') or 'prompt'}"
            )
        case "decision":
            args = say("args")
            if isinstance(args, dict) and args.get("patches"):
                return f"{args.get('did') or 'changed'} by {say('by') or 'cli'}, in prompt files"
            many = len(say("lesson_ids") or ())
            return f"{say('action')} by {say('by') or 'cli'}, {many} {'lesson' if many == 1 else 'lessons'}"
        case _:
            return str(
                say("source") or say("reason") or say("trigger") or say("message") or say("error") or ""
            )


KINDS = {
    "session_start": ("▸", "session"),
    "session_end": ("▪", "session over"),
    "prompt": ("❯", "prompt"),
    "tool_start": ("·", "tool"),
    "tool_end": ("·", "tool"),
    "tool_failed": ("✗", "failed"),
    "refusal": ("⊘", "refused"),
    "subagent_start": ("▸", "subagent"),
    "subagent_end": ("▪", "subagent done"),
    "turn_end": ("✓", "done"),
    "turn_failed": ("✗", "turn failed"),
    "notice": ("!", "notice"),
    "compact": ("≡", "compacted"),
    "recall": ("◂", "told"),
    "decision": ("◆", "verdict"),
    "hook_error": ("✗", "hook error"),
}
"""A glyph and a word for each kind of event."""

"""Pane 3 through a terminal: from a hook's write to its line in a story, and what twenty sessions cost."""

import os
import random
import subprocess
import sys
import time
from pathlib import Path

import psutil
from scripts.perf.console import BIN, append_event, environment, p95_row, seed_with_row
from scripts.perf.measure import Row
from scripts.perf.terminal import Terminal

from learnloop.wire import event, journal

_SESSIONS, _A_SECOND = 20, 200


def watching(folder: Path, quick: bool) -> list[Row]:
    """The open pane at rest, and under load."""
    root = folder / "store"
    root.mkdir()
    row = seed_with_row(root)
    append_event(root, "prompt", "watched", "p1", prompt="keep an eye on this")
    with Terminal([str(BIN / "learn-tui")], environment(folder, root)) as terminal:
        terminal.until(row)
        terminal.rest(1.0)
        terminal.press("3")
        terminal.until("keep an eye on this")
        terminal.rest(2.0)
        shown = [_shown(terminal, root, number) for number in range(5 if quick else 60)]
        share, keys = _under_load(terminal, root, 5.0 if quick else 20.0)
    return [
        p95_row("Sessions: hook write to line in the story, P95", 100, shown),
        Row("Sessions: processor of one core, 20 sessions, 200 events/s", 30, share, "%"),
        p95_row("Sessions: key to screen then, P95", 50, keys),
    ]


def _shown(terminal: Terminal, root: Path, number: int) -> float:
    terminal.rest(random.uniform(0.25, 0.6))
    terminal.forget()
    start = time.perf_counter()
    append_event(root, "tool_end", "watched", "p1", tool="Bash", command=f"eye{number:04d}")
    return (terminal.until(f"eye{number:04d}", 5) - start) * 1e3


def _under_load(terminal: Terminal, root: Path, seconds: float) -> tuple[float, list[float]]:
    """Percent of a core that the console takes, and milliseconds from keys to what they changed."""
    writer = subprocess.Popen(
        [sys.executable, "-m", "scripts.perf.session_pane", str(root), str(seconds + 6)]
    )
    try:
        terminal.rest(3.0)
        console = psutil.Process(terminal.pid)
        before, began = sum(console.cpu_times()[:2]), time.perf_counter()
        terminal.rest(seconds)
        share = (sum(console.cpu_times()[:2]) - before) / (time.perf_counter() - began) * 100
        return share, [_key(terminal, "jk"[number % 2]) for number in range(60)]
    finally:
        writer.terminate()
        writer.wait()


def _key(terminal: Terminal, key: str) -> float:
    """From a key to the cursor's bar on its new row."""
    terminal.rest(random.uniform(0.05, 0.15))
    was = _cursor(terminal)
    start = time.perf_counter()
    terminal.press(key)
    while _cursor(terminal) == was and time.perf_counter() - start < 2:
        terminal.rest(0.002)
    return (terminal.at - start) * 1e3


def _cursor(terminal: Terminal) -> str:
    """What stands behind the cursor's bar in the list: rows may move, the session under it does not."""
    bars = (line.partition("▌")[2] for line in terminal.screen.splitlines() if "▌" in line)
    return next((words[16:60] for words in bars), "")


def _write(root: str, seconds: float) -> None:
    """Twenty sessions that call tools in turn."""
    began, number = time.perf_counter(), 0
    while (passed := time.perf_counter() - began) < seconds:
        while number < passed * _A_SECOND:
            _record(root, number)
            number += 1
        time.sleep(0.005)


def _record(root: str, number: int) -> None:
    session, turn = number % _SESSIONS, number // _SESSIONS
    kind = ("prompt", "tool_start", "tool_end")[0 if turn % 30 == 0 else 1 + turn % 2]
    record = event.record(
        kind, host="claude", session_id=f"busy-{session:02d}", cwd="/code/shop", project=f"/code/p{session}",
        payload={"prompt": f"task {session:02d} {turn}"} if kind == "prompt" else
                {"tool": "Edit", "file": f"/code/p{session}/src/{turn // 2}.py"},
        tool_use_id=f"toolu_{session}_{turn // 2}", hook_ms=20.0,
    )  # fmt: skip
    journal.append(root, [record])


if __name__ == "__main__":
    os.environ["LEARNLOOP_BACKGROUND"] = "0"
    _write(sys.argv[1], float(sys.argv[2]))

"""The console in a real pseudo-terminal: how soon it stands there, how soon it shows what happens."""

import os
import random
import sys
import time
from pathlib import Path

import psutil
from scripts.perf import minimal
from scripts.perf.measure import Row, compared, percentile, rounds
from scripts.perf.terminal import Terminal

from learnloop.wire import event, journal
from tests.generated_drafts import seed_queue

BIN = Path(sys.executable).parent
_FRAME, _MINIMAL = "╭─ Inbox", "minimal-app-is-here"
_QUEUE, _KEYS, _KEY_PAUSE = 10_000, 200, 0.03


def environment(folder: Path, root: Path) -> dict[str, str]:
    return {"HOME": str(folder), "PATH": os.environ["PATH"], "LANG": "C.UTF-8", "LEARNLOOP_HOME": str(root),
            "LEARNLOOP_BACKGROUND": "0"}  # fmt: skip


def time_until(argv: list[str], env: dict[str, str], words: str) -> float:
    with Terminal(argv, env) as terminal:
        return (terminal.until(words) - terminal.started) * 1e3


def start_up(folder: Path, quick: bool) -> list[Row]:
    """First frame and first rows against a minimal Textual app, each from the start of the process."""
    root = folder / "store"
    root.mkdir()
    row = seed_with_row(root)
    env = environment(folder, root)
    console, small = [str(BIN / "learn-tui")], [sys.executable, minimal.__file__]
    samples = rounds(3 if quick else 40, {
        "minimal": lambda _: time_until(small, env, _MINIMAL),
        "frame": lambda _: time_until(console, env, _FRAME),
        "rows": lambda _: time_until(console, env, row),
    })  # fmt: skip
    return [
        compared(samples, "frame", "minimal", 1.5, "Console: first frame against a minimal Textual app"),
        compared(samples, "rows", "minimal", 2.0, "Console: first rows against a minimal Textual app"),
    ]


def seed_with_row(root: Path) -> str:
    """A store with drafts to triage, and words that only its first row has."""
    _correct(root, "zebrafinch", "session-0")
    from learnloop.ingest.run import ingest

    ingest(str(root), wait_s=10)
    return "Don't use plainzebrafinch"


def append_event(root: Path, kind: str, session: str, prompt_id: str, **payload: object) -> None:
    place = "/somewhere"
    record = event.record(
        kind,
        host="claude",
        session_id=session,
        cwd=place,
        project=place,
        payload=payload,
        prompt_id=prompt_id,
    )
    if not journal.append(str(root), [record]):
        raise RuntimeError("the journal could not be written")


def _correct(root: Path, word: str, session: str) -> None:
    """A turn, and the prompt that corrects it: its draft begins with a capital letter."""
    append_event(root, "prompt", session, "p1", prompt="Set up the tests")
    append_event(root, "tool_end", session, "p1", tool="Write", file="/somewhere/tests/test_a.py")
    append_event(root, "turn_end", session, "p1", message="They are set up.", background=[])
    append_event(root, "prompt", session, "p2", prompt=f"No, don't use plain{word}, use {word}")


def live(folder: Path, quick: bool) -> list[Row]:
    """From a hook's write to its line on the screen, and to the draft that comes of it."""
    root = folder / "store"
    root.mkdir()
    row = seed_with_row(root)
    lines, drafts = [], []
    with Terminal([str(BIN / "learn-tui")], environment(folder, root)) as terminal:
        terminal.until(row)
        terminal.rest(1.0)
        for number in range(5 if quick else 60):
            lines.append(_shown(terminal, root, number))
        for number in range(3 if quick else 20):
            drafts.append(_drafted(terminal, root, number))
    return [
        p95_row("Console: hook write to event line, P95", 100, lines),
        p95_row("Console: hook write to draft on screen, P95", 1000, drafts),
    ]


def p95_row(name: str, goal: float, samples: list[float]) -> Row:
    return Row(name, goal, percentile(samples, 0.95), "ms", tuple(samples))


def _shown(terminal: Terminal, root: Path, number: int) -> float:
    terminal.rest(random.uniform(0.25, 0.6))
    terminal.forget()
    start = time.perf_counter()
    append_event(root, "prompt", f"line-{number}", "p1", prompt=f"look{number:04d} here")
    return (terminal.until(f"look{number:04d}", 5) - start) * 1e3


def _drafted(terminal: Terminal, root: Path, number: int) -> float:
    terminal.rest(random.uniform(0.5, 0.9))
    terminal.forget()
    word = "quill" + "".join(chr(97 + int(digit)) for digit in str(number + 100))
    _correct(root, word, f"draft-{number}")
    start = time.perf_counter()
    return (terminal.until(f"Don't use plain{word}", 10) - start) * 1e3


def keys(folder: Path, quick: bool) -> list[Row]:
    """The processor time of a key press in a queue of 10,000 drafts, idle time taken off."""
    root = folder / "store"
    root.mkdir()
    seed_queue(str(root), 500 if quick else _QUEUE)
    with Terminal([str(BIN / "learn-tui")], environment(folder, root)) as terminal:
        terminal.until(_FRAME)
        terminal.rest(2.0)
        terminal.press("f")  # the folded ones too
        terminal.rest(2.0)
        used = key_cpu(terminal)
    return [Row("Console: processor time of a key press, 10,000 drafts", 16, used, "ms")]


def key_cpu(terminal: Terminal) -> float:
    """Milliseconds of processor time that a cursor key takes, beyond what passes without one."""
    idle = _spent(terminal, "")
    return (_spent(terminal, "j") - idle) / _KEYS


def _spent(terminal: Terminal, key: str) -> float:
    """Processor time of so many keys; what is worked out about the last row once they rest is not."""
    process = psutil.Process(terminal.pid)
    before = sum(process.cpu_times()[:2])
    for _ in range(_KEYS):
        if key:
            terminal.press(key)
        terminal.rest(_KEY_PAUSE)
    spent = float(sum(process.cpu_times()[:2]) - before) * 1e3
    terminal.rest(2.0)
    return spent

"""The console on a large store, through a terminal: 2,000 lessons and a year of events."""

import contextlib
import os
import random
import sys
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import psutil
from scripts.perf import big_stores, minimal
from scripts.perf.console import BIN, environment, key_cpu, time_until
from scripts.perf.measure import Row, compared, percentile, rounds
from scripts.perf.terminal import Terminal

from learnloop.ingest.run import ingest
from tests.generated_drafts import seed_queue

LESSONS, EVENTS, DAYS = 2_000, 100_000, 365
_PROJECT = "/somewhere/project"
_PANES = ("╭─ Inbox", "[all", "Sessions", "Agents", "[Proposals", "Health")
"""How the frame of each pane begins when it is first opened."""
_FRAME, _MINIMAL = "╭─ Inbox", "minimal-app-is-here"
_HELD, _TRIAGED = 1_000, 100


def seed(root: Path, quick: bool) -> None:
    """Fill a store: the year first, ingested, then the queue on top of the drafts that came of it."""
    root.mkdir()
    count = 2_000 if quick else EVENTS
    big_stores.write(root, big_stores.events(count, _PROJECT, days=DAYS, seed=1, one_in=30))
    ingest(str(root), wait_s=60)
    seed_queue(str(root), 500 if quick else LESSONS)


def measure(folder: Path, quick: bool) -> list[Row]:
    """Start, panes, keys, memory."""
    root, empty = folder / "store", folder / "empty"
    seed(root, quick)
    env = environment(folder, root)
    return [
        *_start(env, quick),
        *_inside(env),
        *_memory(env, environment(folder, empty)),
    ]


def _start(env: dict[str, str], quick: bool) -> list[Row]:
    console, small = [str(BIN / "learn-tui")], [sys.executable, minimal.__file__]
    with Terminal(console, env) as before:  # as anybody's console did, it lives long enough to leave its rows
        before.until("▌")
        before.rest(3.0)
    samples = rounds(3 if quick else 15, {
        "minimal": lambda _: time_until(small, env, _MINIMAL),
        "frame": lambda _: time_until(console, env, _FRAME),
        "rows": lambda _: time_until(console, env, "▌"),
    })  # fmt: skip
    return [
        compared(samples, "frame", "minimal", 1.35, f"Console, {LESSONS:,} lessons, a year: first frame"),
        compared(samples, "rows", "minimal", 1.8, f"Console, {LESSONS:,} lessons, a year: first rows"),
    ]


def _inside(env: dict[str, str]) -> list[Row]:
    with Terminal([str(BIN / "learn-tui")], env) as terminal:
        terminal.until_screen(lambda screen: "│▌" in screen)
        terminal.rest(2.0)
        for number in "234561":  # each is made when it is first opened
            terminal.press(number)
            terminal.rest(1.5)
        switching = _switching(terminal)
        keys = {name: _key_cpu(terminal, pane) for pane, name in (("1", "Triage"), ("2", "Lessons"))}
    return [
        Row("Console: from pane to pane, P95", 80, percentile(switching, 0.95), "ms", tuple(switching)),
        *(Row(f"Console: processor time of a cursor key, {name}", 8, ms, "ms") for name, ms in keys.items()),
    ]


def _switching(terminal: Terminal) -> list[float]:
    """From the key to the pane's frame."""
    times, dice = [], random.Random(3)
    for _ in range(6):
        for at in dice.sample(range(6), 6):
            terminal.press("1" if at else "2")
            terminal.rest(0.4)
            terminal.screen  # noqa: B018  # what came before is taken in, so that the pane alone is waited for
            start = time.perf_counter()
            terminal.press(str(at + 1))
            terminal.until_screen(partial(_is_open, _PANES[at]), 5)
            times.append((terminal.at - start) * 1e3)
    return times


def _is_open(pane: str, screen: str) -> bool:
    return screen.splitlines()[1].startswith(f"╭─ {pane}")


def _key_cpu(terminal: Terminal, pane: str) -> float:
    terminal.press(pane)
    terminal.rest(1.0)
    if pane == "1":
        terminal.press("f")  # the folded ones too
        terminal.rest(2.0)
    return key_cpu(terminal)


def _memory(env: dict[str, str], empty: dict[str, str]) -> list[Row]:
    with Terminal([sys.executable, minimal.__file__], env) as terminal:
        terminal.until(_MINIMAL)
        terminal.rest(1.0)
        floor = _held(terminal)
    large, none = (_console_memory(environ) for environ in (env, empty))
    note = f"a minimal Textual app takes {floor:.0f} MB of it"
    return [
        Row(f"Console: memory (PSS), {LESSONS:,} lessons, a year", 90, large, "MB", note=note),
        Row("Console: memory (PSS), empty store", 60, none, "MB", note=note),
    ]


def _console_memory(env: dict[str, str]) -> float:
    with Terminal([str(BIN / "learn-tui")], env) as terminal:
        terminal.until(_FRAME)
        terminal.rest(4.0)
        return _held(terminal)


def _held(terminal: Terminal) -> float:
    """Megabytes that the process holds, shared pages by share where the system tells it."""
    memory = psutil.Process(terminal.pid).memory_full_info()
    return float(getattr(memory, "pss", 0) or memory.rss) / 1e6


def triage(folder: Path, quick: bool) -> list[Row]:
    """A hundred drafts of a thousand, each looked at until its details stand there, then decided."""
    root = folder / "store"
    seed_queue(str(root), 200 if quick else _HELD)
    taken: list[float] = []
    with Terminal([str(BIN / "learn-tui")], environment(folder, root)) as terminal:
        terminal.until_screen(lambda screen: "│▌" in screen and "chance ━" in screen)
        terminal.press("f")  # the folded ones too
        terminal.until_screen(lambda screen: "▾" in screen)
        for number in range(10 if quick else _TRIAGED):
            start = time.perf_counter()
            for keys in _verdict(number):
                _press_and_see(terminal, keys)
            taken.append((time.perf_counter() - start) * 1e3)
    total = sum(taken) / len(taken)
    return [
        Row("Triage: from a verdict's key to the next draft with its details, mean", 3_000, total, "ms",
            tuple(taken), note="promoted and rejected with a reason in turn, details awaited each time"),
    ]  # fmt: skip


def _verdict(number: int) -> Iterator[str]:
    yield "p" if number % 2 else "r"
    if not number % 2:
        yield "w"


def _press_and_see(terminal: Terminal, key: str) -> None:
    before = _current(terminal.screen)
    terminal.press(key)
    if key == "r":
        terminal.until_screen(lambda screen: "one key, or enter" in screen)
        return
    terminal.until_screen(lambda screen: _has_details(screen, before) or "Promote with these" in screen)
    if "Promote with these" in terminal.screen:
        terminal.press("\r")
        terminal.until_screen(lambda screen: _has_details(screen, before))


def _has_details(screen: str, before: str) -> bool:
    """The cursor is on another draft, and its own words head the details."""
    current = _current(screen)
    if current in ("", before) or "one key, or" in screen or "Promote with these" in screen:
        return False
    beside = [line.partition("││")[2] for line in screen.splitlines()[2:4]]
    details = " ".join(" ".join(beside).replace("│", " ").replace("▐", " ").split())
    return details.startswith(current[:24])


def _current(screen: str) -> str:
    rows = (line.partition("│▌")[2] for line in screen.splitlines() if "│▌" in line)
    return next(rows, "").strip()[2:40]


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):
        os.environ["LEARNLOOP_BACKGROUND"] = "0"
        seed(Path(sys.argv[1]), quick=False)

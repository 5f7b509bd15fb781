"""What a store costs: sizes on disk, times and memory of hooks, verbs, console and ingest."""

import os
import shlex
import statistics
import subprocess
import sys
import time
from collections import Counter
from functools import partial
from pathlib import Path

import psutil
from scripts.perf import big_stores
from scripts.perf.console import BIN, environment, time_until
from scripts.perf.hooks import Bench
from scripts.perf.measure import Command, Measures, Samples, rounds
from scripts.perf.terminal import Terminal
from scripts.soak.simulated import PROJECT

from learnloop.ingest.run import ingest
from learnloop.service import workspace
from learnloop.service.setup import install

_FEW = 100
_PEAK = """
import re, resource, sys
from pathlib import Path
from learnloop.ingest.run import ingest
ingest(sys.argv[1], wait_s=60)
status = Path("/proc/self/status")  # what the system tells otherwise may be the parent's
peak = re.search(r"VmHWM:\\s+(\\d+)", status.read_text()) if status.exists() else None
print((int(peak[1]) if peak else resource.getrusage(resource.RUSAGE_SELF).ru_maxrss) / 1024)
"""


def sizes(root: Path) -> dict[str, float]:
    """Megabytes by what they are; segments stand apart, because they have to grow with what is recorded."""
    counts: Counter[str] = Counter()
    for path in root.rglob("*"):
        if path.is_file() and not path.is_symlink():
            counts[_part(path.relative_to(root))] += path.stat().st_size
    return {name: size / 1e6 for name, size in sorted(counts.items())}


def _part(path: Path) -> str:
    first = path.parts[0]
    if first == "store" and len(path.parts) > 1:
        return f"store/{path.parts[1].removesuffix('.json')}"
    return first


def new_events(root: Path, seed: int) -> None:
    """A hundred new events, not ingested."""
    big_stores.write(root, big_stores.events(_FEW, PROJECT, days=0, seed=seed, one_in=30))


def ingest_few(root: Path, number: int) -> float:
    """Milliseconds of an ingest of a hundred new events."""
    new_events(root, 10_000 + number)
    start = time.perf_counter_ns()
    ingest(str(root), wait_s=60)
    return (time.perf_counter_ns() - start) / 1e6


def bench(folder: Path, root: Path) -> Bench:
    """Hooks of a store that is there."""
    project = folder / "project"
    (project / ".git").mkdir(parents=True, exist_ok=True)
    env = {"HOME": str(folder), "PATH": os.environ["PATH"], "LEARNLOOP_HOME": str(root),
           "LEARNLOOP_BACKGROUND": "0", "CLAUDE_PROJECT_DIR": str(project)}  # fmt: skip
    line = install.hook_command(workspace.open_workspace(str(root)), "claude")
    return Bench(root, project, tuple(shlex.split(line)), env, "/nowhere.jsonl")


def times(folder: Path, roots: dict[str, Path], count: int) -> Samples:
    """Milliseconds of a prompt's hook, of verbs, of the console's first rows, and of an ingest, by store."""
    measures: Measures = {}
    for name, root in roots.items():
        hooks, env = bench(folder, root), environment(folder, root)
        status = Command((str(BIN / "learn"), "status"), env)
        measures |= {
            f"hook of a prompt, {name}": partial(hooks.run, "UserPromptSubmit", "soak"),
            f"hook of a start, {name}": partial(hooks.run, "SessionStart", "soak"),
            f"learn status, {name}": partial(_run, status),
            f"ingest of {_FEW} events, {name}": partial(ingest_few, root),
            f"console, first rows, {name}": partial(_first_rows, env),
        }
    return rounds(count, measures)


def _run(command: Command, _: int) -> float:
    return command.run()


def _first_rows(env: dict[str, str], _: int) -> float:
    return time_until([str(BIN / "learn-tui")], env, "▌")


def memory(folder: Path, root: Path) -> dict[str, float]:
    """Megabytes of an ingest of a hundred events, at its peak, and of the console with its rows."""
    new_events(root, 20_000)
    peak = subprocess.run(
        [sys.executable, "-c", _PEAK, str(root)], capture_output=True, check=True, text=True
    )
    with Terminal([str(BIN / "learn-tui")], environment(folder, root)) as terminal:
        terminal.until("▌")
        terminal.rest(3.0)
        usage = psutil.Process(terminal.pid).memory_full_info()
        console = float(getattr(usage, "pss", 0) or usage.rss) / 1e6
    return {"memory of an ingest": float(peak.stdout), "memory of the console": console}


def medians(samples: Samples) -> dict[str, float]:
    """The median of each measure."""
    return {name: statistics.median(values) for name, values in samples.items()}

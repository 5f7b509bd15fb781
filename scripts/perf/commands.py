"""What a person waits for at a shell: help, status, completion, a listing, each a whole process."""

import os
import statistics
import sys
from pathlib import Path

from scripts.perf.measure import Command, Row, percentile, rounds

from tests.generated_drafts import seed_queue

BIN = Path(sys.executable).parent
_DRAFTS = 10_000
_TYPED = "learn promote a"


def measure(folder: Path, quick: bool) -> list[Row]:
    """Medians in milliseconds beside that of an interpreter that does nothing."""
    count, drafts = (3, 500) if quick else (25, _DRAFTS)
    empty, large = folder / "empty", folder / "large"
    seed_queue(str(large), drafts)
    learn = str(BIN / "learn")
    samples = rounds(count, {
        "floor": lambda _: _run(folder, empty, sys.executable, "-c", "pass"),
        "help": lambda _: _run(folder, empty, learn, "--help"),
        "status": lambda _: _run(folder, empty, learn, "status"),
        "status, large": lambda _: _run(folder, large, learn, "status"),
        "completion": lambda _: _run(folder, large, learn, completing=_TYPED),
        "listing": lambda _: _run(folder, large, learn, "lessons", "--drafts", "--json"),
    })  # fmt: skip
    floor = statistics.median(samples["floor"])
    named = (
        ("help", "`learn --help`", 80), ("status", "`learn status`, nothing recorded", 150),
        ("status, large", f"`learn status`, {drafts:,} drafts", 150),
        ("completion", f"tab after `{_TYPED}`, {drafts:,} drafts", 150),
        ("listing", f"`learn lessons --drafts --json`, {drafts:,} drafts", 1_000),
    )  # fmt: skip
    return [
        Row(label, goal, statistics.median(taken), "ms", tuple(taken), note=_note(taken, floor))
        for name, label, goal in named
        for taken in (samples[name],)
    ]


def _note(samples: list[float], floor: float) -> str:
    return f"P95 {percentile(samples, 0.95):.0f} ms; `python -c pass` takes {floor:.0f} ms of it"


def _run(folder: Path, root: Path, *argv: str, completing: str = "") -> float:
    env = {"HOME": str(folder), "PATH": os.environ["PATH"], "LANG": "C.UTF-8", "LEARNLOOP_HOME": str(root)}
    if completing:
        env |= {
            "_ARGCOMPLETE": "1", "_ARGCOMPLETE_SHELL": "bash", "_ARGCOMPLETE_STDOUT_FILENAME": os.devnull,
            "COMP_LINE": completing, "COMP_POINT": str(len(completing)),
        }  # fmt: skip
    return Command(argv, env).run()

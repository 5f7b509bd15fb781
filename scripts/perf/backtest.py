"""The backtest of triggers with 100,000 recorded calls: in a new process, and while they are edited."""

import json
import random
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from scripts.perf import big_stores
from scripts.perf.measure import Row

from learnloop.models import Lesson, Triggers
from learnloop.service import workspace
from learnloop.service.recall import backtest
from learnloop.store import fold

CALLS = 100_000
_PROJECT = "/somewhere/project"
_NOW = "2026-01-01T00:00:00.000Z"
_WORDS = (
    *(f"word{number}" for number in range(400)),
    "invoice", "tests", "deploy", "release", "migration", "export", "cache", "queue", "coverage", "return",
)  # fmt: skip
_ASKED = (
    ("files that fit", Triggers(file_patterns=("**/*.py",), context_keywords=("invoice", "tests"))),
    ("a command", Triggers(command_patterns=("pytest *",), action_keywords=("test", "coverage"))),
    ("words", Triggers(action_keywords=("deploy", "release", "migration", "export", "cache", "queue"))),
)
_IN_A_PROCESS = """
import sys, time
started = time.perf_counter_ns()
from learnloop.models import Lesson
from learnloop.service import workspace
from learnloop.service.recall import backtest
report = backtest.backtest(workspace.open_workspace(sys.argv[1]), Lesson.model_validate_json(sys.argv[2]))
print(report.calls, report.fired, (time.perf_counter_ns() - started) / 1e6)
"""


def measure(folder: Path, quick: bool) -> list[Row]:
    """Rows for a new process, and the next letter typed."""
    calls, rounds = (5_000, 2) if quick else (CALLS, 5)
    root = folder / "recorded"
    root.mkdir(parents=True)
    recorded = _record(root, calls)
    fresh = [_in_a_process(root, _ASKED[n % len(_ASKED)][1])[1] for n in range(rounds)]
    live = [_live(root, triggers) for _ in range(rounds) for _, triggers in _ASKED]
    name = f"Backtest, {recorded:,} recorded calls"
    return [
        Row(f"{name}, a new process", 1_000, statistics.median(fresh), "ms", tuple(fresh),
            note=f"the newest {backtest.MOST:,} calls and prompts are looked at"),
        Row(f"{name}, while triggers are edited", 1_000, max(live), "ms", tuple(live),
            note="the slowest of " + ", ".join(what for what, _ in _ASKED)),
    ]  # fmt: skip


def _record(root: Path, calls: int) -> int:
    """So many calls with all that goes with them; how many there are."""
    seed = calls_so_far = 0
    while calls_so_far < calls:
        seed += 1
        pick = random.Random(seed)
        batch = [
            _asked(record, seed, pick) for record in big_stores.events(10_000, _PROJECT, days=30, seed=seed)
        ]
        calls_so_far += sum(record["kind"] == "tool_start" for record in batch)
        big_stores.write(root, iter(batch))
        fold.fold(str(root))
    return calls_so_far


def _asked(record: dict[str, Any], seed: int, pick: random.Random) -> dict[str, Any]:
    """A call as the hook before it tells it: with what is about to be written and differing options."""
    if record["kind"] != "tool_end":
        return record
    payload = {**record["payload"], "text": " ".join(pick.choices(_WORDS, k=60))}
    if "command" in payload:
        payload["command"] += f" -k part{pick.randrange(5_000)} --seed {pick.randrange(100)}"
    use = f"{seed}-{record['tool_use_id']}"
    return {**record, "kind": "tool_start", "tool_use_id": use, "payload": payload}


def _lesson(triggers: Triggers) -> Lesson:
    return Lesson(
        id="measured",
        statement="Something holds.",
        scope="global",
        triggers=triggers,
        created=_NOW,
        updated=_NOW,
    )


def _in_a_process(root: Path, triggers: Triggers) -> tuple[int, float]:
    words = [sys.executable, "-c", _IN_A_PROCESS, str(root), json.dumps(_lesson(triggers).as_json())]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    calls, _, took = done.stdout.split()
    return int(calls), float(took)


def _live(root: Path, triggers: Triggers) -> float:
    ws = workspace.open_workspace(str(root))
    backtest.backtest(ws, _lesson(Triggers()))
    start = time.perf_counter_ns()
    report = backtest.backtest(ws, _lesson(triggers))
    took = (time.perf_counter_ns() - start) / 1e6
    if report is None or not report.calls:
        raise RuntimeError("nothing was tried")
    return took

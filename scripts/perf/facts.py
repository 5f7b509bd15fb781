"""A model that reads along: what filtering its facts costs, and a run of 20 prompts without the model."""

import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from scripts.perf import big_stores
from scripts.perf.measure import Row

from learnloop.ingest import known_facts
from learnloop.learn.facts import fact_findings
from learnloop.learn.facts.answers import ReadFact
from learnloop.learn.facts.fact_findings import Checks
from learnloop.learn.facts.requests import MOST_FACTS
from learnloop.service import workspace
from learnloop.settings import Settings
from learnloop.wire import clock, event

FACTS, LESSONS, PROMPTS = 1_000, 10_000, 20
_PROJECT = "/somewhere/project"
_RUN = """
import json, sys, time
from learnloop.distill import bounded_call, model_clients
from learnloop.distill import runner

def call(argv, text, **_):
    lines = [json.loads(line) for line in text.split("\\n")[1:-1]]
    named = {line.get("message") or line.get("fact"): line["text"] for line in lines if "text" in line}
    more = {"scope": "project", "when": ["start"], "sure": 80, "place": "new"}
    output = {"lessons": [{"from": [name], "text": words, **more} for name, words in named.items()],
              "turns": [{"message": name, "says": ["corrects"]} for name in named]}
    answer = {"is_error": False, "usage": {}, "structured_output": output}
    return bounded_call.CallResult(0, json.dumps(answer).encode(), b"")

bounded_call.call = call
model_clients.chosen = lambda *_: model_clients.ModelClient("claude", program="/bin/claude")
began = time.process_time()
outcome = runner.run(sys.argv[1], by_hand=True)
print(len(outcome.runs), (time.process_time() - began) * 1000, time.process_time() * 1000)
"""
_INGEST = "import sys; from learnloop.ingest import background; background.run(sys.argv[1])"
_MEMORY = "\nimport psutil; print(psutil.Process().memory_info().rss)"


def measure(folder: Path, quick: bool) -> list[Row]:
    """Rows for the filter, and for a run."""
    facts, lessons, rounds = (100, 500, 2) if quick else (FACTS, LESSONS, 5)
    root = folder / "lessons"
    root.mkdir()
    big_stores.write(root, big_stores.lessons(lessons, _PROJECT))
    workspace.ingest(workspace.open_workspace(str(root)), wait_s=60)
    halves = [_filter(root, facts // 2) for _ in range(rounds)]
    wholes = [_filter(root, facts) for _ in range(rounds)]
    runs = [_run(folder / f"run-{number}") for number in range(rounds)]
    cpu, clocked = (tuple(whole[at] for whole in wholes) for at in (0, 1))
    growth = statistics.median(cpu) / statistics.median(half for half, _ in halves)
    return [
        Row(f"Facts: {facts:,} filtered against {lessons:,} lessons, processor time", 2_000,
            statistics.median(cpu), "ms", cpu,
            note=f"{growth:.2f} times that of half; {statistics.median(clocked):,.0f} ms by the clock"),
        Row(f"Facts: processor time of a run of {PROMPTS} prompts without the model", 300,
            statistics.median(run for run, _, _ in runs), "ms", tuple(run for run, _, _ in runs),
            note=f"{statistics.median(whole for _, whole, _ in runs):.0f} ms with start and imports"),
        Row("Facts: memory of that run against the background ingest of its prompts", 1.5,
            statistics.median(growth for _, _, growth in runs), "×", tuple(growth for _, _, growth in runs)),
    ]  # fmt: skip


def _filter(root: Path, count: int) -> tuple[float, float]:
    """Milliseconds until raw facts are compared with what is known: of the processor, by the clock."""
    evidence: list[Any] = []
    raw: dict[str, dict[str, Any]] = {
        f"f{number}": {
            "id": f"{number}", "event_ids": [f"e{number}"], "evidence": evidence, "draft_id": f"{number}",
            "text": _words(number), "said": _words(number), "status": "raw", "sure": 80, "when": (),
            "is_global": False,
        }
        for number in range(count)
    }  # fmt: skip
    read = [ReadFact(doc["text"], names=(name,)) for name, doc in raw.items()]
    for number, doc in enumerate(raw.values()):
        doc["evidence"] = [{"event_id": f"e{number}", "quote": doc["text"]}]
    began, clock_began = time.process_time(), time.perf_counter()
    restated = known_facts.restating(str(root), _PROJECT, Settings())
    for start in range(0, count, MOST_FACTS):
        fact_findings.of_facts(read[start : start + MOST_FACTS], raw, (), Checks(restated=restated))
    return (time.process_time() - began) * 1000, (time.perf_counter() - clock_began) * 1000


def _words(number: int) -> str:
    return f"Run check-{number} before the report of part {number % 50} goes out"


def _run(root: Path) -> tuple[float, float, float]:
    """Processor milliseconds of a run in a process of its own, and of all; its memory against an ingest's."""
    root.mkdir()
    (root / "config.toml").write_text('[facts]\nmode = "draft"\n')
    common: dict[str, Any] = {
        "host": "claude", "session_id": "s1", "cwd": _PROJECT, "project": _PROJECT,
    }  # fmt: skip
    now = clock.now_ms() - PROMPTS
    consent = {"action": "facts", "lesson_ids": [], "by": "cli",
               "args": {"project": _PROJECT, "mode": "draft"}}  # fmt: skip
    records = [event.record("decision", host="learnloop", session_id="cli", cwd="", project="",
                            payload=consent, ts_ms=now - 1)]  # fmt: skip
    records += [
        event.record("prompt", **common, payload={"prompt": _words(number)}, ts_ms=now + number)
        for number in range(PROMPTS)
    ]
    records.append(event.record("session_end", **common, payload={}, ts_ms=now + PROMPTS))
    big_stores.write(root, records)
    of_ingest = int(_printed(_INGEST, root))
    runs, of_run, of_all, memory = _printed(_RUN, root).split()
    if int(runs) != 1:
        raise RuntimeError(f"{runs} calls instead of 1")
    return float(of_run), float(of_all), int(memory) / of_ingest


def _printed(code: str, root: Path) -> str:
    """What a process of its own prints that does something with a store, and its memory then."""
    return subprocess.run(
        [sys.executable, "-c", code + _MEMORY, str(root)], capture_output=True, text=True, check=True,
        env={"HOME": str(root), "LEARNLOOP_HOME": str(root), "PATH": ""},
    ).stdout  # fmt: skip

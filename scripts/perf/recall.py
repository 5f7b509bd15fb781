"""Recall inside the process: from a moment to the lines that are told, the index read anew each time."""

import random
import statistics
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from scripts.perf.measure import Row

from learnloop.recall.compile import compile_index
from learnloop.wire import index, relevance, render, search

_PROJECTS = ("/code/alpha", "/code/beta", "/code/gamma")
_FOLDERS = ["api", "core", "db", "docs", "jobs", "pages", "parser", "sync", "tests", "tools", "ui", "web"]
_ENDINGS = ["go", "json", "md", "py", "rs", "sql", "ts", "tsx", "yml"]
_COMMANDS = ("git push", "git commit", "npm run build", "pytest", "docker build", "terraform apply", "make *")
_FORMS = ("the {} is kept, the {} goes with it", "please look at the {} and its {}", "add {} to {}")


def measure(folder: Path, quick: bool) -> list[Row]:
    """P95 of a recall with 500 and with 10,000 lessons, prompts and calls in turn."""
    rounds = 200 if quick else 3_000
    sizes = ((500, 2.0), (1_000 if quick else 10_000, 10.0))
    return [_row(folder, count, goal, rounds) for count, goal in sizes]


def _row(folder: Path, count: int, goal: float, rounds: int) -> Row:
    chance = random.Random(count)
    words = [f"{a}{b}" for a in _FOLDERS for b in ("er", "ing", "let", "or", "um", "ix", "on", "ade")]
    path = folder / f"index-{count}"
    path.write_bytes(compile_index(_lessons(count, words, chance), {"generation": 1}))
    samples, hits = [], 0
    for moment in _moments(rounds, words, chance):
        start = time.perf_counter_ns()
        opened = index.read(str(path))
        if opened is None:
            raise RuntimeError("the index cannot be read")
        best = search.best(opened, relevance.Moment(moment), 3, lambda _: True, relevance.THRESHOLD)
        lines = [render.line(record) for record in render.fit_budget([record for record, _ in best], 400)]
        samples.append((time.perf_counter_ns() - start) / 1e6)
        hits += bool(lines)
    note = f"read, search, telling; {hits * 100 // rounds} % of the moments are told something"
    value = statistics.quantiles(samples, n=20)[-1]
    return Row(f"Recall in the process, {count:,} lessons, P95", goal, value, "ms", tuple(samples), note=note)


def _lessons(count: int, words: list[str], chance: random.Random) -> Iterator[dict[str, Any]]:
    """Lessons of three projects and of all; some name files, some commands, all some words."""
    for number in range(count):
        triggers: dict[str, Any] = {"action_keywords": chance.sample(words, chance.randint(1, 4))}
        if chance.random() < 0.5:
            triggers["file_patterns"] = [f"src/{chance.choice(_FOLDERS)}/**/*.{chance.choice(_ENDINGS)}"]
        elif chance.random() < 0.5:
            triggers["command_patterns"] = [chance.choice(_COMMANDS)]
        everywhere = chance.random() < 0.25
        yield {
            "id": f"{number:026d}", "status": "active", "scope": "global" if everywhere else "project",
            "project": "" if everywhere else chance.choice(_PROJECTS), "triggers": triggers,
            "statement": f"The {' '.join(chance.sample(words, 6))} stays as it is.",
            "priority": chance.choice(("CRITICAL", "HIGH", "HIGH", "MEDIUM", "MEDIUM", "MEDIUM", "LOW")),
            "keywords": chance.sample(words, 3),
        }  # fmt: skip


def _moments(count: int, words: list[str], chance: random.Random) -> Iterator[dict[str, Any]]:
    for number in range(count):
        prompt = " ".join(
            chance.choice(_FORMS).format(*chance.sample(words, 2)) for _ in range(chance.randint(1, 12))
        )
        project = chance.choice(_PROJECTS)
        moment: dict[str, Any] = {"moment": "prompt", "words": prompt, "project": project, "cwd": project}
        if number % 3 == 1:
            file = f"{project}/src/{chance.choice(_FOLDERS)}/a/b.{chance.choice(_ENDINGS)}"
            moment |= {"moment": "tool", "tool": "Edit", "file": file, "words": f"{file}\n{prompt * 4}"}
        elif number % 3 == 2:
            command = f"cd {project} && {chance.choice(_COMMANDS)} -v"
            moment |= {"moment": "tool", "tool": "Bash", "command": command, "words": f"{command}\n{prompt}"}
        yield moment

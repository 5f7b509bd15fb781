"""Prompt hooks that are told earlier tasks, against the same hooks with priming off."""

import random
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from learnloop.models.task import Task
from learnloop.recall import task_index
from learnloop.service.memory import near_tasks
from learnloop.service.workspace import open_workspace
from learnloop.store import files
from learnloop.wire import earlier, paths, session_recalls
from tests.perf.hooks import Bench, bench
from tests.perf.measure import Measures, Row, Samples, compared, percentile, rounds

ROUNDS, QUICK_ROUNDS = 60, 4
_PROMPT, _STOP = "UserPromptSubmit", "Stop"
_FOLDERS = ("api", "core", "db", "docs", "jobs", "pages", "parser", "sync", "tests", "tools", "ui", "web")
_PARTS = ((0.0, 0.9), (0.9, 0.99), (0.99, 1.0))
"""How an index is cut: the newest part is the smallest."""


def measure(folder: Path, quick: bool) -> list[Row]:
    """Prompts with 500 lessons and 1,000 or 100,000 earlier tasks, looked up by words or read from a list."""
    count, most = (QUICK_ROUNDS, 3_000) if quick else (ROUNDS, 100_000)
    off, few, many = (bench(folder, name, 500) for name in ("off", "few", "many"))
    for store, tasks in ((few, 1_000), (many, most)):
        _prime(store, tasks)
    listed = [f"l{number}" for number in range(count + 2)]
    for name in listed:
        _write_list(few, name)
    measures: Measures = {"bare": lambda _: off.bare.run()}
    for name, store, prefix in (
        ("off", off, "d"),
        ("few", few, "d"),
        ("many", many, "d"),
        ("list", few, "l"),
    ):
        measures[name] = partial(store.run, _PROMPT, prefix)
    samples = rounds(count, measures)
    _check(few, many)
    return [
        compared(samples, "many", "bare", 1.35, f"Prompt with priming, {most:,} tasks"),
        _more(samples, "few", 0.06, "Prompt with priming by words, more than without"),
        _more(samples, "list", 0.02, "Prompt with priming by the session's list, more than without"),
        compared(samples, "many", "few", 1.1, f"Prompt with priming, {most:,} tasks against 1,000"),
    ]


def _check(*stores: Bench) -> None:
    """Every prompt was told earlier tasks, and no hook failed."""
    for store in stores:
        receipts = [
            line for line in (store.root / "journal.jsonl").read_bytes().splitlines() if b'"recall"' in line
        ]
        if not receipts or not all(b'"tasks"' in line for line in receipts):
            raise RuntimeError("a prompt was told no earlier task")


def _more(samples: Samples, name: str, goal: float, label: str) -> Row:
    """How much more than without priming, as a share of the bare interpreter."""
    triples = zip(samples[name], samples["off"], samples["bare"], strict=True)
    return Row(
        label, goal, percentile([(a - b) / bare for a, b, bare in triples], 0.5), "×", tuple(samples[name])
    )


def _prime(store: Bench, count: int) -> None:
    """Switch priming on, over an index of so many tasks of the project."""
    near_tasks.set_priming(open_workspace(str(store.root)), str(store.project), on=True)
    tasks, folder = list(_tasks(count, str(store.project))), Path(paths.earlier_tasks(str(store.root)))
    names = []
    for first, last in _PARTS:
        part = tasks[round(first * count) : round(last * count)]
        names.append(f"part-{first}")
        files.replace(folder / names[-1], [task_index.compile_tasks(part)])
    files.replace(folder / earlier.LIST, ["\n".join(names).encode()])


def _write_list(store: Bench, number: str) -> None:
    session = store.session(number)
    sections = earlier.sections(str(store.root), str(store.project))
    data = task_index.near_list(sections, ["app/loader.py", "app/core0.py"], session)
    files.replace(Path(session_recalls.path_in(paths.near_tasks(str(store.root)), session)), [data])


def _tasks(count: int, project: str) -> Iterator[Task]:
    chance = random.Random(17)
    words = [
        f"{a}{b}{c}" for a in _FOLDERS for b in ("er", "ing", "let", "um", "ix", "ade") for c in range(40)
    ]
    for number in range(count):
        asked = (
            f"Let the {' and the '.join(chance.sample(words, 6))} agree with the {chance.choice(_FOLDERS)}"
        )
        named = f"app/{chance.choice(_FOLDERS)}{number % 300}.py"
        if number % 90 == 1:
            asked, named = (
                f"Let the loader print through logging to the {chance.choice(words)} report",
                "app/loader.py",
            )
        words_ = f"{asked}. {' '.join(chance.sample(words, 60))}"
        yield Task.model_validate({
            "id": f"{number:032x}", "title": asked[:100], "input": words_, "attended": True, "agent": "main",
            "session_id": f"s{number // 8}", "project": project, "host": "claude",
            "started": f"2026-01-01T00:00:00.{number:09d}Z", "files": [f"{project}/{named}"],
            "commands": ["npm test", "git commit -m x"],
            "outcome": chance.choice(("success", "unknown", "failed")),
        })  # fmt: skip

"""Prompt hooks that are told earlier tasks, against the same hooks with priming off."""

import random
import statistics
import time
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from scripts.perf.hooks import Bench, bench
from scripts.perf.measure import WARM_UP, Measures, Row, Samples, compared, percentile, rounds

from learnloop.ingest import earlier_tasks, task_history
from learnloop.ingest.run import ingest
from learnloop.models.task import Task
from learnloop.recall import task_index
from learnloop.service.memory import memory_list, near_tasks
from learnloop.service.tasks import daily, task_list
from learnloop.service.workspace import open_workspace
from learnloop.store import files
from learnloop.wire import earlier, paths
from tests.ingest.session_scene import Scene, write

ROUNDS, QUICK_ROUNDS = 60, 4
_PROMPT, _SUBAGENT = "UserPromptSubmit", "SubagentStart"
_EVERY = 90
"""One task in so many is about the loader, and typed: of the others nobody reads whose words they are."""
_FOLDERS = ("api", "core", "db", "docs", "jobs", "pages", "parser", "sync", "tests", "tools", "ui", "web")
PARTS = ((0.0, 0.9), (0.9, 0.99), (0.99, 1.0))
"""How an index is cut: the newest part is the smallest."""


def measure(folder: Path, quick: bool) -> list[Row]:
    """The first prompts of sessions with 500 lessons and 1,000 or 100,000 earlier tasks."""
    count, most = (QUICK_ROUNDS, 3_000) if quick else (ROUNDS, 100_000)
    off, few, many = (bench(folder, name, 500) for name in ("off", "few", "many"))
    for store, tasks in ((few, 1_000), (many, most)):
        _prime(store, tasks)
    measures: Measures = {"bare": lambda _: off.bare.run()}
    for name, store, prefix in (
        ("off", off, "d"),
        ("few", few, "d"),
        ("many", many, "d"),
    ):
        measures[name] = partial(store.run, _PROMPT, prefix)
    for number in range(count + WARM_UP):
        many.run(_PROMPT, "s", number)
    measures["subagent"] = partial(many.run, _SUBAGENT, "s")
    samples = rounds(count, measures)
    _check(few, many)
    return [
        compared(samples, "many", "bare", 1.35, f"Prompt with priming, {most:,} tasks"),
        _more(samples, "few", 0.06, "Prompt with priming, more than without"),
        compared(samples, "many", "few", 1.1, f"Prompt with priming, {most:,} tasks against 1,000"),
        compared(samples, "subagent", "bare", 1.5, f"Subagent's start with priming, {most:,} tasks"),
        _search(many, most),
        *_refresh(folder, quick),
    ]


def _search(store: Bench, count: int) -> Row:
    """A search in the process, as `learn prime` and the console do it."""
    took = []
    for number in range(60):
        start = time.perf_counter_ns()
        sections = earlier.sections(str(store.root), str(store.project))
        earlier.nearest(
            sections, f"let the loader of app{number} print through logging", ["app/loader.py"], 20
        )
        took.append((time.perf_counter_ns() - start) / 1e6)
    label = f"Search of {count:,} earlier tasks in the process, P95"
    return Row(label, 30.0, percentile(took, 0.95), "ms", tuple(took))


def _refresh(folder: Path, quick: bool) -> list[Row]:
    """Index and memories after 100 new tasks, in a store of many and in an empty one; a page of memories."""
    many, ratios = (1_000, 3) if quick else (20_000, 5)
    empty, full = (str(folder / name) for name in ("index-empty", "index-full"))
    add_tasks(full, many, 0)
    refreshing: dict[str, Callable[[str], object]] = {
        "Index": earlier_tasks.refresh, "Memories": task_history.refresh,
    }  # fmt: skip
    took: dict[tuple[str, str], list[float]] = {}
    for number in range(ratios + 1):
        for root in (empty, full):
            for name, refresh in refreshing.items():
                start = time.perf_counter_ns()
                refresh(root)
                took.setdefault((name, root), []).append((time.perf_counter_ns() - start) / 1e6)
            add_tasks(root, 100, number + 1)
    rows = []
    for name in refreshing:
        later, first = took[name, full][1:], took[name, empty][1:]
        ratio = statistics.median(later) / statistics.median(first)
        rows.append(
            Row(f"{name} of 100 new tasks, {many:,} before against none", 2.0, ratio, "×", tuple(later))
        )
    again = str(folder / "again")
    add_tasks(again, many // 4, 0, pages=300)
    return [
        *rows,
        _filters(full, many),
        _page(full, f"{many:,} tasks"),
        _page(again, f"{many // 4:,} tasks that say 300 things"),
        _day(again),
    ]


def _day(root: str) -> Row:
    """The log of the day with the most tasks, made anew."""
    ws, took = open_workspace(root), []
    days = Counter(task.started[:10] for task in task_list.tasks(ws, most=2_000))
    day, count = days.most_common(1)[0]
    for _ in range(10):
        start = time.perf_counter_ns()
        if not any(log.tasks for log in daily.logs(ws, day, day)):
            raise RuntimeError("a log without tasks")
        took.append((time.perf_counter_ns() - start) / 1e6)
    return Row(f"A day's log of {count:,} tasks, P95", 500.0, percentile(took, 0.95), "ms", tuple(took))


def _filters(root: str, count: int) -> Row:
    """Lists of tasks by filters that fit nothing, so that all tasks are asked."""
    ws, took = open_workspace(root), []
    fields = ("calls:>50", "turns:>1", "tag:haskell", "error:teapot", "branch:none", "started:<1d")
    for line in 10 * (*fields, "file:zebrafish", "zebrafish", "qz"):
        start = time.process_time_ns()
        if task_list.tasks(ws, line, 50):
            raise RuntimeError("a task fits that should not")
        took.append((time.process_time_ns() - start) / 1e6)
    label = f"Processor time of a filter over {count:,} tasks, P95"
    return Row(label, 30.0, percentile(took, 0.95), "ms", tuple(took))


def _page(root: str, stored: str) -> Row:
    """The first page of the memories' view."""
    ws, took = open_workspace(root), []
    memory_list.newest(ws, within_s=float("inf"))
    for _ in range(30):
        start = time.process_time_ns()
        memory_list.newest(ws)
        took.append((time.process_time_ns() - start) / 1e6)
    label = f"Processor time of 300 memories of {stored}, P95"
    return Row(label, 30.0, percentile(took, 0.95), "ms", tuple(took))


def add_tasks(root: str, count: int, day: int, name: str = "d", pages: int = 10**9) -> None:
    """So many tasks, eight a session, in sessions of their own; those of day 0 reach back a month.

    They are about so many pages, in turn.
    """
    start = 1_790_000_000_000 + day * 86_400_000
    for number in range(0, count, 8):
        at = start - (number * 86_400_000 * 30 // count if day == 0 else -number * 60_000)
        session = Scene(f"{name}{day}-{number}", "/code/shop", at)
        for turn in range(min(8, count - number)):
            page = (number + turn) % pages
            session.prompt(f"Let sheet{page} of shop{page} show totals{page}", f"p{turn}")
            session.call("Edit", f"/code/shop/src/page{page}.ts", prompt_id=f"p{turn}")
            session.stop(prompt_id=f"p{turn}")
        write(root, session)
    ingest(root, wait_s=60)


def _check(*stores: Bench) -> None:
    """Every prompt was told earlier tasks, and no hook failed."""
    for store in stores:
        receipts = [
            line for line in (store.root / "journal.jsonl").read_bytes().splitlines() if b'"recall"' in line
        ]
        if not receipts or any(b'"tasks"' not in line for line in receipts):
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
    tasks, folder = list(many_tasks(count, str(store.project))), Path(paths.earlier_tasks(str(store.root)))
    names = []
    for first, last in PARTS:
        part = tasks[round(first * count) : round(last * count)]
        names.append(f"part-{first}")
        files.replace(folder / names[-1], [task_index.compile_tasks(part)])
    files.replace(folder / earlier.LIST, ["\n".join(names).encode()])


def many_tasks(count: int, project: str) -> Iterator[Task]:
    chance = random.Random(17)
    words = [
        f"{a}{b}{c}" for a in _FOLDERS for b in ("er", "ing", "let", "um", "ix", "ade") for c in range(40)
    ]
    for number in range(count):
        asked = (
            f"Let the {' and the '.join(chance.sample(words, 6))} agree with the {chance.choice(_FOLDERS)}"
        )
        named = f"app/{chance.choice(_FOLDERS)}{number % 300}.py"
        if number % _EVERY == 1:
            asked, named = (
                f"Let the loader print through logging to the {chance.choice(words)} report",
                "app/loader.py",
            )
        words_ = f"{asked}. {' '.join(chance.sample(words, 60))}"
        yield Task.model_validate({
            "id": f"{number:032x}", "title": asked[:100], "input": words_, "agent": "main",
            "attended": number % _EVERY == 1,
            "corrections": ["Never print in the loader, use logging instead"] * (number % _EVERY == 1),
            "session_id": f"s{number // 8}", "project": project, "host": "claude",
            "started": f"2026-01-01T00:00:00.{number:09d}Z", "files": [f"{project}/{named}"],
            "commands": ["npm test", "git commit -m x"],
            "outcome": chance.choice(("success", "unknown", "failed")),
        })  # fmt: skip

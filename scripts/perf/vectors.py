"""Searches of earlier tasks by words and by vectors, and what it costs to make the vectors."""

from __future__ import annotations

import os
import random
import statistics
import time
from pathlib import Path

from scripts.perf.measure import Row, percentile
from scripts.perf.priming import PARTS, add_tasks, many_tasks

from learnloop.ingest import earlier_tasks, stored_tasks, task_history, task_vectors
from learnloop.recall import fusion, task_index
from learnloop.service.tasks import by_meaning
from learnloop.service.workspace import Workspace, open_workspace
from learnloop.store import files, history
from learnloop.store.document_table import DayEntry
from learnloop.store.store import Store
from learnloop.store.task_table import TaskTable
from learnloop.store.vector_table import VectorTable, key_of
from learnloop.vectors import model_folder, opening
from learnloop.wire import earlier, paths
from tests.vectors import tiny_model

DIM, LOOKED_AT = 384, 20
_PROJECT = "/code/shop"


def measure(folder: Path, quick: bool) -> list[Row]:
    """A search among 100,000 tasks, a task more, and all vectors anew."""
    chance, names = random.Random(17), ("let", "page", "shop", "totals", "loader")
    every = (*names, *(f"word{number}" for number in range(500)))
    words = {name: [chance.gauss() for _ in range(DIM)] for name in every}
    os.environ["LEARNLOOP_VECTORS_MODEL"] = model = str(tiny_model.write(folder / "model", words))
    try:
        return [
            *_searches(folder / "large", 3_000 if quick else 100_000),
            _adding(str(folder / "day"), model),
            _rebuild(str(folder / "rebuilt"), model, 400 if quick else 4_000),
        ]
    finally:
        del os.environ["LEARNLOOP_VECTORS_MODEL"]


def _searches(root: Path, count: int) -> list[Row]:
    ws = open_workspace(str(root))
    _fill(ws, count)
    took: dict[bool, list[float]] = {False: [], True: []}
    for number in range(60):
        for with_vectors, milliseconds in took.items():
            start = time.perf_counter_ns()
            _search(ws, f"let the loader of word{number} print its totals", with_vectors=with_vectors)
            milliseconds.append((time.perf_counter_ns() - start) / 1e6)
    label = f"Search of {count:,} earlier tasks in the process"
    return [
        Row(f"{label}, without vectors, P95", 30.0, percentile(took[False], 0.95), "ms", tuple(took[False])),
        Row(
            f"{label}, with {DIM} dimensions, P95",
            60.0,
            percentile(took[True], 0.95),
            "ms",
            tuple(took[True]),
        ),
    ]


def _search(ws: Workspace, text: str, *, with_vectors: bool) -> None:
    """As `learn prime --explain` and the console search, once the index is up to date."""
    similar = by_meaning.nearest(ws, text, LOOKED_AT, _PROJECT) if with_vectors else []
    numbers = [each.number for each in similar]
    nearest = fusion.nearest(earlier.sections(ws.root, _PROJECT), text, ["app/loader.py"], numbers, LOOKED_AT)
    if len(nearest) < LOOKED_AT or len(numbers) < LOOKED_AT * with_vectors:
        raise RuntimeError("the search went wrong")


def _fill(ws: Workspace, count: int) -> None:
    """An index of so many tasks, and a day of rows at random for each of its files."""
    model = model_folder.read(ws.settings.vectors.model)
    opening.embedder(model)
    import numpy as np

    chance = np.random.default_rng(count)
    tasks, names = list(many_tasks(count, _PROJECT)), []
    with history.opened(ws.root) as connection:
        table, vectors = TaskTable(connection), VectorTable(connection)
        for number, (first, last) in enumerate(PARTS):
            part, day = tasks[round(first * count) : round(last * count)], f"2026-01-0{number + 1}"
            names.append(f"{day}_{day}-{number:016}")
            files.replace(Path(paths.earlier_tasks(ws.root), names[-1]), [task_index.compile_tasks(part)])
            ordered = task_index.by_project(part)[_PROJECT]
            with connection:
                table.replace_day(
                    DayEntry(day, "", 0), (task_history.entry(task, day) for task in reversed(ordered))
                )
            rows = chance.normal(size=(len(part), DIM)).astype(np.float32)
            rows /= np.linalg.norm(rows, axis=1, keepdims=True)
            keyed = {task.id: key_of(task.id, "") for task in ordered}
            packed = dict(zip(keyed.values(), (row.tobytes() for row in rows), strict=True))
            vectors.put(day, model.digest, 4 * DIM, keyed, packed)
    files.replace(Path(paths.earlier_tasks(ws.root), earlier.LIST), ["\n".join(names).encode()])


def _adding(root: str, model: str) -> Row:
    """One task more on a day that has 300 already."""
    add_tasks(root, 300, 1)
    task_history.refresh(root)
    task_vectors.rebuild(root, model, lambda *_: None)
    took, waited = [], []
    for number in range(20):
        add_tasks(root, 1, 1, f"more{number}")
        task_history.refresh(root)
        start, began = time.process_time_ns(), time.perf_counter_ns()
        task_vectors.refresh(root, model)
        took.append((time.process_time_ns() - start) / 1e6)
        waited.append((time.perf_counter_ns() - began) / 1e6)
    label = "Processor time of the vector of one task more on a day of 300"
    note = f"{statistics.median(waited):.1f} ms with the writing of the day's rows"
    return Row(label, 5.0, statistics.median(took), "ms", tuple(took), note=note)


def _rebuild(root: str, folder: str, count: int) -> Row:
    """All vectors anew, a task, without what the model takes for the same texts."""
    add_tasks(root, count, 0)
    earlier_tasks.refresh(root)
    tasks = [
        task for group in task_index.by_project(stored_tasks.tasks(Store(root))).values() for task in group
    ]
    texts = [task_index.asked_and_wrote(task) for task in tasks]
    model = opening.embedder(model_folder.read(folder))
    start = time.perf_counter_ns()
    model.embed(texts)
    alone = time.perf_counter_ns() - start
    start = time.perf_counter_ns()
    if task_vectors.rebuild(root, folder, lambda *_: None) != len(tasks):
        raise RuntimeError("not every task has a vector")
    own = (time.perf_counter_ns() - start - alone) / 1e6 / len(tasks)
    return Row(f"All vectors anew, {count:,} tasks, a task beside the model's time", 1.0, own, "ms")

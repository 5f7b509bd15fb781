"""What an experiment costs a hook, and how long `learn experiments` takes over very many moments."""

import random
import statistics
import sys
import uuid
from collections.abc import Iterator
from datetime import date, timedelta
from functools import partial
from pathlib import Path
from typing import Any

from scripts.perf import hooks
from scripts.perf.measure import Command, Measures, Row, Samples, ratio, rounds

from learnloop.service.experiments import decide, reports
from learnloop.service.lessons import documents
from learnloop.service.review import verdicts
from learnloop.service.workspace import Workspace, open_workspace
from learnloop.store.store import Store

LEARN = str(Path(sys.executable).parent / "learn")
_MOMENTS, _DAYS = 100_000, 365
_SAYS = ("pnpm", "ruff", "httpx", "tabs", "vitest")
_EVENT = "PreToolUse match"


def holdout(folder: Path, quick: bool) -> list[Row]:
    """A call at which a lesson is told: an experiment on another lesson, on this one, on budgets, none."""
    count = hooks.QUICK_ROUNDS if quick else hooks.ROUNDS
    stores = {name: hooks.bench(folder, name, 500) for name in ("none", "another", "this", "budgets")}
    other, own = (open_workspace(str(stores[name].root)) for name in ("another", "this"))
    project = str(stores["none"].project)
    decide.hold_out(other, verdicts.add(other, "Use pnpm, not npm.", "project", project).lesson_ids[0])
    rows = documents.lessons(own.root).values()
    asked = next(row["id"] for row in rows if row["statement"].startswith("Logging is used"))
    decide.hold_out(own, asked, is_sure=True)
    variants = [decide.variant(typed) for typed in ("few:50:per_call=1", "usual:50")]
    decide.start(open_workspace(str(stores["budgets"].root)), "few", "", variants)
    measures: Measures = {"bare": lambda _: stores["none"].bare.run()}
    samples = rounds(
        count, measures | {name: partial(store.run, _EVENT, "h") for name, store in stores.items()}
    )
    rows_of = {"another": "another lesson", "this": "this lesson", "budgets": "budgets"}
    return [_more(samples, name, what) for name, what in rows_of.items()]


def _more(samples: Samples, name: str, what: str) -> Row:
    more = ratio(samples, name, "bare") - ratio(samples, "none", "bare")
    return Row(f"{_EVENT}, an experiment on {what}, more than without", 0.01, more)


def listing(folder: Path, quick: bool) -> list[Row]:
    """`learn experiments`, a whole process, over the moments of five experiments in a year."""
    root = folder / "moments"
    ws = open_workspace(str(root))
    for word in _SAYS:
        decide.hold_out(ws, verdicts.add(ws, f"Use {word} for all of it.").lesson_ids[0])
    _write(ws, _MOMENTS // (50 if quick else 1))
    env = {"HOME": str(folder), "PATH": "/usr/bin:/bin", "LEARNLOOP_HOME": str(root)}
    taken = rounds(3 if quick else 15, {"list": lambda _: Command((LEARN, "experiments"), env).run()})["list"]
    return [
        Row(f"`learn experiments`, {_MOMENTS:,} moments", 300, statistics.median(taken), "ms", tuple(taken))
    ]


def _write(ws: Workspace, count: int) -> None:
    with Store(ws.root).transaction() as changes:
        for number in range(_DAYS):
            day = (date(2026, 1, 1) + timedelta(number)).isoformat()
            for doc in _moments(ws, day, count // _DAYS):
                changes.documents("moments").put(doc["id"], doc)


def _moments(ws: Workspace, day: str, count: int) -> Iterator[dict[str, Any]]:
    pick, every = random.Random(day), list(reports.experiments(ws).values())
    for number in range(count):
        experiment, session = every[number % len(every)], uuid.UUID(int=pick.getrandbits(128))
        lesson, arm = experiment.lesson_ids[0], pick.choice(experiment.variants).name
        yield {
            "id": f"{pick.getrandbits(128):032x}", "session_id": str(session),
            "started": f"{day}T10:00:00.000Z", "outcome": pick.choice(("unknown", "success", "revision")),
            "arms": [[experiment.id, lesson, arm]], "own": [lesson] if pick.random() < 0.3 else [],
        }  # fmt: skip

"""Tasks as tests need them."""

from typing import Any

from learnloop.models.task import Task, TaskOutcome, TaskStep

DAY = "2026-01-31"


def task(number: int, outcome: TaskOutcome = "success", **fields: Any) -> Task:
    given = {
        "id": f"{number:032x}", "title": f"Task {number}", "outcome": outcome,
        "known": "none" if outcome == "unknown" else "said", "started": f"{DAY}T10:{number:02d}:00.000Z",
        "duration_ms": number * 1000, "agent": "main", "session_id": "s1", "project": "/code/shop",
        "host": "claude", "kind": "code", "turns": (f"{number:032x}",),
    }  # fmt: skip
    return Task(**{**given, **fields})


def step(tool: str, target: str, error_class: str = "") -> TaskStep:
    return TaskStep(
        tool=tool, target=target, result="failed" if error_class else "done", error_class=error_class
    )

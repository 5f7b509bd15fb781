"""An agent's own list of what is to do: how far it is, as its tools report it."""

from typing import Any

from learnloop.ingest.running import RunningTurn, SessionView

Doc = dict[str, Any]
_COUNTS = ("total", "completed", "pending")
_MOST_TASKS = 50


def note(view: SessionView, turn: RunningTurn, payload: Doc) -> None:
    """Take over the list that a call reports, whole or one task of it."""
    todos, task = payload.get("todos"), payload.get("task")
    if isinstance(task, dict) and isinstance(task.get("id"), str):
        tasks = view.setdefault("tasks", {})
        tasks[task["id"]] = task.get("status")
        todos = _counted(tasks)
    if isinstance(todos, dict) and todos.keys() >= set(_COUNTS):
        view["session"]["todo_snapshot"] = {name: todos[name] for name in _COUNTS}
        turn["_open"] = todos["pending"]


def _counted(tasks: Doc) -> Doc:
    """Return {total, completed, pending} of tasks that were reported one by one."""
    for gone in [name for name, status in tasks.items() if status == "deleted"]:
        del tasks[gone]
    while len(tasks) > _MOST_TASKS:
        del tasks[next(iter(tasks))]
    done = list(tasks.values()).count("completed")
    return {"total": len(tasks), "completed": done, "pending": len(tasks) - done}

"""Background tasks of an agent: what each was started for, until its result comes."""

import re
from typing import Any

from learnloop.ingest import turns
from learnloop.ingest.running import RunningTurn, SessionView, TaskContext

Doc = dict[str, Any]
_MOST_WAITING = 10
_TASK_ID = re.compile(r"<task-id>([^<]{1,200})</task-id>")


def remember(view: SessionView, turn: RunningTurn, event: Doc) -> None:
    """Keep what background tasks were started for, until their result comes."""
    tasks = event["payload"].get("background")
    ids = [task.get("id") for task in tasks if isinstance(task, dict)] if isinstance(tasks, list) else []
    waiting = view.setdefault("waiting", {})
    for task_id in filter(None, ids):
        waiting.setdefault(str(task_id), {"turn": turn["id"], **turns.context_for_next(turn)})
    while len(waiting) > _MOST_WAITING:
        del waiting[next(iter(waiting))]


def context(view: SessionView, words: str) -> TaskContext | None:
    """Return what the background tasks named in a notification were started for."""
    contexts = [view.get("waiting", {}).pop(task, None) for task in _TASK_ID.findall(words[:20_000])]
    context = next(filter(None, contexts), None)
    if context is None:
        return None
    for turn in (view["turn"], *view.get("left", ())):
        if turn and turn["id"] == context["turn"]:
            return turns.context_for_next(turn)
    return context

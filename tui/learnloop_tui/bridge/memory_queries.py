"""Queries on tasks, memories and logs of days, and what a person decides about them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from learnloop_tui.view.memory_state import MemoryRows

if TYPE_CHECKING:
    from collections.abc import Callable

    from learnloop.service.tasks.daily import PastDay
    from learnloop.service.workspace import Workspace
    from learnloop_tui.view.memory_state import Shown
    from learnloop_tui.view.state import Verdict


def rows(
    ws: Workspace, is_stopped: Callable[[], bool], shown: Shown, query: str, most: int
) -> MemoryRows | None:
    """The rows of one list, of tasks and memories the newest; None where nobody waits for them any more."""
    from learnloop.service.memory import memory_list, near_tasks
    from learnloop.service.tasks import daily, task_list

    if is_stopped():
        return None
    priming = {place.project: place.on for place in near_tasks.places(ws)}
    if shown == "days":
        return MemoryRows(shown, tuple(daily.past_days(ws)), priming, query=query)
    page = (task_list if shown == "tasks" else memory_list).page(ws, query, most, is_stopped)
    return None if is_stopped() else MemoryRows(shown, page.rows, priming, page.behind, query, page.similar)


def day(ws: Workspace, past: PastDay) -> tuple[str, tuple[str, ...]]:
    """The text of a day's log, and the lessons that came of the day's corrections."""
    from learnloop.service.tasks import daily

    [log] = daily.logs(ws, past.id, past.id)
    return daily.page(log), tuple(item.lesson for item in log.corrections)


def write(ws: Workspace, verdict: Verdict) -> None:
    """Write a decision down; raises LearnloopError where it is refused."""
    from learnloop.service.memory import memory_list, near_tasks

    if verdict.action == "priming":
        near_tasks.set_priming(ws, verdict.ids[0], on=verdict.args["on"])
    else:
        memory_list.mark_memory(ws, verdict.args["memory"], verdict.args["mark"])

"""Odd turns are tasks like others: listed, remembered, in their day's log and in the index."""

from collections.abc import Callable
from datetime import UTC

import pytest

from learnloop.ingest import day_logs, earlier_tasks
from learnloop.ingest.run import ingest
from learnloop.models.memory import LONGEST_TEXT
from learnloop.models.task import MOST_STEPS
from learnloop.service.memory import memory_list, near_tasks
from learnloop.service.tasks import task_list
from learnloop.service.workspace import open_workspace
from tests.ingest.session_scene import Scene, write
from tests.ingest.test_earlier_tasks import NOON, PROJECT, others, scene

DAY_MS = 86_400_000


def without_end() -> Scene:
    return (
        Scene("odd", start=NOON).prompt("Add a guest checkout", "p1").call("Edit", f"{PROJECT}/src/cart.ts")
    )


def of_no_time() -> Scene:
    odd = Scene("odd", start=NOON).prompt("Add a guest checkout", "p1", after_s=0)
    return odd.call("Edit", f"{PROJECT}/src/cart.ts", after_s=0).stop(prompt_id="p1", after_s=0)


def of_many_steps() -> Scene:
    odd = Scene("odd", start=NOON).prompt("Add a guest checkout", "p1")
    for number in range(10_000):
        odd.call("Edit", f"{PROJECT}/src/file{number}.ts", after_s=0.01)
    return odd.stop(prompt_id="p1")


ODD: dict[str, Callable[[], Scene]] = {
    "without an end": without_end,
    "of no time": of_no_time,
    "of 10,000 steps": of_many_steps,
    "one word": lambda: scene("odd", words="Checkout"),
    "one sign": lambda: scene("odd", words="?"),
    "16,000 characters": lambda: scene("odd", words="checkout " * 1_777),
    "one long word": lambda: scene("odd", words="c" * 16_000),
    "no spaces between words": lambda: scene("odd", words="部署到服务器并检查购物车" * 300),
    "right to left": lambda: scene("odd", words="أضف صفحة الدفع للضيوف \u202e checkout"),
    "lone surrogates": lambda: scene("odd", words="Add \ud83d a guest checkout \x00"),
}


@pytest.mark.parametrize("name", ODD)
def test_an_odd_task_is_listed_remembered_logged_and_found(name: str, root: str) -> None:
    write(root, *others(), ODD[name](), scene("s1", 0, "Show the totals of guests"))
    ingest(root)
    ws = open_workspace(root)
    (odd,) = [task for task in task_list.newest(ws) if task.session_id == "odd"]
    assert len(odd.title) <= 100
    assert len(odd.steps) <= MOST_STEPS
    assert 0 <= odd.busy_ms <= odd.duration_ms
    assert task_list.find(ws, odd.id)[0] == odd
    remembered = [memory for memory in memory_list.memories(ws) if odd.id in memory.tasks]
    assert remembered
    assert all(len(memory.text) <= LONGEST_TEXT for memory in remembered)
    log = day_logs.Logs(root, "2026-03-10", "2026-03-10", UTC).of("2026-03-10")
    assert odd.id in {task.id for task in log.tasks}
    assert earlier_tasks.refresh(root)
    assert isinstance(near_tasks.nearest(ws, odd.input, project=PROJECT, files=("src/cart.ts",)), list)


def test_tasks_of_no_time_divide_nothing_by_it(root: str) -> None:
    write(root, of_no_time())
    ingest(root)
    log = day_logs.Logs(root, "2026-03-10", "2026-03-10", UTC).of("2026-03-10")
    assert (log.metrics.total, log.metrics.median_duration_ms, log.metrics.success_rate) == (1, 0, None)

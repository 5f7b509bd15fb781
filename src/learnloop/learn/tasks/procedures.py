"""The way that worked: files and commands of a success in order, without what was undone. Pure."""

from collections.abc import Sequence

from learnloop.learn.hear import wording
from learnloop.learn.language import words
from learnloop.learn.tasks import told_line
from learnloop.models.task import Task, TaskStep
from learnloop.wire import text

WRITING = frozenset(("Edit", "MultiEdit", "NotebookEdit", "Write", "apply_patch"))
"""Tools that write their target."""
_UNDOING = ("git checkout", "git restore", "git reset", "git revert", "git stash", "rm ")
_MOST, _LONGEST, _FEWEST_TERMS, _READ = 12, 100, 3, 4_096


def heading(task: Task) -> str:
    """The first order of the person that says what it is about, without address and anger; may be empty."""
    own = words.own_words(task.input[:_READ])
    orders = (_order(own.restore(sentence.text)) for sentence in own.every)
    telling = (order for order in orders if told_line.says_enough(order, _FEWEST_TERMS))
    return text.cut(next(telling, ""), _LONGEST)


def _order(sentence: str) -> str:
    line = " ".join(sentence.split())
    order = wording.trimmed(line)
    return order if wording.orders(order) and not line.endswith(":") else ""


def procedure(task: Task) -> tuple[str, ...]:
    """The steps that led to a success, each once where it was done last; empty for any other task."""
    if task.outcome != "success":
        return ()
    every: list[str] = []
    for step in task.steps:
        if step.result == "done":
            every = _without_undone(every, step, task.project) + _names(step, task.project)
    return tuple(dict.fromkeys(reversed(every)))[::-1][-_MOST:]


def _names(step: TaskStep, project: str) -> list[str]:
    if step.tool in WRITING and step.target:
        return [f"change {told_line.file_name(step.target, project)}"]
    is_run = step.tool == "Bash" and not _undoes(step)
    return [f"run {name}" for name in told_line.command_names([step.target])] if is_run else []


def _undoes(step: TaskStep) -> bool:
    return step.tool == "Bash" and step.target.lstrip().startswith(_UNDOING)


def _without_undone(every: Sequence[str], step: TaskStep, project: str) -> list[str]:
    """The steps so far, without the changes of files that this one takes back."""
    if not _undoes(step):
        return list(every)
    words = {told_line.file_name(word, project) for word in step.target.split()}
    takes_all = "--hard" in words or "." in words
    return [
        name for name in every
        if not name.startswith("change ") or not (takes_all or name.removeprefix("change ") in words)
    ]  # fmt: skip

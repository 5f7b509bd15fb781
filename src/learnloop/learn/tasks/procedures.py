"""The way that worked: files and commands of a success in order, without what was undone. Pure."""

from collections.abc import Sequence

from learnloop.learn.tasks import told_line
from learnloop.models.task import Task, TaskStep

WRITING = frozenset(("Edit", "MultiEdit", "NotebookEdit", "Write", "apply_patch"))
"""Tools that write their target."""
_UNDOING = ("git checkout", "git restore", "git reset", "git revert", "git stash", "rm ")
_MOST = 12


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

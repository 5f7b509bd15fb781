"""Errors: the class of one, those that came again in several tasks, and what was changed before they went.

A class is the telling line without numbers, paths, hashes and colours. Pure.
"""

import re
from collections.abc import Iterable, Sequence

from learnloop.models.task import RepeatedError, Task, TaskStep
from learnloop.wire import globs

LONGEST = 120
INTERRUPTED = "interrupted"
"""The class of a call that the person stopped."""
_READ = 2000
_COLOUR = re.compile(r"(?:\x1b|\ufffd)\[[0-9;?]*[A-Za-z]")
_EXIT = re.compile(r"^\W*exit code \d+\W*", re.I)
_RAISED = re.compile(r"^(?:E\s+)?(?:[\w.]+(?:Error|Exception|Warning|Exit)\b|panic:|AssertionError)")
_TELLING = re.compile(
    r"\berror\b|\bfail(?:ed|ure|s)?\b|not found|no such|denied|cannot|can't|unable|fatal|refused|timed? ?out"
    r"|undefined|missing|invalid|unexpected|conflict",
    re.I,
)
_MASKS = (
    (re.compile(r"\bhttps?://\S+"), "<url>"),
    (re.compile(r"(?:[A-Za-z]:)?[~.]{0,2}[\\/][\w.@+~-]+(?:[\\/][\w.@+~-]*)*|\b[\w.-]+/[\w./-]+"), "<path>"),
    (re.compile(r"\b[\w-]+\.(?:[a-z]{1,4}|json|toml|yaml)\b(?=[:\s\"'),]|$)"), "<path>"),
    (re.compile(r"\b(?=[0-9a-f-]*\d)(?=[0-9a-f-]*[a-f])[0-9a-f]{7,}(?:-[0-9a-f]+)*\b", re.I), "<hash>"),
    (re.compile(r"\b0x[0-9a-f]+\b", re.I), "<n>"),
    (re.compile(r"(?<![\w.])\d+(?:[.,:]\d+)*"), "<n>"),
)  # fmt: skip
FEWEST_ERRORS, _MOST_FIXES = 2, 3
_LOOKS = frozenset((
    "cat", "cd", "curl", "date", "diff", "du", "echo", "env", "export", "false", "file", "find",
    "git branch", "git diff", "git log", "git show", "git status", "grep", "head", "jq", "ls", "pwd", "rg",
    "sed", "set", "sleep", "sort", "stat", "tail", "tree", "true", "wc", "which",
))  # fmt: skip
"""Commands that only look: they are in every task."""
_SAYS_NOTHING = re.compile(r"^(?:exit code <n>|no message|<tool_use_error>)\W*$", re.I)


def command_name(command: str) -> str:
    """Return a command without its arguments: `git commit`, `pytest`; nothing for one that only looks."""
    program, _, rest = command.partition(" ")
    second = rest.split(" ", 1)[0]
    name = f"{program} {second}" if re.fullmatch(r"[a-z][a-z:-]+", second) else program
    is_program = re.fullmatch(r"[A-Za-z][\w.+-]{0,40}", program) is not None
    return name if is_program and name not in _LOOKS and program not in _LOOKS else ""


def errors(tasks: Iterable[Task]) -> tuple[RepeatedError, ...]:
    """Return the classes of errors that came in two tasks or more, with what was changed before they went."""
    ids: dict[str, list[str]] = {}
    fixes: dict[str, list[str]] = {}
    for task in tasks:
        for name in dict.fromkeys(_failed_classes(task)):
            ids.setdefault(name, []).append(task.id)
            fixes.setdefault(name, []).extend(fix(task.steps, name))
    repeated = [
        RepeatedError(
            error_class=name, count=len(of), tasks=tuple(sorted(of)),
            fixes=tuple(dict.fromkeys(fixes[name]))[:_MOST_FIXES],
        )
        for name, of in ids.items() if len(of) >= FEWEST_ERRORS
    ]  # fmt: skip
    return tuple(sorted(repeated, key=lambda error: (-error.count, error.error_class)))


def _failed_classes(task: Task) -> Iterable[str]:
    named = [*(step.error_class for step in task.steps if step.result == "failed"), task.error_class]
    telling = (name for name in named if name and not _SAYS_NOTHING.match(name))
    return (name for name in telling if name != INTERRUPTED)


def fix(steps: Sequence[TaskStep], error_class: str) -> tuple[str, ...]:
    """Return what was done between a failure of that class and the same target's first success after it."""
    for at, step in enumerate(steps):
        if step.result == "failed" and step.error_class == error_class:
            for later, again in enumerate(steps[at + 1 :], at + 1):
                if again.result == "done" and again.target == step.target:
                    between = (each for each in steps[at + 1 : later] if each.result == "done")
                    return tuple(dict.fromkeys(each.target for each in between if _changes(each)))
    return ()


def _changes(step: TaskStep) -> bool:
    if step.tool == "Bash":
        return any(map(command_name, globs.simple_commands(step.target)))
    return step.tool not in ("Read", "Grep", "Glob", "LS", "WebFetch", "WebSearch") and bool(step.target)


def telling_line(error: str) -> str:
    """Return the line that says most: the last exception, else the first complaint, else the first line."""
    lines = [" ".join(line.split()) for line in _COLOUR.sub("", error[:_READ]).splitlines()]
    lines = [line for line in lines if line]
    telling = list(filter(None, (_EXIT.sub("", line) for line in lines))) or lines
    raised = [line for line in telling if _RAISED.match(line)]
    complaints = (line for line in telling if _TELLING.search(line))
    return raised[-1] if raised else next(complaints, next(iter(telling), ""))


def error_class(error: str) -> str:
    """Return what errors of one kind have in common; `no message` where there is none."""
    line = telling_line(error)
    for form, mask in _MASKS:
        line = form.sub(mask, line)
    return line[:LONGEST].strip() or "no message"

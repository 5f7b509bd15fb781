"""Tasks made of turns and their traces, and how each went. Pure.

What only goes on belongs to the task that it goes on with. How it went a person said, else its last turn,
test or build shows it.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from learnloop.learn.hear.outcomes import TOPIC_CONFIDENCE
from learnloop.learn.profile import areas
from learnloop.learn.tasks import continuations, patterns, told_line
from learnloop.models.task import (
    FIRST_STEPS,
    MOST_STEPS,
    HowKnown,
    Task,
    TaskOutcome,
    TaskStep,
    TaskTrace,
    TracedRun,
    TracedSteps,
)
from learnloop.models.turn import Turn
from learnloop.wire import clock, text

_LONGEST_TITLE, _FEWEST_TERMS = 100, 2
_UNSEEN = "(its prompt was not recorded)"


class TaskTurn(NamedTuple):
    """One turn of a task."""

    turn: Turn
    trace: TaskTrace


def tasks(pieces: Iterable[TaskTurn], day_of: Callable[[str], str] = lambda _ts: "") -> list[Task]:
    """Return the tasks of some turns, newest first, each followed by the runs of its subagents.

    `day_of`: the day of a time. What goes on on another day is a task of its own, with what it continues.
    """
    usable = {piece.turn.id: piece for piece in pieces if not piece.trace.set_aside}
    groups: dict[tuple[str, str], list[TaskTurn]] = {}
    for piece in sorted(usable.values(), key=lambda piece: (piece.turn.started, piece.turn.id)):
        groups.setdefault((_root(piece, usable), day_of(piece.turn.started)), []).append(piece)
    newest = sorted(groups.items(), key=lambda group: group[1][0].turn.started, reverse=True)
    return [task for (root, _), group in newest for task in _with_runs(_task(group, root, usable), group)]


def _root(piece: TaskTurn, by_id: Mapping[str, TaskTurn]) -> str:
    """The id of the turn that a chain began with, as far back as it is here."""
    seen = {piece.turn.id}
    while (before := piece.trace.continues) in by_id and before not in seen:
        seen.add(before)
        piece = by_id[before]
    return piece.trace.continues or piece.turn.id


def _task(group: Sequence[TaskTurn], root: str, by_id: Mapping[str, TaskTurn]) -> Task:
    first, last, turns = group[0], group[-1], [piece.turn for piece in group]
    head, corrections = by_id.get(root, first), tuple(_corrections(group))
    each_steps = [_steps(piece.trace) for piece in group]
    steps = _cut([step for of in each_steps for step in of])
    files, commands = (_distinct(getattr(turn, name) for turn in turns) for name in ("files", "commands"))
    verdict = of_task(turns, each_steps, last.trace.error)
    calls = sum(piece.trace.calls for piece in group)
    times = [_times(piece.turn.started, piece.turn.ended, piece.trace) for piece in group]
    return Task(
        id=first.turn.id, title=_title([head, *group], corrections),
        input=first.turn.prompt, corrections=corrections,
        attended=first.trace.attended, steps=steps, calls=calls, **verdict.as_fields(),
        started=first.turn.started, ended=last.turn.ended,
        duration_ms=sum(whole for whole, _ in times), busy_ms=sum(busy for _, busy in times),
        agent=last.turn.agent_used,
        session_id=first.turn.session_id, project=first.turn.project, branch=last.trace.branch,
        host=first.turn.host, files=files, commands=commands, kind=told_line.kind(files, commands, calls),
        tags=areas.areas_of_turn({"files": files, "origin": head.turn.origin, "prompt": head.turn.prompt}),
        prerequisites=_distinct(piece.trace.prerequisites for piece in group),
        criteria=_distinct(piece.trace.criteria for piece in group),
        versions=_distinct(piece.trace.versions for piece in group),
        told=_distinct(turn.recalled for turn in turns), turns=tuple(turn.id for turn in turns),
        continues=root if root != first.turn.id else None,
    )  # fmt: skip


def _title(group: Sequence[TaskTurn], corrections: Sequence[str]) -> str:
    """The first words that say what was asked for: what only goes on says little."""
    titles = [title for piece in group if (title := piece.trace.title) and title not in corrections]
    telling = (title for title in titles if len(continuations.telling(title)) >= _FEWEST_TERMS)
    return next(telling, next(iter(titles), _UNSEEN))


def _corrections(group: Sequence[TaskTurn]) -> Iterator[str]:
    """What the person had otherwise, in the words of the turns that say so."""
    for before, piece in pairwise(group):
        is_said = before.turn.outcome in ("revision", "cancellation") and not before.turn.inferred
        if is_said and piece.trace.attended and piece.trace.title:
            yield piece.trace.title


def _with_runs(task: Task, group: Sequence[TaskTurn]) -> Iterator[Task]:
    yield task
    for piece in group:
        yield from (_run(task, run) for run in piece.trace.runs)


def _run(task: Task, run: TracedRun) -> Task:
    steps = _steps(run)
    verdict = of_run(steps, is_over=run.ended is not None)
    commands = _distinct([[step.target for step in steps if step.tool == "Bash"]])
    wrote = (step for step in steps if step.tool in told_line.WRITING and step.result == "done")
    files = _distinct([[step.target for step in wrote if step.target]])
    duration, busy = _times(run.started, run.ended, run)
    return Task(
        id=run.id, title=text.cut(f"{run.agent}: {task.title}", _LONGEST_TITLE), steps=steps,
        calls=run.calls, **verdict.as_fields(), started=run.started, ended=run.ended, duration_ms=duration,
        busy_ms=busy, agent=run.agent, session_id=task.session_id, project=task.project,
        branch=task.branch, host=task.host, files=files, commands=commands,
        kind=told_line.kind(files, commands, run.calls), tags=areas.areas_of_turn({"files": files}),
        turns=(), parent=task.id,
    )  # fmt: skip


def _steps(work: TracedSteps) -> tuple[TaskStep, ...]:
    return tuple(
        TaskStep.model_validate(dict(zip(TaskStep.model_fields, step, strict=False))) for step in work.steps
    )


def _cut(steps: Sequence[TaskStep]) -> tuple[TaskStep, ...]:
    return (
        (*steps[:FIRST_STEPS], *steps[FIRST_STEPS - MOST_STEPS :])
        if len(steps) > MOST_STEPS
        else tuple(steps)
    )


def _distinct(lists: Iterable[Iterable[str]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(item for items in lists for item in items))


def _times(started: str, ended: str | None, work: TracedSteps) -> tuple[int, int]:
    """How long some work took, and how much of that was work; of what has no end only the second is known."""
    duration = max(0, clock.parse_ms(ended) - clock.parse_ms(started)) if ended else work.busy_ms
    return duration, min(work.busy_ms, duration)


_OUTCOMES: dict[str, TaskOutcome] = {
    "success": "success", "revision": "revised", "cancellation": "cancelled",
}  # fmt: skip
_QUALITY: dict[tuple[TaskOutcome, HowKnown], float] = {
    ("success", "said"): 1.0, ("success", "inferred"): TOPIC_CONFIDENCE, ("revised", "said"): 0.3,
    ("failed", "inferred"): 0.1, ("cancelled", "said"): 0.0, ("cancelled", "inferred"): 0.0,
}  # fmt: skip


class Judgement(NamedTuple):
    """An outcome, and the error behind it."""

    outcome: TaskOutcome = "unknown"
    known: HowKnown = "none"
    error: str = ""
    error_class: str = ""

    def as_fields(self) -> dict[str, Any]:
        """The fields of a task that say so, with its quality; None where nothing is known."""
        return {**self._asdict(), "quality": _QUALITY.get((self.outcome, self.known))}


def of_task(turns: Sequence[Turn], steps: Sequence[Sequence[TaskStep]], error: str) -> Judgement:
    """Judge a task by its turns, oldest first, the steps of each, and the error that its last turn ended in.

    A test that failed before a person said something of the task is no news.
    """
    last = turns[-1]
    said_at = max((at for at, turn in enumerate(turns) if _said(turn)), default=-1)
    said = _said(turns[said_at])
    since = said_at + 1 if said and turns[said_at] is not last else 0
    late = [step for of in steps[since:] for step in of]
    failure = _failure(late, error if last.end == "failed" else "", is_cut=last.end == "failed")
    if said and not since:
        return Judgement(said, "said", *failure)
    if any(failure):
        return Judgement("failed", "inferred", *failure)
    if last.outcome in _OUTCOMES:
        return Judgement(_OUTCOMES[last.outcome], "inferred")
    return Judgement(said, "said") if said else Judgement()


def of_run(steps: Sequence[TaskStep], *, is_over: bool) -> Judgement:
    """Judge a subagent's run by its last test or build, since no person says anything of it.

    Its caller's outcome says nothing of it: what a person says of a task would count once more for each run.
    """
    failure = _failure(steps, "", is_cut=False)
    if any(failure):
        return Judgement("failed", "inferred", *failure)
    return Judgement("success", "inferred") if is_over and _is_proved(steps) else Judgement()


def _is_proved(steps: Sequence[TaskStep]) -> bool:
    """Whether the last test or build passed, and nothing was written after it."""
    telling = (
        step for step in reversed(steps) if step.tool in told_line.WRITING or told_line.is_check(step.target)
    )
    last = next(telling, None)
    return last is not None and last.result == "done" and last.tool not in told_line.WRITING


def _said(turn: Turn) -> TaskOutcome | None:
    return None if turn.inferred else _OUTCOMES.get(turn.outcome)


def _failure(steps: Sequence[TaskStep], error: str, *, is_cut: bool) -> tuple[str, str]:
    """The error and its class: of the turn's end, else of its last test or build."""
    if is_cut:
        return patterns.telling_line(error), patterns.error_class(error)
    ran = (step for step in reversed(steps) if step.result != "refused" and told_line.is_check(step.target))
    last = next(ran, None)
    if last is None or last.result != "failed" or last.error_class == patterns.INTERRUPTED:
        return "", ""
    return f"{last.target}: {last.error_class}", last.error_class

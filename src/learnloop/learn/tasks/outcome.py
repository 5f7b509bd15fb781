"""How a task went: what a person said of it, else how its last turn, test or build ended. Pure."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from learnloop.learn.hear.outcomes import TOPIC_CONFIDENCE
from learnloop.learn.tasks import patterns, task_kinds, told_line
from learnloop.models.task import HowKnown, TaskOutcome, TaskStep
from learnloop.models.turn import Turn

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
        step for step in reversed(steps) if step.tool in told_line.WRITING or task_kinds.is_check(step.target)
    )
    last = next(telling, None)
    return last is not None and last.result == "done" and last.tool not in told_line.WRITING


def _said(turn: Turn) -> TaskOutcome | None:
    return None if turn.inferred else _OUTCOMES.get(turn.outcome)


def _failure(steps: Sequence[TaskStep], error: str, *, is_cut: bool) -> tuple[str, str]:
    """The error and its class: of the turn's end, else of its last test or build."""
    if is_cut:
        return patterns.telling_line(error), patterns.error_class(error)
    ran = (step for step in reversed(steps) if step.result != "refused" and task_kinds.is_check(step.target))
    last = next(ran, None)
    if last is None or last.result != "failed" or last.error_class == patterns.INTERRUPTED:
        return "", ""
    return f"{last.target}: {last.error_class}", last.error_class

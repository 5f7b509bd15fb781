"""Experiments, read from decisions. Pure.

A decision about an experiment names it in `args.experiment`: {do, id, …}. A verdict that promotes a winner
carries the same, so that one undo takes both back. A decision that changes a lesson under test pauses the
experiment; undoing that decision lets it run again. Whatever the decisions, a lesson is in one running
experiment: of two the one that was started or resumed last runs, and the other is paused.
"""

import contextlib
import hashlib
from collections.abc import Callable, Iterable, Mapping
from itertools import accumulate
from typing import Any

from pydantic import ValidationError

from learnloop.learn.lessons.decisions import effective_decisions
from learnloop.models.decision import Decision
from learnloop.models.experiment import Experiment, RecallBudgets, Variant

ACTION = "experiment"
NAME = "experiment"
"""The argument that names an experiment."""
_CHANGING = {
    "edit": "was edited", "archive": "was archived", "reject": "was rejected", "merge": "was merged",
    "replace": "was replaced", "gate": "got another gate", "scope": "holds in other places",
}  # fmt: skip
_PAUSING = {"pause": "was paused"}


def experiments(decisions: Iterable[Decision]) -> dict[str, Experiment]:
    """All experiments by id, the oldest first."""
    by_id: dict[str, Experiment] = {}
    for decision in effective_decisions(decisions):
        given = decision.args.get(NAME)
        if isinstance(given, dict):
            _take(by_id, given, decision.ts)
        elif decision.action in _CHANGING or decision.action in _PAUSING:
            _change(by_id, decision)
    return by_id


def running(every: Iterable[Experiment]) -> list[Experiment]:
    """Those that hold something back or reword it now."""
    return [experiment for experiment in every if experiment.state == "running"]


def rivalry(experiment: Experiment) -> str:
    """Why others on the same lesson, or on the same of all recall, are paused while this one runs."""
    what = "its lesson" if experiment.lesson_ids else experiment.tries
    return f"{what} went under test in {experiment.name}"


def blocked(decisions: Iterable[Decision], experiment_id: str) -> str:
    """Why an experiment is paused in favour of another that runs; empty where it is not."""
    every = experiments(decisions)
    reason = every[experiment_id].reason if experiment_id in every else ""
    return reason if reason in map(rivalry, running(every.values())) else ""


def last_paused(decisions: Iterable[Decision], by: str) -> dict[str, str]:
    """When somebody paused experiments last, undone or not, by the ids of these."""
    paused: dict[str, str] = {}
    for decision in decisions:
        given = decision.args.get(NAME)
        if decision.by == by and isinstance(given, dict) and given.get("do") == "pause":
            paused[str(given.get("id", ""))] = decision.ts
    return paused


def _take(by_id: dict[str, Experiment], given: dict[str, Any], ts: str) -> None:
    """Apply one step of an experiment; a step that does not fit its state is left out."""
    if given.get("do") == "start":
        with contextlib.suppress(ValidationError, TypeError):
            experiment = Experiment.model_validate({**given.get("design", {}), "started": ts})
            if experiment.id not in by_id:
                by_id[experiment.id] = experiment
                _pause_rivals(by_id, experiment)
    elif (before := by_id.get(str(given.get("id", "")))) is not None:
        after = by_id[before.id] = _stepped(before, given, ts)
        if after.state == "running" != before.state:
            _pause_rivals(by_id, after)


def _pause_rivals(by_id: dict[str, Experiment], started: Experiment) -> None:
    for other in running(by_id.values()):
        if other.rivals(started):
            paused = {"state": "paused", "reason": rivalry(started)}
            by_id[other.id] = other.model_copy(update=paused)


def _stepped(experiment: Experiment, given: dict[str, Any], ts: str) -> Experiment:
    state, reason = experiment.state, str(given.get("reason", ""))
    match given.get("do"):
        case "pause" if state == "running":
            return experiment.model_copy(update={"state": "paused", "reason": reason})
        case "resume" if state == "paused" and not experiment.is_void:
            return experiment.model_copy(update={"state": "running", "reason": ""})
        case "stop" if state in ("running", "paused"):
            return experiment.model_copy(update={"state": "stopped", "reason": reason, "ended": ts})
        case "promote" if state != "decided":
            winner = str(given.get("winner", ""))
            return experiment.model_copy(update={"state": "decided", "winner": winner, "ended": ts})
    return experiment


def _change(by_id: dict[str, Experiment], decision: Decision) -> None:
    """Pause the experiments on the lessons of a decision; those whose lesson changes cannot go on.

    What paused one first stays its reason, until it cannot go on.
    """
    is_void = decision.action in _CHANGING
    what = _CHANGING.get(decision.action) or _PAUSING[decision.action]
    for experiment in list(by_id.values()):
        is_about = not set(experiment.lesson_ids).isdisjoint(decision.lesson_ids)
        is_voided = is_void and experiment.state == "paused" and not experiment.is_void
        if is_about and (experiment.state == "running" or is_voided):
            paused = {"state": "paused", "reason": f"its lesson {what}", "is_void": is_void}
            by_id[experiment.id] = experiment.model_copy(update=paused)


_BUDGETS = {"start_tokens": ("start_tokens",), "call_tokens": ("call_tokens", "per_call")}
"""The budget of a moment, and all that count there."""


def by_lesson(running: Iterable[Experiment]) -> dict[str, dict[str, Any]]:
    """For each lesson under test what the index needs: {id, salt, arms [[up to, name, tells, wording]]}."""
    trials: dict[str, dict[str, Any]] = {}
    for experiment in running:
        trial = _trial(experiment, lambda variant: [variant.tells, variant.wording])
        trials |= {lesson_id: trial for lesson_id in experiment.lesson_ids if lesson_id not in trials}
    return trials


def of_recall(running: Iterable[Experiment], settings: Mapping[str, int]) -> dict[str, Any]:
    """The header fields of the experiments on budgets and on priming, of each the one that began first.

    {budget_trial: {id, salt, arms [[up to, name, budgets]], at [the budgets that differ], most (lines)},
    priming_trial: {id, salt, arms [[up to, name, whether it primes]]}}; `settings` are the person's budgets.
    """
    usual = {name: settings[name] for name in RecallBudgets.model_fields}
    fields: dict[str, Any] = {}
    for experiment in running:
        if experiment.tries == "budgets":
            trial = _trial(experiment, lambda variant: [usual | _own(variant)])
            fields.setdefault("budget_trial", trial | _where([arm[2] for arm in trial["arms"]]))
        elif experiment.tries == "priming":
            fields.setdefault("priming_trial", _trial(experiment, lambda variant: [variant.priming]))
    return fields


def _where(budgets: list[dict[str, int]]) -> dict[str, Any]:
    """Which budgets differ, those of starts or of calls, and the most lines of a call."""
    at = [
        moment
        for moment, names in _BUDGETS.items()
        if len({tuple(each[name] for name in names) for each in budgets}) > 1
    ]
    return {"at": at, "most": max(each["per_call"] for each in budgets)}


def _own(variant: Variant) -> dict[str, int]:
    return variant.budgets.model_dump(exclude_none=True) if variant.budgets else {}


def _trial(experiment: Experiment, given: Callable[[Variant], list[Any]]) -> dict[str, Any]:
    ends = accumulate(variant.weight for variant in experiment.variants)
    arms = [[end, each.name, *given(each)] for end, each in zip(ends, experiment.variants, strict=True)]
    salt = int.from_bytes(hashlib.sha256(experiment.id.encode()).digest()[:8], "big")
    return {"id": experiment.id, "salt": salt, "arms": arms}

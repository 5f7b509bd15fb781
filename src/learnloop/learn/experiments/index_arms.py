"""Which variant of a running experiment a session gets, as the recall index carries it. Pure."""

import hashlib
from collections.abc import Callable, Iterable, Mapping
from itertools import accumulate
from typing import Any

from learnloop.models.experiment import Experiment, RecallBudgets, Variant

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

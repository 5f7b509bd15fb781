"""Which variant of a running experiment a session gets, as the recall index carries it. Pure."""

from collections.abc import Iterable
from typing import Any

from learnloop.models.experiment import Experiment

_SALT_DIGITS = 16


def by_lesson(running: Iterable[Experiment]) -> dict[str, dict[str, Any]]:
    """For each lesson under test what the index needs: {id, salt, arms [[up to, name, tells, wording]]}."""
    trials: dict[str, dict[str, Any]] = {}
    for experiment in running:
        ends, arms = 0, []
        for variant in experiment.variants:
            ends += variant.weight
            arms.append([ends, variant.name, variant.tells, variant.wording])
        trial = {"id": experiment.id, "salt": int(experiment.id[-_SALT_DIGITS:], 16), "arms": arms}
        trials |= {lesson_id: trial for lesson_id in experiment.lesson_ids if lesson_id not in trials}
    return trials

"""Which variant of a running experiment a session gets, as the recall index carries it. Pure."""

import hashlib
from collections.abc import Iterable
from typing import Any

from learnloop.models.experiment import Experiment


def by_lesson(running: Iterable[Experiment]) -> dict[str, dict[str, Any]]:
    """For each lesson under test what the index needs: {id, salt, arms [[up to, name, tells, wording]]}."""
    trials: dict[str, dict[str, Any]] = {}
    for experiment in running:
        ends, arms = 0, []
        for variant in experiment.variants:
            ends += variant.weight
            arms.append([ends, variant.name, variant.tells, variant.wording])
        trial = {"id": experiment.id, "salt": _salt(experiment.id), "arms": arms}
        trials |= {lesson_id: trial for lesson_id in experiment.lesson_ids if lesson_id not in trials}
    return trials


def _salt(experiment_id: str) -> int:
    return int.from_bytes(hashlib.sha256(experiment_id.encode()).digest()[:8], "big")

"""The simulated month: every turn's outcome is what a person counted, however it is ingested."""

from collections import Counter

import pytest

from learnloop.store.store import Store
from tests.ingest import month

_OUTCOMES = ("success", "revision", "cancellation")


def test_the_sessions_add_up_to_the_table() -> None:
    summed = {agent: [0, 0, 0] for agent in month.EXPECTED}
    for told in month.MONTH:
        for agent, counts in told.outcomes.items():
            summed[agent] = [a + b for a, b in zip(summed[agent], counts, strict=True)]

    assert {agent: tuple(counts) for agent, counts in summed.items()} == month.EXPECTED
    assert len(month.MONTH) >= 20


@pytest.mark.parametrize("per_ingest", [1, 7, 99])
@pytest.mark.slow
def test_a_month_is_judged_as_a_person_would(root: str, per_ingest: int) -> None:
    month.play(root, per_ingest=per_ingest)
    counted = Counter((turn.agent_used, str(turn.outcome)) for turn in Store(root).turns())

    assert {
        agent: tuple(counted[agent, outcome] for outcome in _OUTCOMES) for agent in month.EXPECTED
    } == month.EXPECTED

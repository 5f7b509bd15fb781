"""Storms of `kill -9`: what was acknowledged is there once, whole, and needs no hand."""

import pytest

from learnloop.store.store import Store
from tests.faults import hooked_store
from tests.faults.conftest import Figure
from tests.faults.storm import Storm, aftermath
from tests.generated_drafts import seed_queue
from tests.hooks.agent import Agent


def _survives(agent: Agent, seconds: float, seed: int, drafts: int, *, consoles: bool) -> str:
    seed_queue(agent.root, drafts)
    storm = Storm(agent, sorted(hooked_store.status(agent.root)), seed)
    found = aftermath(agent.root, storm.rage(seconds, consoles=consoles))
    assert (found.lost, found.twice, found.torn) == ([], [], [])
    assert Store(agent.root).damage() == []
    return f"{found.outcome}; {found.acknowledged:,} acknowledged, 0 lost, 0 twice, 0 torn"


@pytest.mark.slow
def test_a_short_storm(agent: Agent, figure: Figure) -> None:
    figure("storm of 1.5 s", _survives(agent, 1.5, 1, 100, consoles=False))


@pytest.mark.long
@pytest.mark.timeout(240)
@pytest.mark.parametrize("seed", [2, 3, 4])
def test_a_storm(agent: Agent, seed: int, figure: Figure) -> None:
    figure(f"storm {seed} of 45 s", _survives(agent, 45, seed, 2_000, consoles=True))

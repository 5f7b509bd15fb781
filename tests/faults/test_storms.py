"""Storms of `kill -9`: what was acknowledged is there once, whole, and needs no hand."""

from pathlib import Path

import pytest

from learnloop.store import tinydb_file
from learnloop.store.store import Store
from tests.faults import hooked_store
from tests.faults.conftest import Figure
from tests.faults.storm import Storm
from tests.generated_drafts import seed_queue
from tests.hooks.agent import Agent
from tests.store import numbered_events


def _survives(agent: Agent, seconds: float, seed: int, drafts: int, *, consoles: bool) -> str:
    seed_queue(agent.root, drafts)
    storm = Storm(agent, sorted(hooked_store.status(agent.root)), seed)
    outcome = storm.rage(seconds, consoles=consoles)
    visible = numbered_events.seen(agent.root)
    assert len(visible) == len(set(visible))
    assert set(outcome.ids) <= set(visible) | set(numbered_events.stored(agent.root))
    hooked_store.settle(agent.root)
    stored = numbered_events.stored(agent.root)
    assert [event_id for event_id in outcome.ids if stored[event_id] != 1] == []
    assert set(stored.values()) == {1}
    hooked_store.assert_once(agent.root, outcome.prompts)
    status = hooked_store.status(agent.root)
    assert {status[draft] for draft in outcome.rejected} <= {"rejected"}
    for path in Path(agent.root, "store").rglob("*.json"):
        assert tinydb_file.load(path), path.name
    assert Store(agent.root).damage() == []
    acked = len(outcome.ids) + len(outcome.prompts) + len(outcome.rejected)
    return f"{outcome}; {acked:,} acknowledged, 0 lost, 0 twice, 0 torn"


@pytest.mark.slow
def test_a_short_storm(agent: Agent, figure: Figure) -> None:
    figure("storm of 1.5 s", _survives(agent, 1.5, 1, 100, consoles=False))


@pytest.mark.long
@pytest.mark.timeout(240)
@pytest.mark.parametrize("seed", [2, 3, 4])
def test_a_storm(agent: Agent, seed: int, figure: Figure) -> None:
    figure(f"storm {seed} of 45 s", _survives(agent, 45, seed, 2_000, consoles=True))

"""Clocks that jump, under real hooks, ingests and verdicts: every event and every verdict counts once."""

import time
from pathlib import Path

import pytest

from tests.faults import faulty_calls, hooked_store
from tests.faults.conftest import Figure
from tests.generated_drafts import seed_queue
from tests.hooks.agent import Agent

DAY = 86_400
_RETENTION = 3_650
"""The longest that settings take, so that a clock that is ahead removes nothing."""
NAMED = {
    "now": 0, "-400 days": -400 * DAY, "+400 days": 400 * DAY, "+1 s": 1, "-1 s": -1,
    "+100 years": 36_525 * DAY, "1970": 60 - int(time.time()),
}  # fmt: skip


def _jump(agent: Agent, shim: Path, offsets: dict[str, int], each: int) -> int:
    """At each clock some prompts, a verdict and an ingest; how many prompts that was."""
    Path(agent.root, "config.toml").write_text(f"retention_days = {_RETENTION}\n")
    seed_queue(agent.root, len(offsets))
    drafts = sorted(hooked_store.status(agent.root))
    typed: list[str] = []
    for (name, offset), draft in zip(offsets.items(), drafts, strict=True):
        clock = faulty_calls.at(shim, offset)
        for number in range(each):
            typed.append(f"prompt {number} at {name}")
            hooked_store.prompt(agent, typed[-1], **clock)
        done = hooked_store.learn(agent, "reject", draft, "--reason", "wrong", **clock)
        assert done.returncode == 0, done.stderr
        if offset <= _RETENTION * DAY:  # beyond it retention believes the clock, and removes what is old then
            done = hooked_store.learn(agent, "ingest", **clock)
            assert done.returncode == 0, done.stderr
    hooked_store.settle(agent.root)
    hooked_store.assert_once(agent.root, typed)
    assert {hooked_store.status(agent.root)[draft] for draft in drafts} == {"rejected"}
    return len(typed)


@pytest.mark.slow
def test_a_clock_that_jumps(agent: Agent, shim: Path, figure: Figure) -> None:
    count = _jump(agent, shim, {name: NAMED[name] for name in ("+400 days", "1970")}, 1)
    figure("clock jumps +400 days, 1970", f"{count} prompts and 2 verdicts: 0 lost, 0 twice")


@pytest.mark.long
def test_a_clock_that_jumps_anywhere(agent: Agent, shim: Path, figure: Figure) -> None:
    count = _jump(agent, shim, NAMED, 6)
    figure(f"clock jumps {', '.join(NAMED)}", f"{count} prompts, {len(NAMED)} verdicts: 0 lost, 0 twice")

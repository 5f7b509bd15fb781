"""Guardrails over simulated years, looked at every week: harm pauses an experiment, chance hardly ever."""

import random
from typing import NamedTuple

import pytest

from learnloop.learn.experiments import counts, experiment_findings
from learnloop.models.experiment import HELD_OUT, TOLD, Experiment, Variant

WEEKS, SESSIONS_A_WEEK, ALIKE = 52, 25, 19
RUNS = 60


class Rates(NamedTuple):
    """What is true of a variant, of a moment or of a turn."""

    own: float = 0.25
    other: float = 0.1
    """Corrected, but not the lesson's own correction."""
    success: float = 0.5
    """Of the moments that are not corrected."""
    further: float = 0.3
    """Success takes one more turn."""


USUAL = Rates()
EXPERIMENT = Experiment(
    id="0198" + 28 * "a", name="pnpm told or not", lesson_ids=("0198" + 28 * "b",),
    variants=(Variant(name=TOLD, weight=70), Variant(name=HELD_OUT, weight=30, tells=False)),
)  # fmt: skip


def session(rates: Rates, rng: random.Random) -> list[int]:
    """The counts of a session; its moments are alike."""
    counted = dict.fromkeys(counts.COUNTED, 0)
    level = rng.betavariate(ALIKE / 2, ALIKE / 2) * 2
    for _ in range(rng.choice((1, 1, 1, 2))):
        counted["moments"] += 1
        is_own = rng.random() < rates.own * level
        counted["own"] += is_own
        if is_own or rng.random() < rates.other * level:
            counted["corrected"] += 1
        elif rng.random() < rates.success:
            counted["success"] += 1
        else:
            counted["unknown"] += 1
            continue
        counted["reached"] += 1
        while counted["extra_turns"] < 2 * counted["reached"] and rng.random() < rates.further * level:
            counted["extra_turns"] += 1
    return list(counted.values())


def reason(told: Rates, seed: int) -> str:
    """Why the guards pause it in a year; empty where they never do."""
    rng = random.Random(seed)
    arms: dict[str, counts.Sessions] = {TOLD: {}, HELD_OUT: {}}
    for week in range(WEEKS):
        for number in range(SESSIONS_A_WEEK):
            arm = TOLD if rng.random() < 0.7 else HELD_OUT
            arms[arm][f"{week}-{number}"] = session(told if arm == TOLD else USUAL, rng)
        if harm := experiment_findings.harm(EXPERIMENT, arms):
            return harm
    return ""


@pytest.mark.slow
def test_a_useless_lesson_is_hardly_ever_paused() -> None:
    assert sum(bool(reason(USUAL, seed)) for seed in range(RUNS)) <= 0.05 * RUNS


@pytest.mark.parametrize(
    ("told", "why"),
    [
        (USUAL._replace(own=0.5), "its correction comes more often"),
        (USUAL._replace(other=0.4), "there are more corrections"),
        (USUAL._replace(success=0.1), "fewer turns succeed"),
        (USUAL._replace(further=0.65), "success takes more turns"),
    ],
    ids=["own", "corrected", "success", "turns"],
)
def test_each_harm_pauses_within_a_year_and_is_named(told: Rates, why: str) -> None:
    reasons = [reason(told, seed) for seed in range(6)]
    assert all(reasons)
    assert any(each.startswith(f"{why} where it is told: ") for each in reasons), reasons


def test_turns_are_named_as_turns() -> None:
    assert reason(USUAL._replace(further=0.65), 1).endswith(" turns")

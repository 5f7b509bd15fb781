"""A comparison that is looked at every day of a year keeps its promises, and careless rules do not."""

import math
import random
from statistics import median

import pytest
from scripts.simulate.simulator import Look, Outcome, World, runs, share

from learnloop.learn.statistics import lift
from learnloop.learn.statistics.lift import ArmSums, Pace, of_session, size

RUNS = 150
USELESS = World(held=0.33, told=0.33)
HALVES = World(held=0.33, told=0.165)
HARMFUL = World(held=0.33, told=0.55)
TURNS = World(held=0.25, told=0.25, most=2)
"""How many turns success takes: further ones are needed with this chance, and two of them count."""
MORE_TURNS = TURNS._replace(told=0.5)


def _says_effective(outcome: Outcome) -> bool:
    return outcome.sign < 0


def _covers(outcome: Outcome) -> bool:
    return outcome.covers


@pytest.mark.slow
@pytest.mark.parametrize(
    "world",
    [USELESS, HALVES, HARMFUL, World(0.1, 0.1), World(0.33, 0.33, share=0.5), TURNS, MORE_TURNS],
    ids=str,
)
def test_every_look_of_a_year_covers_the_truth(world: World) -> None:
    assert share(runs(world, RUNS), _covers) >= 0.95


@pytest.mark.slow
@pytest.mark.parametrize(
    "world", [USELESS, World(0.1, 0.1), World(0.33, 0.33, correlation=0.2), TURNS], ids=str
)
def test_a_useless_lesson_is_hardly_ever_called_effective(world: World) -> None:
    assert share(runs(world, RUNS), _says_effective) <= 0.05


@pytest.mark.parametrize("world", [HARMFUL, MORE_TURNS], ids=str)
def test_a_harmful_lesson_is_noticed(world: World) -> None:
    assert share(runs(world, 40), lambda outcome: outcome.sign > 0) == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    "world",
    [HALVES, World(0.33, 0.165, share=0.5), World(0.5, 0.25, moments_a_session=0.8), World(0.33, 0.066),
     World(0.2, 0.1, moments_a_session=4)],
    ids=str,
)  # fmt: skip
def test_an_effect_is_known_when_the_size_says(world: World) -> None:
    with_moments = world.sessions_with_moments
    pace = Pace(world.sessions_a_week * with_moments, world.moments_a_session / with_moments)
    weeks = size(world.held, 1 - world.told / world.held, world.share, pace).weeks
    assert weeks is not None
    assert 0.8 * weeks <= median(outcome.weeks for outcome in runs(world, 80)) <= 1.25 * weeks


@pytest.mark.slow
def test_a_few_very_long_sessions_do_not_decide() -> None:
    """One session in twenty has 10 to 60 moments, whose outcomes are alike."""
    told = [_called_effective(seed) for seed in range(RUNS)]
    assert sum(told) <= 0.05 * RUNS


def _called_effective(seed: int) -> bool:
    rng, arms = random.Random(seed), {False: ArmSums(), True: ArmSums()}
    for _ in range(1000):
        moments = rng.randint(10, 60) if rng.random() < 0.05 else 1
        level = rng.betavariate(0.33 * 7 / 3, 0.67 * 7 / 3)
        is_held, events = rng.random() < 0.5, sum(rng.random() < level for _ in range(moments))
        arms[is_held] = arms[is_held].plus(of_session(moments, events))
        known = lift.compare(arms[False], arms[True]).difference
        if known is not None and known.sign < 0:
            return True
    return False


def _of_turns(moments: int, events: float) -> ArmSums:
    """The mutant that takes each moment for a session of its own."""
    return ArmSums(moments, moments, events, moments, events, events)


def _at_once(told: ArmSums, held: ArmSums) -> lift.Range | None:
    """The mutant that looks as if it looked once: an ordinary 95 % interval."""
    if min(told.sessions, held.sessions) < lift.LEAST_SESSIONS:
        return None
    estimate, width = told.rate - held.rate, 1.96 * math.sqrt(told.variance + held.variance)
    return lift.Range(estimate, estimate - width, estimate + width)


def _wilson(arm: ArmSums) -> tuple[float, float]:
    n, p, z = arm.moments, arm.rate, 1.96
    middle = (p + z * z / (2 * n)) / (1 + z * z / n)
    width = z / (1 + z * z / n) * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    return middle - width, middle + width


def _wilson_apart(told: ArmSums, held: ArmSums) -> lift.Range | None:
    """The mutant that waits until two Wilson intervals are apart."""
    if min(told.sessions, held.sessions) < lift.LEAST_SESSIONS:
        return None
    (low, high), (other_low, other_high) = _wilson(told), _wilson(held)
    return lift.Range(told.rate - held.rate, low - other_high, high - other_low)


def _stops_at_p_best(told: ArmSums, held: ArmSums) -> lift.Range | None:
    """The mutant that stops as soon as one arm is the better one with 95 %, by a normal approximation."""
    if not told.moments or not held.moments:
        return None
    means = [(arm.events + 1) / (arm.moments + 2) for arm in (told, held)]
    squares = [p * (1 - p) / (arm.moments + 3) for p, arm in zip(means, (told, held), strict=True)]
    estimate, width = means[0] - means[1], 1.645 * math.sqrt(sum(squares))
    return lift.Range(estimate, estimate - width, estimate + width)


@pytest.mark.slow
@pytest.mark.parametrize("looks", [_at_once, _wilson_apart, _stops_at_p_best])
def test_rules_for_one_look_call_useless_lessons_effective(looks: Look) -> None:
    assert share(runs(USELESS, RUNS, looks), _says_effective) > 0.05


@pytest.mark.slow
def test_taking_moments_for_sessions_loses_the_truth() -> None:
    alike = World(0.33, 0.33, moments_a_session=6, correlation=0.4)
    assert share(runs(alike, RUNS, unit=of_session), _covers) >= 0.95
    assert share(runs(alike, 60, unit=_of_turns), _covers) < 0.95


def _without_added_moments(told: ArmSums, held: ArmSums) -> lift.Range | None:
    """The mutant without added moments, floor and first look: an arm without events shows no variance."""
    if not told.sessions or not held.sessions:
        return None
    estimate, width = told.rate - held.rate, lift.half_width(told.variance + held.variance)
    return lift.Range(estimate, estimate - width, estimate + width)


def test_an_arm_without_events_says_nothing_by_itself() -> None:
    assert share(runs(World(0.1, 0.1), 60, _without_added_moments), _covers) < 0.95

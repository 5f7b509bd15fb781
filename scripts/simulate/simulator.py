"""A simulated year of sessions with a known truth: levels differ between sessions, a day at a time."""

import math
import random
from collections.abc import Callable, Iterator
from typing import NamedTuple

from learnloop.learn.statistics import lift
from learnloop.learn.statistics.lift import ArmSums, of_session

TURNS, WEEKS = 8, 52


class World(NamedTuple):
    """What is true: the rates per moment of both arms, and how sessions come."""

    held: float
    told: float
    share: float = 0.2
    sessions_a_week: float = 25
    moments_a_session: float = 1.2
    correlation: float = 0.05
    most: int = 1
    """Of the events of a moment so many count, each a part: of turns to success the further turns."""

    def mean(self, rate: float) -> float:
        """The events of a moment, on average over the levels of sessions."""
        alike = (1 - self.correlation) / self.correlation if self.correlation else math.inf
        chance, whole = 1.0, 0.0
        for further in range(self.most):
            chance *= rate if math.isinf(alike) else (rate * alike + further) / (alike + further)
            whole += chance
        return whole / self.most

    @property
    def sessions_with_moments(self) -> float:
        return 1 - (1 - self.moments_a_session / TURNS) ** TURNS


class Outcome(NamedTuple):
    """What a run saw over its year, looked at every day."""

    covers: bool
    """Every look held the truth."""
    sign: int
    """What was first said of the told arm: -1 fewer, 1 more, 0 nothing."""
    weeks: float


Unit = Callable[[int, float], ArmSums]
Look = Callable[[ArmSums, ArmSums], lift.Range | None]


def look(told: ArmSums, held: ArmSums) -> lift.Range | None:
    return lift.compare(told, held).difference


def run(world: World, seed: int, looks: Look = look, unit: Unit = of_session) -> Outcome:
    """One year; it is looked at until its end, whatever was said before."""
    truth = world.mean(world.told) - world.mean(world.held)
    covers, sign, weeks = True, 0, float("inf")
    for day, told, held in days(world, random.Random(seed), unit):
        known = looks(told, held)
        if known is None:
            continue
        covers = covers and known.low <= truth <= known.high
        if known.sign and not sign:
            sign, weeks = known.sign, day / 7
    return Outcome(covers, sign, weeks)


def days(world: World, rng: random.Random, unit: Unit) -> Iterator[tuple[int, ArmSums, ArmSums]]:
    arms = {False: ArmSums(), True: ArmSums()}
    for day in range(7 * WEEKS):
        a_day = world.sessions_a_week / 7
        for _ in range(int(a_day) + (rng.random() < a_day % 1)):
            is_held = rng.random() < world.share
            moments, events = session(world, rng, is_held=is_held)
            if moments:
                arms[is_held] = arms[is_held].plus(unit(moments, events))
        yield day, arms[False], arms[True]


def session(world: World, rng: random.Random, *, is_held: bool) -> tuple[int, float]:
    rate = world.held if is_held else world.told
    alike = (1 - world.correlation) / world.correlation
    level = rng.betavariate(rate * alike, (1 - rate) * alike) if world.correlation else rate
    moments = sum(rng.random() < world.moments_a_session / TURNS for _ in range(TURNS))
    return moments, sum(_further(world, rng, level) for _ in range(moments)) / world.most


def _further(world: World, rng: random.Random, level: float) -> int:
    """The events of a moment: each comes only after the one before."""
    events = 0
    while events < world.most and rng.random() < level:
        events += 1
    return events


def runs(world: World, count: int, looks: Look = look, unit: Unit = of_session) -> list[Outcome]:
    return [run(world, seed, looks, unit) for seed in range(count)]


def share(outcomes: list[Outcome], holds: Callable[[Outcome], bool]) -> float:
    return sum(map(holds, outcomes)) / len(outcomes)

"""What a lesson changes: told against held out, with a 95 % confidence sequence.

A confidence sequence holds at every look, so one may look whenever one likes and stop when it excludes 0.
With the variance V of an estimate and a scale s of effects that matter, its half-width is

    sqrt(V · (1 + V ÷ s²) · (2 · ln(1 ÷ 0.05) + ln(1 + s² ÷ V)))

(Robbins' normal mixture, in the asymptotic form of Waudby-Smith and others.) Sessions are the clusters. Each
user is compared with themselves, and the differences are added up by weight. To each arm one moment with an
event is added and one without, because an arm without events shows no variance. For the same reason no rate
counts as surer than moments drawn one by one at the rate of both arms.
"""

import math
from collections.abc import Mapping
from statistics import NormalDist
from typing import NamedTuple

from learnloop.learn.statistics.arms import ArmSums

ALPHA = 0.05
SCALE, RATIO_SCALE = 0.15, 0.7
"""The effects that matter most: a difference of 15 points, and a halving or doubling."""
LEAST_SESSIONS, LEAST_EVENTS = 20, 10
"""Nothing is said before so many sessions an arm and so many events in both."""

Users = Mapping[str, ArmSums]
"""The sums of an arm by user."""


class Range(NamedTuple):
    """An estimate with the ends of its confidence sequence."""

    estimate: float
    low: float
    high: float

    @property
    def sign(self) -> int:
        """1 where it excludes all that is not above 0, -1 where it excludes all that is not below, else 0."""
        return (self.low > 0) - (self.high < 0)


class Lift(NamedTuple):
    """A variant against the one that it is compared with."""

    variant: ArmSums
    control: ArmSums
    difference: Range | None
    """Of rates; None while nothing may be said."""
    ratio: Range | None
    """Of rates; None while nothing may be said."""


def compare(variant: Users, control: Users) -> Lift:
    """Compare the rates of two arms, user by user."""
    sums = _total(variant), _total(control)
    is_early = min(arm.sessions for arm in sums) < LEAST_SESSIONS
    if is_early or sum(arm.events for arm in sums) < LEAST_EVENTS:
        return Lift(*sums, None, None)
    return Lift(*sums, _difference(variant, control), _ratio(*map(_guarded, sums)))


def half_width(variance: float, scale: float = SCALE) -> float:
    """The half-width of the confidence sequence of an estimate with a variance."""
    if variance <= 0:
        return 0.0
    square = scale * scale
    margin = 2 * math.log(1 / ALPHA) + math.log1p(square / variance)
    return math.sqrt(variance * (1 + variance / square) * margin)


def chance_of_fewer(variant: ArmSums, control: ArmSums) -> float:
    """The Beta-Binomial posterior probability that the variant has fewer events per moment.

    Both posteriors are taken for normal, and each moment for independent. It holds for one look alone, so it
    decides nothing.
    """
    (mine, spread), (other, other_spread) = _posterior(variant), _posterior(control)
    return NormalDist(mine - other, math.sqrt(spread + other_spread)).cdf(0)


def _posterior(arm: ArmSums) -> tuple[float, float]:
    """Mean and variance of the Beta distribution of a rate, every rate being as likely before."""
    events, others = 1 + arm.events, 1 + max(arm.moments - arm.events, 0)
    total = events + others
    return events / total, events * others / (total * total * (total + 1))


def _total(users: Users) -> ArmSums:
    total = ArmSums()
    for arm in users.values():
        total = total.plus(arm)
    return total


def _guarded(arm: ArmSums, part: float = 1.0) -> ArmSums:
    """An arm with the moments that are added, or a part of them."""
    return arm.plus(ArmSums(0, 2 * part, part, 2 * part, part, part))


def _variances(mine: ArmSums, other: ArmSums) -> tuple[float, float]:
    rate = mine.plus(other).rate
    least = rate * (1 - rate)
    return (
        max(mine.variance * _correction(mine), least / mine.moments),
        max(other.variance * _correction(other), least / other.moments),
    )


def _correction(arm: ArmSums) -> float:
    return arm.sessions / max(arm.sessions - 1, 1)


def _difference(variant: Users, control: Users) -> Range:
    """The difference of rates within users, weighted by how much each tells."""
    users = [user for user in variant if user in control]
    part = 1 / max(len(users), 1)
    pairs = [(_guarded(variant[user], part), _guarded(control[user], part)) for user in users]
    weights = [1 / (1 / mine.moments + 1 / other.moments) for mine, other in pairs]
    whole = sum(weights)
    estimate = variance = 0.0
    for weight, (mine, other) in zip(weights, pairs, strict=True):
        estimate += weight / whole * (mine.rate - other.rate)
        variance += (weight / whole) ** 2 * sum(_variances(mine, other))
    width = half_width(variance) if pairs else 1.0
    return Range(estimate, max(estimate - width, -1.0), min(estimate + width, 1.0))


def _ratio(mine: ArmSums, other: ArmSums) -> Range:
    variances = _variances(mine, other)
    variance = variances[0] / mine.rate**2 + variances[1] / other.rate**2
    estimate, width = math.log(mine.rate / other.rate), half_width(variance, RATIO_SCALE)
    return Range(*map(math.exp, (estimate, estimate - width, estimate + width)))

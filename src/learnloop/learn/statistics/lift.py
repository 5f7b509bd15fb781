"""What a lesson changes: told against held out, with a 95 % confidence sequence.

A confidence sequence holds at every look, so one may look whenever one likes and stop when it excludes 0.
With the variance V of an estimate and a scale s of effects that matter, its half-width is

    sqrt(V · (1 + V ÷ s²) · (2 · ln(1 ÷ 0.05) + ln(1 + s² ÷ V)))

(Robbins' normal mixture, in the asymptotic form of Waudby-Smith and others.) Sessions are the clusters; a
store is one person's, so there are no strata. To each arm one moment with an event is added and one without,
because an arm without events shows no variance. For the same reason no rate counts as surer than moments
drawn one by one at the rate of both arms.
"""

import math
from typing import NamedTuple

MOST_OF_SESSION = 5
"""A session with more moments counts as one with so many: a few very long ones would decide alone."""


class ArmSums(NamedTuple):
    """Moments and events of an arm, and the sums of their squares and products by session."""

    sessions: int = 0
    moments: float = 0
    events: float = 0
    squared_moments: float = 0
    products: float = 0
    squared_events: float = 0

    def plus(self, other: "ArmSums") -> "ArmSums":
        """The sums of both, which have no session in common."""
        return ArmSums._make(mine + theirs for mine, theirs in zip(self, other, strict=True))

    @property
    def rate(self) -> float:
        """Events per moment; 0 without moments."""
        return self.events / self.moments if self.moments else 0.0

    @property
    def variance(self) -> float:
        """The variance of the rate with sessions as clusters."""
        rate = self.rate
        squares = self.squared_events - 2 * rate * self.products + rate * rate * self.squared_moments
        return max(squares, 0.0) / self.moments**2 if self.moments else 0.0


def weight(moments: float) -> float:
    """What each moment of a session counts, so that no session counts more than `MOST_OF_SESSION`."""
    return min(1.0, MOST_OF_SESSION / moments) if moments else 1.0


def of_session(moments: float, events: float) -> ArmSums:
    """The sums of one session."""
    moments, events = moments * weight(moments), events * weight(moments)
    return ArmSums(1, moments, events, moments * moments, moments * events, events * events)


ALPHA = 0.05
SCALE, RATIO_SCALE = 0.15, 0.7
"""The effects that matter most: a difference of 15 points, and a halving or doubling."""
LEAST_SESSIONS, LEAST_EVENTS = 20, 10
"""Nothing is said before so many sessions an arm and events in both: the variance of fewer is a guess."""
_WIDEST = math.log(100)
"""A ratio that may be a hundred times as large says nothing."""
ADDED = ArmSums(0, 2, 1, 2, 1, 1)
"""What is added to each arm: a moment with an event, and one without."""


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


def compare(variant: ArmSums, control: ArmSums) -> Lift:
    """Compare the rates of two arms."""
    is_early = min(variant.sessions, control.sessions) < LEAST_SESSIONS
    if is_early or variant.events + control.events < LEAST_EVENTS:
        return Lift(variant, control, None, None)
    mine, other = variant.plus(ADDED), control.plus(ADDED)
    return Lift(variant, control, _difference(mine, other), _ratio(mine, other))


def half_width(variance: float, scale: float = SCALE) -> float:
    """The half-width of the confidence sequence of an estimate with a variance."""
    if variance <= 0:
        return 0.0
    square = scale * scale
    margin = 2 * math.log(1 / ALPHA) + math.log1p(square / variance)
    return math.sqrt(variance * (1 + variance / square) * margin)


def _variances(mine: ArmSums, other: ArmSums) -> tuple[float, float]:
    rate = mine.plus(other).rate
    least = rate * (1 - rate)
    return (
        max(mine.variance * _correction(mine), least / mine.moments),
        max(other.variance * _correction(other), least / other.moments),
    )


def _correction(arm: ArmSums) -> float:
    return arm.sessions / max(arm.sessions - 1, 1)


def _difference(mine: ArmSums, other: ArmSums) -> Range:
    estimate, width = mine.rate - other.rate, half_width(sum(_variances(mine, other)))
    return Range(estimate, max(estimate - width, -1.0), min(estimate + width, 1.0))


def _ratio(mine: ArmSums, other: ArmSums) -> Range | None:
    variances = _variances(mine, other)
    variance = variances[0] / mine.rate**2 + variances[1] / other.rate**2
    estimate, width = math.log(mine.rate / other.rate), half_width(variance, RATIO_SCALE)
    ends = (estimate, estimate - width, estimate + width)
    return Range(*map(math.exp, ends)) if width <= _WIDEST else None

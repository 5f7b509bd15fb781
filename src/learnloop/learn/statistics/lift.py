"""What a lesson changes: told against held out, with a 95 % confidence sequence; how long that takes to know.

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


CORRELATION = 0.05
"""How alike the moments of one session are, as it was measured on real sessions."""
EARLY, POWER = 1.246, 0.93
"""A path crosses its boundary before its mean does, more so where that is late. Fitted on twelve worlds."""
_STEPS, _ROUNDS = 60, 12


class Pace(NamedTuple):
    """How fast moments of a lesson come."""

    sessions_a_week: float
    """Sessions with a moment."""
    moments_a_session: float = 1.2


class Size(NamedTuple):
    """What a comparison takes until it knows."""

    moments: int
    sessions: int
    weeks: int | None
    """At the pace; None where nothing comes."""


def size(base: float, effect: float, share: float, pace: Pace) -> Size:
    """The size at which every second comparison knows that a rate falls by a part of itself.

    `base` is the rate without the lesson, `effect` the part of it that goes, and `share` the part of the
    sessions that is held out. Where the effect is below 0, the rate rises.
    """
    changed = min(max(base * (1 - effect), 0.0), 1.0)
    mean = share * base + (1 - share) * changed
    moments = _until_known(base, changed, share, 1 + max(pace.moments_a_session - 1, 0) * CORRELATION)
    least = LEAST_SESSIONS / min(share, 1 - share) * pace.moments_a_session
    moments = max(moments, least, LEAST_EVENTS / mean if mean else math.inf)
    if math.isinf(moments):
        return Size(0, 0, None)
    sessions = math.ceil(moments / pace.moments_a_session)
    weeks = math.ceil(sessions / pace.sessions_a_week) if pace.sessions_a_week > 0 else None
    return Size(math.ceil(moments), sessions, weeks)


def _until_known(base: float, changed: float, share: float, alike: float) -> float:
    """Moments until the difference of the rates shows; what is added draws it in."""
    moments = math.inf
    for _ in range(_ROUNDS):
        rates = _seen(base, share * moments), _seen(changed, (1 - share) * moments)
        mean = share * rates[0] + (1 - share) * rates[1]
        alone = [max(rate * (1 - rate), mean * (1 - mean)) for rate in rates]
        variance = _variance_at(abs(rates[0] - rates[1]))
        scatter = alike * (alone[0] / share + alone[1] / (1 - share))
        moments = EARLY * (scatter / variance) ** POWER if variance else math.inf
    return moments


def _seen(rate: float, moments: float) -> float:
    """The rate of an arm with what is added to it."""
    return rate if math.isinf(moments) else (rate * moments + ADDED.events) / (moments + ADDED.moments)


def _variance_at(width: float) -> float:
    """The variance at which the confidence sequence has a half-width."""
    low, high = 0.0, 1.0
    for _ in range(_STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if half_width(middle) < width else (low, middle)
    return low


LONGEST_WEEKS = 52
_HORIZON = "95 %, whenever you look"


def progress(result: Lift, needed: Size, *, is_over: bool = False, advice: str = "") -> str:
    """What is known; before that, how far it is and what it could still be.

    `advice` says what is known without it, where it would take more than a year.
    """
    difference = result.difference
    if difference is not None and difference.sign:
        low, high = sorted(round(100 * abs(end)) for end in (difference.low, difference.high))
        return f"{'more' if difference.sign > 0 else 'fewer'}: {low}–{high} points ({_HORIZON})"
    parts = [
        "not known" if is_over else "not known yet",
        f"{_moments(result)} of about {needed.moments} moments",
        "" if is_over else _remaining(result, needed),
    ]
    if not is_over and needed.weeks is not None and needed.weeks > LONGEST_WEEKS:
        years = round(needed.weeks / LONGEST_WEEKS)
        length = "more than a year" if years < 2 else f"some {years} years"
        parts = [f"would take {length} at your pace", advice or "watched by recurrence only"]
    parts.append(f"so far {_share(result.variant)} against {_share(result.control)}")
    if difference is not None:
        parts.append(f"between {_points(difference.low)} and {_points(difference.high, short=True)}")
    return " · ".join(filter(None, parts))


def price(base: float, effect: float, held_a_week: float) -> str:
    """What holding back costs while it runs, in events a week."""
    events = base * effect * held_a_week
    if events < 0.5:
        return "costs less than one repeated correction in two weeks while it runs"
    times = "one repeated correction" if round(events) == 1 else f"{round(events)} repeated corrections"
    return f"costs about {times} a week while it runs"


def _moments(result: Lift) -> int:
    return round(result.variant.moments + result.control.moments)


def _remaining(result: Lift, needed: Size) -> str:
    if needed.weeks is None or not needed.moments:
        return ""
    part = max(1 - _moments(result) / needed.moments, 0)
    weeks = -(-needed.weeks * part // 1)
    return f"some {weeks:.0f} {'week' if weeks == 1 else 'weeks'} at your pace" if weeks else ""


def _share(arm: ArmSums) -> str:
    return f"{arm.events:.0f} of {arm.moments:.0f}"


def _points(difference: float, *, short: bool = False) -> str:
    points = round(100 * difference)
    noun = "" if short else " points"
    return f"{abs(points)}{noun} {'more' if points > 0 else 'fewer'}"

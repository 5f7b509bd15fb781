"""How long a comparison takes before it can know an effect: in moments, sessions and weeks."""

import math
from typing import NamedTuple

from learnloop.learn.statistics import lift

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
    least = lift.LEAST_SESSIONS / min(share, 1 - share) * pace.moments_a_session
    moments = max(moments, least, lift.LEAST_EVENTS / mean if mean else math.inf)
    if math.isinf(moments):
        return Size(0, 0, None)
    sessions = math.ceil(moments / pace.moments_a_session)
    weeks = math.ceil(sessions / pace.sessions_a_week) if pace.sessions_a_week > 0 else None
    return Size(math.ceil(moments), sessions, weeks)


def _until_known(base: float, changed: float, share: float, alike: float) -> float:
    """Moments until the difference of the rates shows; the moments that `lift` adds draw it in."""
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
    """The rate of an arm with what `lift` adds to it."""
    added = lift.ADDED
    return rate if math.isinf(moments) else (rate * moments + added.events) / (moments + added.moments)


def _variance_at(width: float) -> float:
    """The variance at which the confidence sequence has a half-width."""
    low, high = 0.0, 1.0
    for _ in range(_STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if lift.half_width(middle) < width else (low, middle)
    return low

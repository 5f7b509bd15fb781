"""What a comparison knows so far, in one honest sentence."""

from learnloop.learn.statistics import lift
from learnloop.learn.statistics.lift import ArmSums
from learnloop.learn.statistics.size import Size

LONGEST_WEEKS = 52
_HORIZON = "95 %, whenever you look"


def progress(result: lift.Lift, needed: Size, *, is_over: bool = False, advice: str = "") -> str:
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


def _moments(result: lift.Lift) -> int:
    return round(result.variant.moments + result.control.moments)


def _remaining(result: lift.Lift, needed: Size) -> str:
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

"""Preferences: three traits from what a person said, weighed by age. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from learnloop.learn.profile import beliefs, traits
from learnloop.models.preferences import Belief, Signal, Trait, TraitName
from learnloop.wire import clock

Doc = dict[str, Any]
DAY_MS = 86_400_000
ENOUGH = 3
"""Remarks for one side from which on it is believed (the specification's 3+ signals)."""
BOTH = 2
"""Remarks for each side from which on both are meant."""
FADED = 0.125
"""A remark of this weight or less counts no more: three half-lives, the 90 days that events are kept."""
SHARE = 1 / 3
"""Of the stronger side's weight, what the weaker one needs to count as meant as well."""
MOST_SIGNALS = 60
"""Newest remarks kept of each side."""


def weight(age_days: float, half_life_days: float) -> float:
    """0.5 ** (age / half-life): 1 for what is said now, or seems to be of tomorrow."""
    return float(0.5 ** (max(age_days, 0.0) / half_life_days))


def trait(
    name: TraitName,
    signals: Iterable[Mapping[str, Any]],
    *,
    now_ms: int,
    half_life_days: float = 30.0,
    confirmed: Belief | None = None,
    dismissed: Belief | None = None,
) -> Trait:
    """A trait from stored remarks ({side, quote, session_id, event_id, ts, project}) as of `now_ms`."""
    sides = traits.TRAITS[name]
    weighed = sorted(
        (_weighed(signal, now_ms, half_life_days) for signal in signals),
        key=lambda signal: (signal.ts, signal.event_id),
        reverse=True,
    )
    living = [signal for signal in weighed if signal.weight > FADED]
    by_side = {side: tuple(one for one in living if one.side == side) for side in sides[:2]}
    value, conflict = judge_sides(by_side[sides.one], by_side[sides.other], sides)
    statements = traits.STATEMENTS[name]
    return Trait(
        id=trait_id(name),
        name=name,
        value=value,
        strength=strength(by_side[sides.one], by_side[sides.other]) if value != "unknown" else 0.0,
        statement=statements.get(value, ""),
        sides=(sides.one, sides.other),
        evidence={side: tuple(one for one in weighed if one.side == side) for side in sides[:2]},
        conflict=conflict,
        confirmed=confirmed is not None,
        confirmed_value=confirmed.value if confirmed else None,
        confirmed_statement=confirmed.statement if confirmed else None,
        dismissed=dismissed is not None and dismissed.value == value,
        choices=statements,
    )


def judge_sides(one: Sequence[Signal], other: Sequence[Signal], sides: traits.TraitSides) -> tuple[str, bool]:
    """Which value remarks that still count speak for, and whether they speak for both sides.

    Both sides with two remarks or more, neither outweighed threefold: the value between, where there is one,
    else unknown. A side with three or more that outweighs the other: that side. Anything else is unknown.
    """
    heavy, light = _total(one), _total(other)
    conflict = len(one) >= BOTH and len(other) >= BOTH and min(heavy, light) >= SHARE * max(heavy, light)
    if conflict:
        return sides.between, True
    if len(one) >= ENOUGH and heavy > light:
        return sides.one, False
    if len(other) >= ENOUGH and light > heavy:
        return sides.other, False
    return "unknown", False


def strength(one: Sequence[Signal], other: Sequence[Signal]) -> float:
    """How clearly remarks speak, 0-1: (stronger − weaker) ÷ (stronger + weaker + 1), in weights.

    The 1 keeps a few remarks from looking certain. Where both sides are meant, 2 · weaker takes the place of
    the difference: the more even and the more remarks, the clearer that both are.
    """
    most, least = max(_total(one), _total(other)), min(_total(one), _total(other))
    even = len(one) >= BOTH and len(other) >= BOTH and least >= SHARE * most
    return round((2 * least if even else most - least) / (most + least + 1), 3)


def trait_id(name: TraitName) -> str:
    """The id of a trait as a belief."""
    return beliefs.belief_id("trait", name)


def newest_signals(signals: Iterable[Doc]) -> list[Doc]:
    """The newest remarks of each side, each event once, in the order in which they were said."""
    by_key = {(one["event_id"], one["side"]): one for one in signals}
    found: list[Doc] = []
    for side in {one["side"] for one in by_key.values()}:
        mine = sorted((one for one in by_key.values() if one["side"] == side), key=_when)
        found += mine[-MOST_SIGNALS:]
    return sorted(found, key=_when)


def _when(signal: Doc) -> tuple[str, str, str]:
    return signal["ts"], signal["event_id"], signal["side"]


def _weighed(signal: Mapping[str, Any], now_ms: int, half_life_days: float) -> Signal:
    age = (now_ms - clock.parse_ms(signal["ts"])) / DAY_MS
    return Signal.model_validate({**signal, "weight": round(weight(age, half_life_days), 4)})


def _total(signals: Sequence[Signal]) -> float:
    return sum(signal.weight for signal in signals)

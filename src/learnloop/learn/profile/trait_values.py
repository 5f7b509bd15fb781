"""Three traits of a person from their remarks, weighted by age. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from learnloop.learn.profile import beliefs, traits
from learnloop.models.preferences import Belief, Signal, Trait, TraitName
from learnloop.wire import clock

Doc = dict[str, Any]
DAY_MS = 86_400_000
ENOUGH = 3
"""Remarks that one side needs to become the value (the specification's 3+ signals)."""
BOTH = 2
"""Remarks that each side needs for a conflict."""
FADED = 0.125
"""A remark of this weight or less no longer counts: three half-lives, the 90 days that events are kept."""
SHARE = 1 / 3
"""Share of the stronger side's weight that the weaker side needs for a conflict."""
MOST_SIGNALS = 60
"""Newest remarks that are stored for each side."""


def weight(age_days: float, half_life_days: float) -> float:
    """0.5 ** (age / half-life); 1 for a remark of now or with a time in the future."""
    return float(0.5 ** (max(age_days, 0.0) / half_life_days))


def trait(
    name: TraitName, signals: Iterable[Mapping[str, Any]], *, now_ms: int, half_life_days: float = 30.0,
    confirmed: Belief | None = None, dismissed: Belief | None = None,
) -> Trait:  # fmt: skip
    """A trait from stored remarks ({side, quote, session_id, event_id, ts, project}) as of `now_ms`."""
    sides = traits.TRAITS[name]
    newest_first = sorted(signals, key=lambda signal: (signal["ts"], signal["event_id"]), reverse=True)
    ages = [(now_ms - clock.parse_ms(signal["ts"])) / DAY_MS for signal in newest_first]
    weighted = [
        Signal.model_validate({**signal, "weight": round(weight(age, half_life_days), 4)})
        for signal, age in zip(newest_first, ages, strict=True)
    ]
    living = [signal for signal in weighted if signal.weight > FADED]
    by_side = {side: tuple(signal for signal in living if signal.side == side) for side in sides[:2]}
    value, conflict = judge_sides(by_side[sides.one], by_side[sides.other], sides)
    statements = traits.STATEMENTS[name]
    return Trait(
        id=trait_id(name), name=name, value=value,
        strength=strength(by_side[sides.one], by_side[sides.other]) if value != "unknown" else 0.0,
        statement=statements.get(value, ""), sides=(sides.one, sides.other),
        evidence={side: tuple(signal for signal in weighted if signal.side == side) for side in sides[:2]},
        conflict=conflict, confirmed=confirmed is not None,
        confirmed_value=confirmed.value if confirmed else None,
        confirmed_statement=confirmed.statement if confirmed else None,
        dismissed=dismissed is not None and dismissed.value == value, choices=statements,
    )  # fmt: skip


def judge_sides(
    first: Sequence[Signal], second: Sequence[Signal], sides: traits.TraitSides
) -> tuple[str, bool]:
    """The value by the remarks of both sides, and whether the sides are in conflict.

    A conflict needs two remarks of each side, neither outweighed threefold: the value is then the one between
    the sides, if there is one. Otherwise a side with three remarks that outweighs the other is the value.
    Anything else is unknown.
    """
    first_weight, second_weight = _total(first), _total(second)
    if _are_even(first, second):
        return sides.between, True
    if len(first) >= ENOUGH and first_weight > second_weight:
        return sides.one, False
    if len(second) >= ENOUGH and second_weight > first_weight:
        return sides.other, False
    return "unknown", False


def strength(first: Sequence[Signal], second: Sequence[Signal]) -> float:
    """How clear the remarks are, 0–1: (stronger − weaker) ÷ (stronger + weaker + 1), in weights.

    The 1 keeps a few remarks from looking certain. In a conflict 2 · weaker replaces the difference: more
    remarks, and more even ones, make the conflict clearer.
    """
    most, least = max(_total(first), _total(second)), min(_total(first), _total(second))
    return round((2 * least if _are_even(first, second) else most - least) / (most + least + 1), 3)


def _are_even(first: Sequence[Signal], second: Sequence[Signal]) -> bool:
    weights = sorted((_total(first), _total(second)))
    return min(len(first), len(second)) >= BOTH and weights[0] >= SHARE * weights[1]


def trait_id(name: TraitName) -> str:
    """The id of a trait as a belief."""
    return beliefs.belief_id("trait", name)


def newest_signals(signals: Iterable[Doc]) -> list[Doc]:
    """The newest remarks of each side, each event once, oldest first."""
    by_key = {(signal["event_id"], signal["side"]): signal for signal in signals}
    newest: list[Doc] = []
    for side in {signal["side"] for signal in by_key.values()}:
        of_side = sorted((signal for signal in by_key.values() if signal["side"] == side), key=_when)
        newest += of_side[-MOST_SIGNALS:]
    return sorted(newest, key=_when)


def _when(signal: Doc) -> tuple[str, str, str]:
    return signal["ts"], signal["event_id"], signal["side"]


def _total(signals: Sequence[Signal]) -> float:
    return sum(signal.weight for signal in signals)

"""What an experiment knows, and whether it does harm. Pure."""

from collections.abc import Mapping

from learnloop.learn.experiments import counts
from learnloop.learn.experiments.counts import Sessions
from learnloop.learn.statistics import lift
from learnloop.learn.statistics.lift import ArmSums, Pace, Size, size
from learnloop.models.experiment import (
    Comparison,
    Estimate,
    Experiment,
    ExperimentReport,
    Variant,
    VariantCounts,
)

BASE, EFFECT = 0.33, 0.5
"""What is expected before anything is known: every third moment is corrected, and the lesson halves that."""
_ENOUGH = 30
"""Moments of the control from which on its own rate counts."""
_GOOD = {"own": -1, "corrected": -1, "success": 1, counts.TURNS: -1}
"""The side of a difference on which a variant is better."""
_HARM = {
    "own": "its correction comes more often",
    "corrected": "there are more corrections",
    counts.TURNS: "success takes more turns",
    "success": "fewer turns succeed",
}


def report(
    experiment: Experiment, arms: Mapping[str, Sessions], pace: Pace, advice: str = ""
) -> ExperimentReport:  # fmt: skip
    """Everything that is known of an experiment by its moments; `advice` is what is known without them."""
    counted = _columns(experiment, arms)
    sums = {name: counts.sums(columns, experiment.outcome) for name, columns in counted.items()}
    base, share = _base(sums[experiment.control.name]), experiment.control.weight / 100
    needed = size(base, EFFECT, share, pace)
    compared = [_compare(sums, variant, experiment.control) for variant in experiment.variants[:-1]]
    held_a_week = pace.sessions_a_week * pace.moments_a_session * share
    variants = tuple(
        VariantCounts(name=name, sessions=len(columns[0]), **counts.totals(columns))
        for name, columns in counted.items()
    )
    return ExperimentReport(
        experiment=experiment,
        variants=variants,
        comparisons=tuple(
            _comparison(variant, result, needed, advice, is_over=not experiment.is_open)
            for variant, result in zip(experiment.variants, compared, strict=False)
        ),
        moments=sum(variant.moments for variant in variants),
        needed_moments=needed.moments,
        needed_weeks=needed.weeks,
        price=lift.price(base, EFFECT, held_a_week) if experiment.is_holdout else "",
    )


def harm(experiment: Experiment, arms: Mapping[str, Sessions]) -> str:
    """Why a running experiment should pause: a variant is worse than the control; empty where none is."""
    counted = _columns(experiment, arms)
    for outcome, words in _HARM.items():
        sums = {name: counts.sums(columns, outcome) for name, columns in counted.items()}
        for variant in experiment.variants[:-1]:
            difference = _compare(sums, variant, experiment.control).difference
            if difference is not None and difference.sign == -_GOOD[outcome]:
                return f"{words} where it is {variant.name}: {_points(difference, outcome)}"
    return ""


def _points(difference: lift.Range, outcome: str) -> str:
    low, high = sorted(abs(end) for end in (difference.low, difference.high))
    if outcome == counts.TURNS:
        return f"{low * counts.MOST_EXTRA:.1f}–{high * counts.MOST_EXTRA:.1f} turns"
    return f"{100 * low:.0f}–{100 * high:.0f} points"


def of_a_day(experiment: Experiment, arms: Mapping[str, Sessions]) -> str:
    """What an experiment counted on a day: `uv or not: told 1 of 3, held out 1 of 1`."""
    totals = {variant: counts.totals(counts.columns(sessions)) for variant, sessions in sorted(arms.items())}
    outcome = experiment.outcome
    parts = (f"{variant} {total[outcome]} of {total['moments']}" for variant, total in totals.items())
    return f"{experiment.name}: {', '.join(parts)}"


def _columns(experiment: Experiment, arms: Mapping[str, Sessions]) -> dict[str, counts.Columns]:
    names = [variant.name for variant in experiment.variants]
    return {name: counts.columns(arms.get(name, {})) for name in names}


def _base(control: ArmSums) -> float:
    return control.rate if control.moments >= _ENOUGH and control.events else BASE


def _compare(sums: Mapping[str, ArmSums], variant: Variant, control: Variant) -> lift.Lift:
    return lift.compare(sums[variant.name], sums[control.name])


def _comparison(
    variant: Variant, result: lift.Lift, needed: Size, advice: str, *, is_over: bool
) -> Comparison:
    return Comparison(
        variant=variant.name,
        known=lift.progress(result, needed, is_over=is_over, advice=advice),
        sign=result.difference.sign if result.difference else 0,
        difference=_interval(result.difference),
        ratio=_interval(result.ratio),
    )


def _interval(measured: lift.Range | None) -> Estimate | None:
    ends = measured._asdict().items() if measured else ()
    return Estimate(**{name: round(end, 4) for name, end in ends}) if ends else None

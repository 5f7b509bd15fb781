"""The one figure of a variant: its parts, what is left out, and that nothing divides by zero."""

import pytest

from learnloop.learn.experiments import counts
from learnloop.models.experiment import HELD_OUT, TOLD, Experiment, Variant, VariantScore

EXPERIMENT = Experiment(
    id="0198" + 28 * "a", name="x", lesson_ids=("l",),
    variants=(Variant(name=TOLD, weight=50), Variant(name=HELD_OUT, weight=50, tells=False)),
)  # fmt: skip


def moment(arm: str, outcome: str = "unknown", **more: object) -> dict[str, object]:
    return {"outcome": outcome, "arms": [[EXPERIMENT.id, "l", arm]], **more}


def scored(*moments: dict[str, object]) -> tuple[VariantScore, ...]:
    return counts.scores(EXPERIMENT, moments)


def test_success_duration_against_the_median_and_quality_are_weighed() -> None:
    told, held = scored(
        moment(TOLD, "success", ms=1000), moment(TOLD, "revision", ms=1000),
        moment(HELD_OUT, "success", ms=3000), moment(HELD_OUT, "success", ms=3000, inferred=True),
    )  # fmt: skip
    assert (told.success, told.duration, told.quality) == (0.5, 0.667, 1)
    assert (held.success, held.duration, held.quality) == (1, 0.4, 0.8)
    assert told.score == pytest.approx(0.4 * 0.5 + 0.3 * 2 / 3 + 0.3, abs=1e-3)


def test_missing_parts_are_left_out() -> None:
    told, held = scored(moment(TOLD, "success"), moment(HELD_OUT, "revision"), moment(HELD_OUT, ms=5))
    assert (told.score, told.duration) == (1, None)
    assert (held.success, held.duration, held.quality) == (0, 0.5, None)
    assert held.score == pytest.approx(0.3 * 0.5 / 0.7, abs=1e-3)


@pytest.mark.parametrize("moments", [(), (moment(TOLD),), (moment("gone", "success"), {"id": "x"})])
def test_without_anything_known_there_is_no_figure(moments: tuple[dict[str, object], ...]) -> None:
    assert [score.score for score in scored(*moments)] == [None, None]


def test_turns_of_no_time_divide_by_nothing() -> None:
    assert [score.duration for score in scored(moment(TOLD, ms=0), moment(HELD_OUT, ms=0))] == [None, None]


def test_a_corrected_success_is_none() -> None:
    told, _ = scored(moment(TOLD, "success", corrected=True), moment(TOLD, "success", own=["l"]))
    assert told.success == 0

"""The statistics against libraries; they run where these are installed: the environment of the proofs."""

import math
import random
from typing import Any

import pytest

from learnloop.learn.statistics import lift
from learnloop.learn.statistics.lift import ArmSums, of_session, weight

integrate: Any = pytest.importorskip("scipy.integrate")
stats: Any = pytest.importorskip("scipy.stats")
linear_model: Any = pytest.importorskip("statsmodels.regression.linear_model")


def sessions(seed: int) -> list[tuple[int, int]]:
    rng = random.Random(seed)
    moments = [rng.randint(1, 8) for _ in range(60)]
    return [(count, sum(rng.random() < rng.betavariate(1, 2) for _ in range(count))) for count in moments]


def sums(counted: list[tuple[int, int]]) -> ArmSums:
    total = ArmSums()
    for moments, events in counted:
        total = total.plus(of_session(moments, events))
    return total


@pytest.mark.parametrize("seed", range(5))
def test_the_variance_of_a_rate_is_that_of_a_weighted_regression_with_clusters(seed: int) -> None:
    counted = sessions(seed)
    events = [float(n < many) for moments, many in counted for n in range(moments)]
    groups = [number for number, (moments, _) in enumerate(counted) for _ in range(moments)]
    weights = [weight(moments) for moments, _ in counted for _ in range(moments)]
    fitted = linear_model.WLS(events, [1.0] * len(events), weights=weights).fit(
        cov_type="cluster", cov_kwds={"groups": groups, "use_correction": False}
    )
    arm = sums(counted)
    assert arm.rate == pytest.approx(float(fitted.params[0]))
    assert arm.variance == pytest.approx(float(fitted.cov_params()[0][0]))


@pytest.mark.parametrize("variance", [1e-5, 1e-3, 3e-3, 0.05])
def test_at_the_end_of_the_range_the_mixture_is_twenty_to_one(variance: float) -> None:
    end = lift.half_width(variance)

    def weighted(effect: float) -> float:
        likelihood = math.exp((effect * end - effect * effect / 2) / variance)
        return float(stats.norm.pdf(effect, 0, lift.SCALE)) * likelihood

    peak = end * lift.SCALE**2 / (lift.SCALE**2 + variance)
    mixture, _ = integrate.quad(weighted, -1, 1, points=[0, peak], limit=200)
    assert mixture == pytest.approx(1 / lift.ALPHA, rel=1e-6)

"""What is counted of sessions, as the sums that a comparison reads."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from learnloop.learn.experiments import counts
from learnloop.learn.statistics.lift import ArmSums, of_session

SESSIONS = st.lists(st.integers(1, 60).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n))))


@given(SESSIONS)
def test_the_sums_of_a_variant_are_those_of_its_sessions(sessions: list[tuple[int, int]]) -> None:
    counted = counts.columns(
        {str(n): [moments, own, own, 0, 0, 0, 0, 0] for n, (moments, own) in enumerate(sessions)}
    )
    total = ArmSums()
    for moments, own in sessions:
        total = total.plus(of_session(moments, own))
    assert tuple(counts.sums(counted, "own")) == pytest.approx(tuple(total))


def test_a_very_long_session_counts_five_moments() -> None:
    counted = counts.sums(counts.columns({"s1": [50, 20, 20, 0, 0, 0, 0, 0]}), "own")
    assert (counted.moments, counted.events) == pytest.approx((5, 2))

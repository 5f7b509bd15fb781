"""A model's own sure is believed until verdicts show how far."""

import itertools

from hypothesis import given
from hypothesis import strategies as st

from learnloop.learn.facts.fact_drafts import ENOUGH, FactVerdict, chance

SHOP = "/code/shop"


def _verdicts(sure: int, kept: int, rejected: int, project: str = SHOP) -> list[FactVerdict]:
    return [FactVerdict(sure, is_kept, project) for is_kept in [True] * kept + [False] * rejected]


def test_without_enough_verdicts_the_model_is_believed() -> None:
    few = _verdicts(90, 0, ENOUGH - 1)
    assert [round(chance(sure, few, SHOP), 2) for sure in (40, 60, 90)] == [0.4, 0.6, 0.9]


def test_a_model_that_is_too_sure_is_believed_less_and_one_that_is_too_modest_more() -> None:
    assert chance(90, _verdicts(90, 10, 20), SHOP) < 0.6
    assert chance(50, _verdicts(50, 28, 2), SHOP) > 0.75


def test_a_projects_own_verdicts_count_before_all() -> None:
    every = _verdicts(80, 0, 40, "/code/other") + _verdicts(80, 30, 0)
    assert chance(80, every, SHOP) > 0.85 > 0.6 > chance(80, every, "/code/new")


@given(st.lists(st.tuples(st.integers(0, 100), st.booleans()), min_size=ENOUGH, max_size=80))
def test_a_surer_fact_is_never_less_likely(judged: list[tuple[int, bool]]) -> None:
    verdicts = [FactVerdict(sure, is_kept, SHOP) for sure, is_kept in judged]
    chances = [chance(sure, verdicts, SHOP) for sure in range(0, 101, 10)]
    assert all(0 <= low <= high + 1e-9 <= 1 + 1e-9 for low, high in itertools.pairwise(chances))

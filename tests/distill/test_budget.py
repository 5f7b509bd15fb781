"""Limits of a day and rests after failures, decided from the runs alone."""

import pytest

from learnloop.distill.budget import BY_HAND, HOUR_MS, spent, why_not
from learnloop.distill.model_clients import NOT_LOGGED_IN
from learnloop.learn.lessons.origins import local_day
from learnloop.models.fact import FactRun
from learnloop.settings import Facts
from learnloop.wire import clock

NOON = clock.parse_ms("2026-03-04T12:00:00.000Z")


def _run(minute: int, **changes: object) -> FactRun:
    values = {
        "id": f"r{minute}", "stage": "extract", "client": "claude", "model": "haiku", "ms": 1000,
        "started": clock.iso(NOON + minute * 60_000), "outcome": "done", "cost_usd": 0.01,
    }  # fmt: skip
    return FactRun.model_validate(values | changes)


def _failed(*minutes: int, error: str = "it broke") -> list[FactRun]:
    return [_run(minute, outcome="failed", error=error) for minute in minutes]


def _why(runs: list[FactRun], minute: int = 5, limits: Facts | None = None) -> str:
    return why_not(runs, limits or Facts(), NOON + minute * 60_000)


@pytest.mark.parametrize(
    ("limit", "most"), [("calls_per_day", 3), ("seconds_per_day", 3), ("cost_per_day", 0.03)]
)
def test_each_limit_of_a_day_is_kept_and_none_is_none(limit: str, most: float) -> None:
    three = [_run(0), _run(1), _run(2)]
    limits = Facts.model_validate({limit: most})
    assert f"facts.{limit}" in _why(three, limits=limits)
    assert _why(three[:2], limits=limits) == ""
    assert _why(three, limits=Facts(calls_per_day=0, seconds_per_day=0, cost_per_day=0)) == ""
    assert _why(three, 5 + 24 * 60, limits) == ""


def test_answers_by_hand_cost_nothing() -> None:
    today = local_day(clock.iso(NOON))
    assert spent([_run(0), _run(1, client=BY_HAND)], today).calls == 1
    assert spent([_run(0), _run(1, cost_usd=None)], today) == (2, 2.0, 0.01, 1)


@pytest.mark.parametrize(("failures", "hours"), [(3, 1), (4, 2), (5, 4), (7, 16), (8, 24), (30, 24)])
def test_failures_in_a_row_rest_it_for_an_hour_doubling_to_a_day(failures: int, hours: int) -> None:
    runs = [_run(0), *_failed(*range(1, failures + 1))]
    assert "in a row" in _why(runs, failures + hours * 60 - 1)
    assert "in a row" not in why_not(runs, Facts(), NOON + failures * 60_000 + hours * HOUR_MS)


def test_a_success_or_a_person_ends_the_row() -> None:
    failures = _failed(1, 2, 3)
    assert _why([*failures, _run(4)]) == ""
    assert why_not(failures, Facts(), NOON + 300_000, resumed=clock.iso(NOON + 200_000)) == ""
    assert _why(_failed(1, 2)) == ""


def test_who_is_not_logged_in_is_not_asked_again_until_told() -> None:
    out = _failed(1, error=NOT_LOGGED_IN)
    assert "log in, then: learn facts run" in _why(out, 60 * 24 * 30)
    assert why_not(out, Facts(), NOON + 300_000, resumed=clock.iso(NOON + 200_000)) == ""


def test_a_clock_that_was_ahead_rests_nothing() -> None:
    assert _why(_failed(9_000, 9_001, 9_002)) == ""

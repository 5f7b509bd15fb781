import pytest
from hypothesis import given
from hypothesis import strategies as st

from learnloop.learn.statistics import lift
from learnloop.learn.statistics.lift import ArmSums, Pace, of_session, size

SESSIONS = st.lists(
    st.tuples(st.integers(1, 30), st.integers(0, 30)).map(lambda s: (s[0], min(s))), max_size=80
)


def arm(*sessions: tuple[int, int]) -> ArmSums:
    total = ArmSums()
    for moments, events in sessions:
        total = total.plus(of_session(moments, events))
    return total


@given(SESSIONS, SESSIONS)
def test_any_counts_give_a_range_that_holds_its_estimate(
    told: list[tuple[int, int]], held: list[tuple[int, int]]
) -> None:
    result = lift.compare(arm(*told), arm(*held))
    for known in filter(None, (result.difference, result.ratio)):
        assert known.low <= known.estimate <= known.high


@given(SESSIONS, st.integers(0, 80))
def test_sums_of_parts_are_the_sums_of_the_whole(sessions: list[tuple[int, int]], at: int) -> None:
    parts = arm(*sessions[:at]).plus(arm(*sessions[at:]))
    assert tuple(parts) == pytest.approx(tuple(arm(*sessions)))


@pytest.mark.parametrize(
    ("told", "held"),
    [(19 * [(1, 1)], 50 * [(1, 1)]), (50 * [(1, 1)], 19 * [(1, 1)]), ([], []),
     (50 * [(1, 0)], 9 * [(1, 1)] + 50 * [(1, 0)])],
)  # fmt: skip
def test_nothing_is_said_of_few_sessions_or_events(
    told: list[tuple[int, int]], held: list[tuple[int, int]]
) -> None:
    result = lift.compare(arm(*told), arm(*held))
    assert (result.difference, result.ratio) == (None, None)


def test_a_ratio_that_may_be_anything_is_not_said() -> None:
    result = lift.compare(arm(*20 * [(1, 0)]), arm(*10 * [(1, 1)], *10 * [(1, 0)]))
    assert result.difference is not None
    assert result.ratio is None


def test_an_arm_without_events_is_not_sure_of_zero() -> None:
    result = lift.compare(arm(*25 * [(1, 0)]), arm(*15 * [(1, 1)], *15 * [(1, 0)]))
    assert result.difference is not None
    assert result.difference.high > -0.5


def test_a_share_in_the_middle_is_known_first() -> None:
    weeks = [size(0.33, 0.5, share, Pace(20)).weeks for share in (0.05, 0.2, 0.5)]
    assert weeks == sorted(weeks, key=lambda week: -(week or 0))
    assert len(set(weeks)) == 3


@pytest.mark.parametrize(("base", "effect", "pace"), [(0.33, 0.0, Pace(20)), (0.0, 0.5, Pace(20))])
def test_no_effect_is_never_known(base: float, effect: float, pace: Pace) -> None:
    assert size(base, effect, 0.2, pace).weeks is None


def test_a_store_without_moments_has_no_weeks() -> None:
    needed = size(0.33, 0.5, 0.2, Pace(0))
    assert needed.weeks is None
    assert needed.moments > 0


def test_what_is_not_known_is_said_with_how_far_it_is() -> None:
    told, held = arm(*18 * [(1, 0)], *6 * [(1, 1)]), arm(*4 * [(1, 0)], *3 * [(1, 1)])
    words = lift.progress(lift.compare(told, held), size(0.33, 0.5, 0.2, Pace(28, 1)))
    assert words == (
        "not known yet · 31 of about 353 moments · some 12 weeks at your pace · so far 6 of 24 against 3 of 7"
    )


def test_what_could_still_be_is_said_from_the_first_look_on() -> None:
    told, held = arm(*60 * [(1, 0)], *20 * [(1, 1)]), arm(*12 * [(1, 0)], *10 * [(1, 1)])
    words = lift.progress(lift.compare(told, held), size(0.33, 0.5, 0.2, Pace(28, 1)))
    assert words.endswith(" · so far 20 of 80 against 10 of 22 · between 59 points fewer and 18 more")


@pytest.mark.parametrize(("rates", "beginning"), [((0, 1), "fewer: "), ((1, 0), "more: ")])
def test_what_is_known_is_said_with_its_range(rates: tuple[int, int], beginning: str) -> None:
    arms = [arm(*100 * [(1, rate)], (1, 0), (1, 1)) for rate in rates]
    words = lift.progress(lift.compare(arms[0], arms[1]), size(0.33, 0.5, 0.2, Pace(28)))
    assert words.startswith(beginning)
    assert words.endswith(" points (95 %, whenever you look)")


def test_what_takes_more_than_a_year_says_so() -> None:
    nothing, end = lift.compare(ArmSums(), ArmSums()), " · so far 0 of 0 against 0 of 0"
    slow, slower = (size(base, 0.5, 0.2, Pace(5)) for base in (0.33, 0.2))
    year = "would take more than a year at your pace"
    assert lift.progress(nothing, slow) == f"{year} · watched by recurrence only{end}"
    told = lift.progress(nothing, slower, advice="5 before, none since: keep it")
    assert told == f"would take some 2 years at your pace · 5 before, none since: keep it{end}"


@pytest.mark.parametrize(
    ("held_a_week", "words"),
    [(1, "costs less than one repeated correction in two weeks while it runs"),
     (6, "costs about one repeated correction a week while it runs"),
     (30, "costs about 5 repeated corrections a week while it runs")],
)  # fmt: skip
def test_the_price_is_named(held_a_week: float, words: str) -> None:
    assert lift.price(0.33, 0.5, held_a_week) == words

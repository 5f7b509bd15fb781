"""Charts: what they are drawn from, and that they say it in characters alone."""

import pytest

from learnloop.ingest.effects import bucket
from learnloop.models import Lesson
from learnloop.models.agent import AgentPerformance, AgentWeek
from learnloop.service.charts import plot
from learnloop.service.charts import series as charts
from learnloop.service.charts.series import Corrections, Histogram, WeekCount, WeekShare, latencies

MONDAYS = ("2026-03-02", "2026-03-09", "2026-03-16", "2026-03-23", "2026-03-30")


def _lesson(*days: str, **changes: object) -> Lesson:
    evidence = [
        {"quote": "no", "session_id": "s", "event_id": f"e{at}", "ts": f"{day}T10:00:00.000Z"}
        for at, day in enumerate(days)
    ]
    fields = {"id": "abcd", "created": "x", "updated": "x", "evidence": evidence, "seen_count": len(days)}
    return Lesson.model_validate(fields | changes)


def test_each_week_has_its_share_and_interval() -> None:
    series = (
        AgentWeek(week=MONDAYS[0], invocations=9, turns=8, revision_count=6, cancellation_count=1),
        AgentWeek(week=MONDAYS[1], invocations=2),
    )
    first, quiet = charts.corrected_by_week(AgentPerformance(agent_name="main", series=series))
    assert (first.turns, first.share) == (8, 0.75)
    # Wilson, 6 of 8: 0.4093 to 0.9285.
    assert (round(first.low, 4), round(first.high, 4)) == (0.4093, 0.9285)
    assert (quiet.turns, quiet.share) == (0, None)


def test_corrections_are_split_at_the_moment_of_promotion() -> None:
    lesson = _lesson(
        "2026-03-03", "2026-03-10", "2026-03-12", "2026-03-25",
        status="active", reviewed_at="2026-03-11T00:00:00.000Z",
    )  # fmt: skip
    found = charts.corrections_by_week(lesson, "2026-04-01T00:00:00.000Z")
    assert [(week.week, week.seen) for week in found.weeks] == list(
        zip(MONDAYS, (1, 2, 0, 1, 0), strict=True)
    )
    assert (found.promoted, found.missing) == (1, 0)


@pytest.mark.parametrize("lesson", [_lesson(), _lesson("no day"), _lesson("2026-03-03", trust="agent")])
def test_nothing_to_count_is_no_chart(lesson: Lesson) -> None:
    assert charts.corrections_by_week(lesson, "2026-03-10T00:00:00.000Z") == Corrections()


def test_before_the_first_ingest_the_events_themselves_are_counted() -> None:
    found = latencies({}, [{"hook_ms": 6.5}, {"hook_ms": 5_000}, {"hook_ms": "?"}, {}])
    assert (found.counts[bucket(6.5)], found.counts[-1], found.total) == (1, 1, 2)
    assert latencies({}, []) == Histogram()


WEEKS = (
    WeekShare(MONDAYS[0], 4, 0.5, 0.0, 1.0),
    WeekShare(MONDAYS[1], 0),
    WeekShare(MONDAYS[2], 9, 1.0, 0.5, 1.0),
)


def test_shares_are_drawn_with_axis_interval_and_dates() -> None:
    assert plot.plain(plot.shares(WEEKS, 30, 5)) == [
        "100% ┤  ┬           ●",
        "     │  │           │",
        " 50% ┤  ●           ┴",
        "     │  │",
        "  0% ┤  ┴     ·",
        "     └──────────────────",
        "      03-02 03-09 03-16",
    ]


def test_hook_times_are_bars_with_counts_and_shares() -> None:
    found = Histogram(counts=(0, 0, 0, 1, 200, *[0] * 10, 1))
    drawn = plot.plain(plot.times(found, 46))
    assert drawn[0] == "   3-5 ms ▆                          1  <1 %"
    assert drawn[1] == "   5-7 ms ▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆     200  99 %"
    assert drawn[-1].startswith("> 1,000 ms")


@pytest.mark.parametrize("width", [0, 5, 12, 30, 60, 200])
def test_plain_ascii_says_the_same_within_the_width(width: int) -> None:
    weeks = tuple(WeekCount(week, at) for at, week in enumerate(MONDAYS))
    corrections, hooks = Corrections(weeks, 2, 0), Histogram(counts=(5, 9, *[0] * 14))
    for ascii_only in (False, True):
        drawn = [
            *plot.shares(WEEKS, width, ascii_only=ascii_only),
            *([] if ascii_only else plot.counts(corrections, width)),
        ]
        hooked = plot.plain(plot.times(hooks, width))
        plain = plot.plain(drawn)
        assert all(len(line) <= max(width, 0) for line in plain if "promoted" not in line)
        assert all(len(line) <= max(width, 32) for line in hooked)
        assert not ascii_only or all(line.isascii() for line in plain)


def test_nothing_measured_is_no_picture() -> None:
    assert plot.times(Histogram(), 60) == []
    assert plot.shares([WeekShare(MONDAYS[0], 0)], 60) == []
    assert plot.counts(Corrections(), 60) == []

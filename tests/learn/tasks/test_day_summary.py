"""A day's figures, its insights, and its page."""

from collections.abc import Sequence
from datetime import UTC
from zoneinfo import ZoneInfo

import pytest

from learnloop.learn.tasks import day_page, day_summary, days
from learnloop.models.task import Task
from tests.learn.tasks.made_tasks import DAY, task


def facts(*tasks: Task, heeded: Sequence[str] = ()) -> day_summary.DayFacts:
    return day_summary.DayFacts(
        DAY, "/code/shop", "+01:00", list(reversed(tasks)), list(tasks), heeded=heeded
    )


def test_a_rate_is_of_the_judged_and_names_how_many_are_unknown() -> None:
    log = day_summary.write(facts(task(1), task(2), task(3, "failed"), task(4, "unknown")))
    assert (log.metrics.total, log.metrics.judged) == (4, 3)
    assert log.metrics.success_rate == pytest.approx(2 / 3)
    assert log.metrics.median_duration_ms == 2500
    assert day_page.rate(log.metrics) == "66.7 % of 3 judged (95 % interval 21–94 %; 1 unknown)"


def test_all_unknown_is_no_rate() -> None:
    assert day_page.rate(day_summary.measure([task(1, "unknown")])) == "not known (1 unknown)"


def test_a_day_without_tasks_says_so() -> None:
    page = day_page.page(day_summary.write(facts()))
    assert page.startswith(f"---\ndate: {DAY}\ntype: daily-log\nstatus: auto-generated\n")
    assert "No task on this day." in page
    assert "## Tasks" not in page


def test_often_and_surely_are_told_apart() -> None:
    code = [task(n) for n in range(4)] + [task(n, "failed") for n in range(4, 8)]
    docs = [task(n, kind="docs") for n in range(8, 11)]
    log = day_summary.write(facts(*code, *docs))
    assert log.insights[:2] == (
        "Went well most often: code (4 of 8 judged).", "Went well most surely: docs (3 of 3 judged).",
    )  # fmt: skip


def test_runs_of_subagents_are_counted_apart() -> None:
    run = task(2, "failed", parent=task(1).id, agent="tester")
    metrics = day_summary.write(facts(task(1), run)).metrics
    assert (metrics.total, metrics.subagent_runs, metrics.subagent_failures) == (1, 1, 1)


def test_lessons_told_and_heeded_are_named() -> None:
    log = day_summary.write(facts(task(1, told=("aaaa", "bbbb")), heeded=["bbbb", "cccc"]))
    assert "Lessons told: 2 (aaaa bbbb); heeded: 1 (bbbb)." in log.insights


def test_captured_words_make_no_markup() -> None:
    log = day_summary.write(facts(task(1, title="![x](http://a/b.png)\n# [x] <img> *b*", outcome="failed")))
    line = day_page.page(log).split("## Tasks\n")[1].splitlines()[0]
    assert line.startswith("- [ ] !\\[x\\](http://a/b.png) # \\[x\\] \\<img\\> \\*b\\* (failed")


@pytest.mark.parametrize("day", ["2026-03-29", "2026-10-25"])
def test_days_of_23_and_25_hours_are_one_day(day: str) -> None:
    berlin = ZoneInfo("Europe/Berlin")
    hours = {
        "2026-03-29": ("2026-03-28T23", "2026-03-29T21"),
        "2026-10-25": ("2026-10-24T22", "2026-10-25T22"),
    }
    first, last = hours[day]
    assert days.local_day(f"{first}:00:00.000Z", berlin) == day
    assert days.local_day(f"{last}:59:59.999Z", berlin) == day
    assert days.local_day(f"{last[:-2]}{int(last[-2:]) + 1}:00:00.000Z", berlin) > day


def test_a_time_that_is_none_has_no_day() -> None:
    assert days.local_day("", UTC) == ""
    assert days.local_day("0001-01-01T00:00:00Z", ZoneInfo("America/New_York")) == ""
    assert list(days.span("2026-02-27", "2026-03-01")) == ["2026-02-27", "2026-02-28", "2026-03-01"]

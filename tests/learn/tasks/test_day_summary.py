"""A day's figures, its insights, and its page."""

from datetime import UTC
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from learnloop.learn.tasks import day_summary, days
from learnloop.models.task import Task
from learnloop.models.turn import Feedback
from tests.learn.tasks.made_tasks import DAY, task


def facts(*tasks: Task, **more: Any) -> day_summary.DayFacts:
    return day_summary.DayFacts(DAY, DAY, "", "+01:00", list(reversed(tasks)), list(tasks), **more)


def page(*tasks: Task, **more: Any) -> str:
    return day_summary.page(day_summary.write(facts(*tasks, **more)))


def test_a_rate_is_told_only_where_half_were_judged() -> None:
    log = day_summary.write(facts(task(1), task(2), task(3, "failed"), task(4, "unknown")))
    assert (log.metrics.total, log.metrics.judged, log.metrics.median_duration_ms) == (4, 3, 2500)
    assert log.metrics.success_rate == pytest.approx(2 / 3)
    assert "67% of 3 judged went well" in day_summary.page(log)
    assert "judged" not in page(task(1), task(2, "unknown"), task(3, "unknown"))


def test_a_day_without_tasks_says_so() -> None:
    words = page()
    assert words.startswith(f"---\ndate: {DAY}\ntype: daily-log\nstatus: auto-generated\n")
    assert "No task on this day." in words
    assert "##" not in words


def test_what_is_left_open_and_what_went_back_stand_before_the_work() -> None:
    tasks = task(1, "cancelled"), task(2, "failed", error="pytest: E 3 is not 4"), task(3, "revised"), task(4)
    lines = page(*tasks).splitlines()
    assert "1 went back to you, 1 you accepted, 1 failed, 1 were stopped." in " ".join(lines)
    at = lines.index("## Left open")
    assert lines[at + 1 : at + 3] == [
        "- Task 1 – it was stopped (shop · 000000000000)",
        "- Task 2 – its last test failed: pytest: E 3 is not 4 (shop · 000000000000)",
    ]
    assert lines.index("## Work") > at


def test_a_correction_names_the_draft_that_came_of_it() -> None:
    said = Feedback(
        id="e1", timestamp=f"{DAY}T10:00:00.000Z", session_id="s1", turn_id="t1", project_path="/code/shop",
        event_type="revision", feedback_category="correction", confidence=0.9, reason="",
        user_message="Use pnpm", event_id="e1",
    )  # fmt: skip
    lesson = {"id": "abcdef123456", "status": "draft", "evidence": [{"event_id": "e1"}]}
    assert "- “Use pnpm” (shop)\n" in page(task(1), corrections=[said])
    words = page(task(1), corrections=[said], lessons=[lesson])
    assert "- “Use pnpm” (shop) → draft: learn promote abcdef123456" in words
    again = said.with_(id="e2", event_id="e2", user_message="pnpm, I said")
    twice = {**lesson, "evidence": [{"event_id": "e1"}, {"event_id": "e2"}]}
    assert page(corrections=[said, again], lessons=[twice]).count("→ draft") == 1, "said twice is one draft"
    assert "→ active abcdef123456" in page(corrections=[said], lessons=[{**lesson, "status": "active"}])


def test_lessons_told_and_heeded_are_named() -> None:
    log = day_summary.write(facts(task(1, told=("aaaa", "bbbb")), heeded=["bbbb", "cccc"]))
    assert "Lessons told: 2 (aaaa bbbb); heeded: 1 (bbbb)." in log.insights


def test_captured_words_make_no_markup() -> None:
    words = page(task(1, title="![x](http://a/b.png)\n# [x] <img> *b*"))
    line = words.split("## Work\n")[1].splitlines()[0]
    assert line.startswith("- [x] !\\[x\\](http://a/b.png) # \\[x\\] \\<img\\> \\*b\\* (success")


def test_a_time_that_is_none_has_no_day() -> None:
    assert days.local_day("", UTC) == ""
    assert days.local_day("0001-01-01T00:00:00Z", ZoneInfo("America/New_York")) == ""
    assert list(days.span("2026-02-27", "2026-03-01")) == ["2026-02-27", "2026-02-28", "2026-03-01"]

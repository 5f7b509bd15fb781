"""Charts where people look for them: on an agent, on a lesson, in Health."""

from learnloop.learn.sessions.latency import BOUNDS_MS
from learnloop.models.agent import AgentPerformance, AgentWeek, Interval
from learnloop.service.charts.hook_latency import Histogram
from learnloop.service.health.health_report import Health
from learnloop_tui.view import charts
from tests.tui.fakes import NOW_MS, FakeBridge, console, lesson

WEEKS = (
    AgentWeek(week="2023-10-30", invocations=4, turns=4, success_count=2, revision_count=2),
    AgentWeek(week="2023-11-06", invocations=9, turns=9, success_count=8, revision_count=1),
)


def _agent(*weeks: AgentWeek) -> AgentPerformance:
    good = sum(week.success_count for week in weeks)
    judged = good + sum(week.revision_count for week in weeks)
    return AgentPerformance(
        agent_name="main", total_invocations=judged, turns=judged, revision_count=judged - good,
        corrected_rate=1 - good / judged, corrected_interval=Interval(low=0.1, high=0.6), series=weeks,
    )  # fmt: skip


def _plain(lines: list[tuple[tuple[str, str], ...]]) -> str:
    return "\n".join("".join(part for part, _ in line) for line in lines)


async def test_an_agents_page_shows_its_weeks() -> None:
    bridge = FakeBridge(lesson(1))
    bridge.figures = [_agent(*WEEKS)]
    async with console(bridge, size=(140, 50)) as seen:
        await seen.press("4")
        await seen.until(lambda: "Corrected by week" in seen.page)
        for words in ("100% ┤", "●", "10-30", "11-06", "interval"):
            assert words in seen.page


async def test_a_promoted_lesson_shows_corrections_before_and_since() -> None:
    used = lesson(1).with_(status="active", reviewed_at="2023-11-14T22:05:00.000Z")
    async with console(FakeBridge(used), size=(140, 50)) as seen:
        await seen.press("2", "enter")
        await seen.until(lambda: "Corrections by week" in seen.page)
        assert "1 in " in seen.page
        assert "▲ promoted" in seen.page


async def test_health_shows_how_long_hooks_take() -> None:
    bridge = FakeBridge(lesson(1))
    counts = [0] * (len(BOUNDS_MS) + 1)
    counts[5], counts[6] = 30, 10
    bridge.health = Health(hook_latencies=Histogram(counts=tuple(counts)))
    async with console(bridge, size=(140, 50)) as seen:
        await seen.press("6", "d")
        await seen.until(lambda: "How long hooks take" in seen.page)
        for words in ("7-10 ms ▆", "10-15 ms ▆", "30  75 %", "40 firings"):
            assert words in seen.page


def test_there_is_no_picture_where_nothing_can_be_seen() -> None:
    assert charts.corrected(_agent(WEEKS[0]), 60) == []
    assert charts.corrections(lesson(1), 60, NOW_MS) == []
    assert charts.hook_times(Histogram(), 60) == []
    assert charts.corrected(_agent(*WEEKS), 8) == []


def test_what_is_not_kept_of_corrections_is_said() -> None:
    often = lesson(1).with_(status="active", reviewed_at="2023-11-14T22:05:00.000Z", seen_count=40)
    assert "39 more in between are counted without their time" in " ".join(
        _plain(charts.corrections(often, 120, NOW_MS)).split()
    )

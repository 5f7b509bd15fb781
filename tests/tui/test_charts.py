"""Charts where people look for them: on an agent, on a lesson, in Health."""

from learnloop.faces import charts
from learnloop.models.agent import AgentPerformance, AgentWeek, Interval
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


async def test_an_agents_page_shows_its_weeks() -> None:
    bridge = FakeBridge(lesson(1))
    bridge.figures = [_agent(*WEEKS)]
    async with console(bridge, size=(140, 50)) as seen:
        await seen.press("4")
        await seen.until(lambda: "Corrected by week" in seen.page)
        for words in ("100% ┤", "●", "10-30", "11-06", "interval"):
            assert words in seen.page


def test_what_is_not_kept_of_corrections_is_said() -> None:
    often = lesson(1).with_(status="active", reviewed_at="2023-11-14T22:05:00.000Z", seen_count=40)
    (chart,) = charts.corrections(often, NOW_MS)
    assert "39 more in between are counted without their time" in chart.words

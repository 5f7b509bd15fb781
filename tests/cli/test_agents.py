"""learn agents: the table, one agent, JSON, narrowing down."""

import pytest

from learnloop.ingest.run import ingest
from learnloop.models import AgentPerformance
from learnloop.store import seal
from tests.cli.store import Learn
from tests.ingest import agents_month as month


@pytest.fixture
def learn(root: str, capsys: pytest.CaptureFixture[str]) -> Learn:
    events = [event for session in month.events() for event in session]
    assert seal.append(root, [*events, month.promotion()])
    ingest(root, wait_s=5)
    return Learn(capsys)


def test_the_table_has_a_line_for_each_agent(learn: Learn) -> None:
    assert learn("agents") == 0
    head, main, reviewer, writer = learn.out.splitlines()
    assert head.split()[:5] == ["AGENT", "RUNS", "TURNS", "CORRECTED", "SHARE"]
    assert main.split()[:5] == ["main", "56", "36", "1", "3%"]
    assert reviewer.split()[1:5] == ["20", "10", "7", "70%"]
    assert "40%–89%" in reviewer
    assert "3× Use pnpm" in reviewer
    assert "30%" in writer


def test_json_is_a_list_of_documents(learn: Learn) -> None:
    found = [AgentPerformance.model_validate(one) for one in learn.listing("agents")]
    assert [one.agent_name for one in found] == ["main", "code-reviewer", "test-writer"]
    (one,) = learn.listing("agents", "code-reviewer")
    assert one["success_rate"] == pytest.approx(0.3)
    assert one["interval"].keys() == {"low", "high"}
    assert (one["turns"], one["corrected_rate"]) == (10, pytest.approx(0.7))
    assert [theme["count"] for theme in one["failure_patterns"]] == [3]


def test_one_agent_is_shown_with_themes_and_lessons(learn: Learn) -> None:
    assert learn("agents", "code") == 0
    words = ("3×", "Use pnpm instead of npm.", "❝ no, use pnpm", "in 7 of 10 turns", "40% to 89%",
             "3 praised", "Corrected by week", "100% ┤", "weak at", "TypeScript", "too few")  # fmt: skip
    places = [learn.out.find(each) for each in words]
    assert places == sorted(places)
    assert places[0] > 0


def test_an_unknown_agent_is_refused(learn: Learn) -> None:
    assert "nothing is known of an agent 'nobody'" in learn.refused("agents", "nobody")

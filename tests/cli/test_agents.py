"""learn agents: the table, one agent, JSON, narrowing down."""

import pytest

from learnloop.ingest.run import ingest
from learnloop.models import AgentPerformance
from learnloop.wire import journal
from tests.cli.store import Learn
from tests.ingest import agents_month as month


@pytest.fixture
def learn(root: str, capsys: pytest.CaptureFixture[str]) -> Learn:
    events = [event for session in month.events() for event in session]
    assert journal.append(root, [*events, month.promotion()])
    ingest(root, wait_s=5)
    return Learn(capsys)


def test_the_table_has_a_line_for_each_agent(learn: Learn) -> None:
    assert learn("agents") == 0
    head, main, reviewer, writer = learn.out.splitlines()
    assert head.split()[:6] == ["AGENT", "RUNS", "GOOD", "REVISED", "CANCELLED", "SUCCESS"]
    assert main.split()[:6] == ["main", "56", "8", "1", "1", "80%"]
    assert "30%" in reviewer
    assert "11%–60%" in reviewer
    assert "too few" in writer


def test_json_is_a_list_of_documents(learn: Learn) -> None:
    found = [AgentPerformance.model_validate(one) for one in learn.listing("agents")]
    assert [one.agent_name for one in found] == ["main", "code-reviewer", "test-writer"]
    (one,) = learn.listing("agents", "code-reviewer")
    assert one["success_rate"] == pytest.approx(0.3)
    assert one["interval"].keys() == {"low", "high"}
    assert [theme["count"] for theme in one["failure_patterns"]] == [3, 2]


def test_one_agent_is_shown_with_themes_and_lessons(learn: Learn) -> None:
    assert learn("agents", "code") == 0
    for words in ("11%–60%", "weak at", "TypeScript", "3×", "pnpm is used instead of npm.", "too few to say",
                  "Success by week", "100% ┤"):  # fmt: skip
        assert words in learn.out


def test_figures_are_narrowed_down_and_split(learn: Learn) -> None:
    assert [row["total_invocations"] for row in learn.listing("agents", "main", "--project", month.SHOP)] == [
        29
    ]
    assert {row["agent_name"] for row in learn.listing("agents", "--host", "codex")} == {
        "main",
        "test-writer",
    }
    assert len(learn.listing("agents", "--split")) == 8


def test_an_unknown_agent_is_refused(learn: Learn) -> None:
    assert "nothing is known of an agent 'nobody'" in learn.refused("agents", "nobody")


def test_an_empty_store_says_what_to_do(root: str, capsys: pytest.CaptureFixture[str]) -> None:
    empty = Learn(capsys)
    assert empty("agents") == 0
    assert "learn install" in empty.err
    assert empty.listing("agents") == []

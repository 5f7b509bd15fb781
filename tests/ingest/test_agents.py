"""Agents: a month of sessions against figures counted by hand, and what must not change them."""

import json
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from learnloop.ingest.run import ingest
from learnloop.models import AgentPerformance
from learnloop.service.profile import agent_figures, judged_turns
from learnloop.service.transfer import exchange, forget
from learnloop.service.workspace import Workspace, open_workspace
from learnloop.store import seal
from learnloop.store.document_table import VIEWS
from learnloop.store.store import Store
from tests.ingest import agents_month as month
from tests.ingest import month as other_month
from tests.ingest.session_scene import Scene

Doc = dict[str, Any]


def _record(root: str, *sessions: Iterable[Doc]) -> None:
    assert seal.append(root, [event for session in sessions for event in session])


@pytest.fixture(scope="module")
def ingested(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A month that is ingested once; each test gets a copy."""
    root = tmp_path_factory.mktemp("month") / "home"
    _record(str(root), *month.events(), [month.promotion()])
    ingest(str(root), wait_s=5)
    return root


@pytest.fixture
def ws(ingested: Path, tmp_path: Path) -> Workspace:
    shutil.copytree(ingested, tmp_path / "home", symlinks=True)
    return open_workspace(str(tmp_path / "home"))


def _by_name(ws: Workspace, **where: Any) -> dict[str, AgentPerformance]:
    return {agent.agent_name: agent for agent in agent_figures.performance(ws, **where)}


def _counts(one: AgentPerformance) -> tuple[int, int, int, int]:
    return one.total_invocations, one.success_count, one.revision_count, one.cancellation_count


EXPECTED = {"main": (56, 8, 1, 1), "code-reviewer": (20, 3, 7, 0), "test-writer": (10, 4, 3, 0)}


def test_counts_are_those_counted_by_hand(ws: Workspace) -> None:
    found = _by_name(ws)
    assert {name: _counts(one) for name, one in found.items()} == EXPECTED


@pytest.mark.parametrize(
    ("name", "rate", "low", "high", "enough"),
    [
        ("main", 0.8, 0.490, 0.943, True),
        ("code-reviewer", 0.3, 0.108, 0.603, True),
        ("test-writer", 4 / 7, 0.250, 0.842, False),
    ],
)
def test_shares_come_with_their_wilson_interval(
    ws: Workspace, name: str, rate: float, low: float, high: float, enough: bool
) -> None:
    one = _by_name(ws)[name]
    assert one.success_rate == pytest.approx(rate)
    assert one.interval is not None
    assert [one.interval.low, one.interval.high] == pytest.approx([low, high], abs=5e-4)
    assert one.enough is enough


@pytest.mark.parametrize(
    ("name", "corrected", "turns", "praised", "unsaid"),
    [("main", 1, 36, 8, 26), ("code-reviewer", 7, 10, 3, 0), ("test-writer", 3, 10, 4, 3)],
)
def test_corrections_are_a_share_of_all_turns(
    ws: Workspace, name: str, corrected: int, turns: int, praised: int, unsaid: int
) -> None:
    agent = _by_name(ws)[name]
    assert (agent.revision_count, agent.turns, agent.praised_count, agent.unsaid) == (
        corrected, turns, praised, unsaid,
    )  # fmt: skip
    assert agent.corrected_rate == pytest.approx(corrected / turns)
    assert agent.corrected_interval is not None
    assert agent.corrected_interval.low < corrected / turns < agent.corrected_interval.high


def test_silence_is_neither_praise_nor_blame(tmp_path: Path) -> None:
    """The next task, at once, is a success by the rules, and no word of praise."""
    root = str(tmp_path / "home")
    scene = Scene().prompt("extend the ledger with yearly totals", "p1")
    scene.call("Edit", "/code/shop/a.py").stop(prompt_id="p1")
    scene.prompt("write a parser for bank statements", "p2", after_s=20).stop(prompt_id="p2")
    _record(root, scene.events)
    ingest(root, wait_s=5)
    ws = open_workspace(root)
    agent = _by_name(ws)["main"]
    assert (agent.success_count, agent.praised_count, agent.turns, agent.unsaid) == (1, 0, 2, 2)
    assert judged_turns.turns_behind(ws, "main", "success") == []
    assert len(judged_turns.turns_behind(ws, "main", "unknown")) == 2


def test_weeks_begin_on_monday(ws: Workspace) -> None:
    found = _by_name(ws)
    assert [(week.week, week.invocations) for week in found["main"].series] == [
        ("2026-09-07", 16), ("2026-09-14", 14), ("2026-09-21", 16), ("2026-09-28", 10),
    ]  # fmt: skip
    reviewer = found["code-reviewer"].series
    assert [tuple(week.as_json().values())[1:] for week in reviewer] == [
        (6, 3, 3, 0, 0), (4, 2, 0, 2, 0), (6, 3, 0, 3, 0), (4, 2, 0, 2, 0),
    ]  # fmt: skip


def test_areas_are_those_of_the_judged_turns(ws: Workspace) -> None:
    found = _by_name(ws)
    assert (found["main"].strong_areas, found["main"].weak_areas) == (("Python",), ())
    assert (found["code-reviewer"].strong_areas, found["code-reviewer"].weak_areas) == ((), ("TypeScript",))
    assert found["test-writer"].strong_areas == (), "seven judged turns say nothing"
    assert found["code-reviewer"].areas[0].as_json() == {
        "area": "TypeScript", "success_count": 3, "failure_count": 7, "turns": 10,
    }  # fmt: skip


def test_themes_are_statements_with_the_prompts_behind_them(ws: Workspace) -> None:
    found = _by_name(ws)
    themes = found["code-reviewer"].failure_patterns
    assert [theme.count for theme in themes] == [3]
    assert themes[0].pattern == "Use pnpm instead of npm."
    assert themes[0].examples[0] == "No, use pnpm instead of npm here"
    assert len(themes[0].turn_ids) == 3
    assert found["main"].failure_patterns == found["test-writer"].failure_patterns == ()


def test_a_lesson_parts_before_from_since_at_its_minute(ws: Workspace) -> None:
    """Shop: sessions 4 (praised), 10 and 16 (corrected) before noon of the 15th day, 22 and 28 since."""
    (effect,) = _by_name(ws)["code-reviewer"].lessons
    before, since = effect.before, effect.since
    assert (before.turns, before.success_count, before.failure_count) == (3, 1, 2)
    assert (since.turns, since.success_count, since.failure_count) == (2, 0, 2)
    assert before.failures_per_turn == pytest.approx(2 / 3)
    assert since.failures_per_turn == 1.0
    assert effect.change == "too few to say"
    assert not _by_name(ws)["test-writer"].lessons


def test_figures_are_split_by_project_and_host(ws: Workspace) -> None:
    split = {
        (agent.agent_name, agent.project, agent.host): agent.total_invocations
        for agent in agent_figures.performance(ws, split=True)
    }
    assert split == {
        ("main", month.SHOP, "claude"): 29, ("main", month.BLOG, "claude"): 26,
        ("main", month.BLOG, "codex"): 1,
        ("code-reviewer", month.SHOP, "claude"): 10, ("code-reviewer", month.BLOG, "claude"): 10,
        ("test-writer", month.SHOP, "claude"): 5, ("test-writer", month.BLOG, "claude"): 4,
        ("test-writer", month.BLOG, "codex"): 1,
    }  # fmt: skip
    assert _counts(_by_name(ws, project=month.SHOP)["code-reviewer"]) == (10, 1, 4, 0)
    assert _by_name(ws, host="codex").keys() == {"main", "test-writer"}


@pytest.mark.parametrize("name", EXPECTED)
def test_every_figure_opens_the_turns_behind_it(ws: Workspace, name: str) -> None:
    figures: tuple[judged_turns.Figure, ...] = ("success", "revision", "cancellation")
    for figure, count in zip(figures, EXPECTED[name][1:], strict=True):
        found = judged_turns.turns_behind(ws, name, figure)
        assert len(found) == count
        assert all(one.turn.outcome == figure and one.turn.agent_used == name for one in found)
        assert all(one.turn.prompt.startswith("extend ledger number") for one in found)
        assert all(one.feedback is not None and one.feedback.reason for one in found)
        assert [one.turn.started for one in found] == sorted(
            (one.turn.started for one in found), reverse=True
        )


def test_unjudged_turns_and_a_project_can_be_asked_for(ws: Workspace) -> None:
    assert len(judged_turns.turns_behind(ws, "test-writer", "unknown")) == 3
    assert len(judged_turns.turns_behind(ws, "code-reviewer", "revision", project=month.SHOP)) == 4
    assert len(judged_turns.turns_behind(ws, "code-reviewer", "revision", limit=2)) == 2


def _documents(root: str) -> list[Doc]:
    return [agent.as_json() for agent in agent_figures.performance(open_workspace(root), split=True)]


@pytest.mark.slow
def test_one_by_one_or_all_at_once_is_the_same(ws: Workspace, tmp_path: Path) -> None:
    root = str(tmp_path / "slowly")
    for session in month.events():
        for event in session:
            _record(root, [event])
            if event["kind"] in ("prompt", "turn_end"):
                ingest(root, wait_s=5)
    _record(root, [month.promotion()])
    ingest(root, wait_s=5)
    assert _documents(root) == _documents(ws.root)


def test_what_two_sources_record_is_counted_once(ws: Workspace, tmp_path: Path) -> None:
    root = str(tmp_path / "twice")
    for session in month.events():
        _record(root, [copy for event in session for copy in (event, {**event, "id": f"f{event['id'][1:]}"})])
    _record(root, [month.promotion()])
    ingest(root, wait_s=5)
    assert [_bare(doc) for doc in _documents(root)] == [_bare(doc) for doc in _documents(ws.root)]


def _bare(doc: Doc) -> Doc:
    """Figures without the ids of turns, which are those of whichever copy came first."""
    themes = [{**theme, "turn_ids": len(theme["turn_ids"])} for theme in doc["failure_patterns"]]
    return {**doc, "failure_patterns": themes}


def test_a_store_older_than_its_agents_is_counted_once(ws: Workspace) -> None:
    before = _documents(ws.root)
    Path(ws.root, "store", "agents.json").unlink()
    with Store(ws.root).transaction() as tx:
        for view in tx.documents(VIEWS).all().values():
            del view["turn"]["_shares"]
            tx.documents(VIEWS).put(view["id"], view)
    _record(ws.root, Scene("later", "/code/other", month.MONDAY + 40 * month.DAY).prompt("look", "z").events)
    ingest(ws.root, wait_s=5)
    assert [doc for doc in _documents(ws.root) if doc["project"] != "/code/other"] == before


class _Cut(Exception):
    pass


@pytest.mark.parametrize("at", range(6))
@pytest.mark.slow
def test_a_crash_between_files_counts_nothing_twice(
    ws: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at: int
) -> None:
    from learnloop.store import files

    root, left, replace = str(tmp_path / "crash"), [at], files.replace

    def cut(*args: Any, **more: Any) -> Any:
        if str(args[0]).startswith(f"{root}/store/"):
            if not left[0]:
                raise _Cut
            left[0] -= 1
        return replace(*args, **more)

    days = month.events()
    _record(root, *days[:15])
    ingest(root, wait_s=5)
    _record(root, *days[15:], [month.promotion()])
    monkeypatch.setattr(files, "replace", cut)
    with pytest.raises(_Cut):
        ingest(root, wait_s=5)
    monkeypatch.setattr(files, "replace", replace)
    ingest(root, wait_s=5)
    assert _documents(root) == _documents(ws.root)


def test_a_forgotten_project_is_not_counted_and_not_named(ws: Workspace) -> None:
    report = forget.forget(ws, project=month.SHOP)
    assert report.remaining == 0
    assert {agent.project for agent in agent_figures.performance(ws, split=True)} == {month.BLOG}
    assert _counts(_by_name(ws)["main"])[0] == 27


def test_figures_travel_and_come_in_once(ws: Workspace, tmp_path: Path) -> None:
    exported = json.loads(json.dumps(exchange.export_document(ws, quotes=True)))
    other = open_workspace(str(tmp_path / "other"))
    given = {"agents": exported["agents"]}
    assert exchange.import_document(other, given).agents == 8
    assert exchange.import_document(other, given).agents == 0
    assert {name: _counts(one) for name, one in _by_name(other).items()} == EXPECTED
    assert exchange.import_document(ws, given).agents == 0
    assert {name: _counts(one) for name, one in _by_name(ws).items()} == EXPECTED


HOSTILE = ("../../etc/passwd", "\x1b[31mred\x07\u202egnp", "x" * 10_000, "[bold]a[/bold]\nb\0c")


@pytest.mark.parametrize("name", HOSTILE)
def test_an_agent_may_be_called_anything(tmp_path: Path, name: str) -> None:
    root = str(tmp_path / "home")
    scene = Scene().add("session_start", {"source": "startup"}).prompt("extend the ledger", "p1")
    scene.add("subagent_start", agent_id="a1", agent_type=name)
    scene.call("Edit", "/code/shop/a.py", agent_id="a1", agent_type=name).stop(prompt_id="p1")
    scene.prompt("no, use tabs instead of spaces", "p2", after_s=20)
    _record(root, scene.events)
    ingest(root, wait_s=5)
    found = [one for one in agent_figures.performance(open_workspace(root)) if one.agent_name != "main"]
    assert [_counts(one) for one in found] == [(1, 0, 1, 0)]
    assert len(found[0].agent_name) <= 100
    assert found[0].agent_name.replace("\N{REPLACEMENT CHARACTER}", "").isprintable()
    assert len(judged_turns.turns_behind(open_workspace(root), found[0].agent_name, "revision")) == 1
    names = {path.name for path in Path(root, "store").iterdir()}
    assert {name for name in names if not name.endswith(".json")} == {"history.db"}


def test_the_claim_of_several_agents_goes_to_one(tmp_path: Path) -> None:
    """Two subagents wrote, so it is main's; both were invoked; the steering is no second message."""
    root = str(tmp_path / "home")
    scene = Scene().prompt("extend the ledger", "p1")
    for agent in ("one", "two"):
        scene.add("subagent_start", agent_id=agent, agent_type=agent)
        scene.call("Edit", f"/code/shop/{agent}.py", agent_id=agent, agent_type=agent)
    scene.prompt("no, use tabs instead of spaces", "p1").stop(prompt_id="p1")
    scene.prompt("no, use tabs instead of spaces", "p2", after_s=20).stop(prompt_id="p2")
    _record(root, scene.events)
    ingest(root, wait_s=5)
    found = {name: _counts(one) for name, one in _by_name(open_workspace(root)).items()}
    assert found == {"main": (2, 0, 1, 0), "one": (1, 0, 0, 0), "two": (1, 0, 0, 0)}


def test_interrupted_work_counts_for_the_one_who_did_it(tmp_path: Path) -> None:
    root = str(tmp_path / "home")
    scene = Scene().prompt("extend the ledger", "p1").add("subagent_start", agent_id="a", agent_type="writer")
    scene.call("Edit", "/code/shop/a.py", agent_id="a", agent_type="writer")
    scene.add("notice", {"type": "interrupted", "message": ""}).add("session_end", {"reason": "other"})
    _record(root, scene.events)
    ingest(root, wait_s=5)
    found = {name: _counts(one) for name, one in _by_name(open_workspace(root)).items()}
    assert found == {"main": (1, 0, 0, 0), "writer": (1, 0, 0, 1)}


@pytest.mark.parametrize("per_ingest", [1, 7, pytest.param(99, marks=pytest.mark.slow)])
def test_another_month_agrees_however_often_it_is_ingested(tmp_path: Path, per_ingest: int) -> None:
    root = str(tmp_path / "home")
    other_month.play(root, per_ingest=per_ingest)
    found = _by_name(open_workspace(root))
    assert {name: _counts(found[name])[1:] for name in other_month.EXPECTED} == other_month.EXPECTED
    assert all(one.judged <= one.total_invocations for one in found.values())

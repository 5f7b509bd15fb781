"""The summary of a project by a model: where one may read along, once a day, from what the sources say."""

from pathlib import Path

import pytest

from learnloop.distill import runner
from learnloop.ingest import known_facts
from learnloop.service.facts import listing, modes
from learnloop.service.profile import project_summary
from learnloop.service.review import verdicts
from learnloop.service.workspace import Workspace
from tests.distill.model_scene import FakeModel, allow
from tests.fact_scene import IMPLIED, PROJECT, Doc, fact, facts, say

SOURCE = "Prefer functions over classes"


@pytest.fixture
def model(ws: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakeModel:
    fake = FakeModel(tmp_path / "model", monkeypatch)
    allow(ws.root)
    verdicts.add(ws, SOURCE, scope="project", project=PROJECT)
    return fake


def _line(text: str) -> Doc:
    return fact(text, file="Architecture")


def test_a_person_gets_the_models_summary_until_a_source_changes(ws: Workspace, model: FakeModel) -> None:
    model.answers(facts(_line("Functions over classes"), _line("Deploy to Kubernetes on Friday")))
    for _ in range(2):
        made = project_summary.summary(ws, PROJECT)
        assert (made.by, made.lines) == ("sonnet", {"Architecture": ("Functions over classes",)})
    assert SOURCE in model.asked[0]
    assert [(run.stage, run.prompts) for run in listing.runs(ws)] == [("summary", 1)]
    verdicts.add(ws, "Commit to a session branch", scope="project", project=PROJECT)
    model.answers(facts(_line("Commit to a session branch")))
    assert project_summary.summary(ws, PROJECT).lines == {"Architecture": ("Commit to a session branch",)}


@pytest.mark.parametrize(
    ("answer", "why"),
    [("no JSON", "words instead of JSON"), (facts(), "no line"), (facts(_line("Eat cake")), "no line")],
)
def test_fixed_rules_do_where_the_model_does_not(
    ws: Workspace, model: FakeModel, answer: Doc | str, why: str
) -> None:
    model.answers(answer)
    made = project_summary.summary(ws, PROJECT)
    assert (made.by, made.lines) == ("rules", {"Coding": (SOURCE,)})
    assert why in made.error


def test_without_consent_or_sources_no_model_is_asked(ws: Workspace, model: FakeModel) -> None:
    assert project_summary.summary(ws, "/code/empty").by == "rules"
    modes.set_mode(ws, PROJECT, "off")
    assert project_summary.summary(ws, PROJECT).by == "rules"
    assert model.seen == []


def test_a_reading_makes_it_at_first_use_and_once_a_day(ws: Workspace, model: FakeModel) -> None:
    model.answers(facts(_line("Functions over classes")), facts())
    say(ws.root, IMPLIED)
    runs = runner.run(ws.root, by_hand=True).runs
    assert [run.stage for run in runs] == ["extract"]
    assert [run.stage for run in listing.runs(ws)] == ["extract", "summary"]
    assert "Functions over classes" in model.asked[1]
    verdicts.add(ws, "Commit to a session branch", scope="project", project=PROJECT)
    say(ws.root, "the handlers log with structlog, as we agreed", session="s2")
    runner.run(ws.root, by_hand=True)
    assert [run.stage for run in listing.runs(ws)] == ["extract", "extract", "summary"]
    stored = known_facts.stored(ws.root, PROJECT)
    assert stored is not None
    assert stored.by == "rules"

"""A check is proposed in calls of its own, held against acts from a call without it, and only offered."""

import json
from pathlib import Path
from typing import Any

import pytest
from scripts import check_answers

from learnloop.cli.main import main
from learnloop.ingest import start_reading
from learnloop.models import Lesson
from learnloop.service import workspace
from learnloop.service.facts import asking, check_proposals, listing, modes
from learnloop.service.history import undo
from learnloop.service.lessons import documents
from learnloop.service.review import verdicts
from learnloop.service.transfer import forget
from learnloop.service.workspace import Workspace, open_workspace
from learnloop_tui.bridge import lesson_insights
from tests.cli.store import Learn
from tests.distill.model_scene import FakeModel
from tests.fact_scene import BRANCH, IMPLIED, PROJECT, item, reading, say

Doc = dict[str, Any]
NARROW = {"check": [{"form": "never", "act": [{"on": "command", "runs": ["git push"], "has": ["main"]}]}]}
WIDE = {"check": [{"form": "never", "act": [{"on": "command", "runs": ["git push"]}]}]}
ACTS = {
    "breaks": [[{"run": "git push origin main"}], [{"run": "git checkout main && git push origin main"}]],
    "keeps": [[{"run": "git push origin session-3"}], [{"run": "grep -rn 'git push origin main' docs"}]],
}

FINE = {
    "breaks": [[{"run": "git push -u origin main"}]], "keeps": [[{"run": "git push -u origin x"}]],
}  # fmt: skip


@pytest.fixture
def model(ws: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakeModel:
    monkeypatch.setattr(start_reading, "start", lambda root: False)
    return FakeModel(tmp_path / "model", monkeypatch)


@pytest.fixture
def draft(ws: Workspace, model: FakeModel) -> Lesson:
    """A draft that a model read, in a project where one may read along."""
    say(ws.root, "add the order endpoint")
    workspace.ingest(ws)
    modes.set_mode(ws, PROJECT, "draft")
    say(ws.root, IMPLIED)
    model.answers(reading(item(BRANCH)))
    asking.run_now(ws)
    (name,) = documents.lessons(ws.root)
    return documents.find(ws, name)


def test_a_check_is_offered_with_its_trial_and_stays_an_offer(
    ws: Workspace, draft: Lesson, model: FakeModel
) -> None:
    assert check_proposals.proposed(ws, draft) is None, "it is asked in the background"
    model.answers(NARROW, ACTS, FINE)
    asking.run_now(ws)
    offered = check_proposals.proposed(ws, draft)
    assert offered
    lesson, trial = offered
    assert trial.check == ("never run `git push` with main",)
    assert (lesson.stops, lesson.reminds, trial.calls) == (True, False, 0)
    assert documents.find(ws, draft.id).check == ()
    check, acts, faults = model.asked[1:]
    assert BRANCH in check
    assert IMPLIED in check
    assert "api/orders.py" in check
    assert "session-3" not in check
    assert '"runs": ["git push"]' not in acts
    assert "never run `git push` with main" in faults
    assert [run.stage for run in listing.runs(ws)[:3]] == ["acts", "acts", "check"]


def test_a_lesson_in_use_gets_a_proposed_check_as_the_person_says(
    ws: Workspace, draft: Lesson, model: FakeModel
) -> None:
    verdicts.promote(ws, draft.id)
    check_proposals.want(ws, draft)
    model.answers(NARROW, ACTS, FINE)
    asking.run_now(ws)
    before = len(model.asked)
    looked_at = lesson_insights.choice(ws, draft.id, asks=False)
    assert looked_at is not None
    assert looked_at is lesson_insights.choice(ws, draft.id), "it is tried once"
    assert len(model.asked) == before
    assert main(["check", draft.id, "--take", "--remind"]) == 0
    held = documents.find(ws, draft.id)
    assert (held.stops, held.reminds) == (False, True)
    assert [rule.words for rule in held.check] == list(looked_at.trial.check)


def test_only_a_person_has_a_call_stopped_every_time(ws: Workspace, draft: Lesson, model: FakeModel) -> None:
    check_proposals.want(ws, draft)
    model.answers({"check": [{**NARROW["check"][0], "every": True}]}, ACTS)
    asking.run_now(ws)
    offered = check_proposals.proposed(ws, draft)
    assert offered
    assert offered[0].as_json()["check"] == NARROW["check"]


def test_what_contradicts_the_acts_is_asked_for_once_more(
    ws: Workspace, draft: Lesson, model: FakeModel
) -> None:
    check_proposals.want(ws, draft)
    model.answers(WIDE, ACTS, NARROW)
    asking.run_now(ws)
    assert "keeps to it, but is stopped" in model.asked[-1]
    offered = check_proposals.proposed(ws, draft)
    assert offered
    assert offered[0].as_json()["check"] == NARROW["check"]


def test_a_call_that_sees_the_check_looks_for_its_faults(
    ws: Workspace, draft: Lesson, model: FakeModel
) -> None:
    check_proposals.want(ws, draft)
    faults = {
        "breaks": [[{"run": "git push origin HEAD:main"}]],
        "keeps": [[{"run": "git push origin main --dry-run"}], [{"run": "git push main session-3"}]],
    }
    act = {"on": "command", "runs": ["git push"], "has": ["main", "*:main"], "lacks": ["--dry-run"]}
    model.answers(NARROW, ACTS, faults, {"check": [{"form": "never", "act": [act]}]})
    asking.run_now(ws)
    assert "HEAD:main" in model.asked[-1]
    offered = check_proposals.proposed(ws, draft)
    assert offered
    assert [rule.words for rule in offered[0].check] == [
        "never run `git push` with main or *:main without --dry-run"
    ]


def test_a_failing_call_for_faults_leaves_what_was_tried(
    ws: Workspace, draft: Lesson, model: FakeModel
) -> None:
    check_proposals.want(ws, draft)
    model.answers(NARROW, ACTS, "no")
    asking.run_now(ws)
    assert check_proposals.proposed(ws, draft)


def test_what_is_proposed_is_the_lessons_own_once_the_person_says_how_it_binds(
    ws: Workspace, draft: Lesson, model: FakeModel
) -> None:
    check_proposals.want(ws, draft)
    model.answers(NARROW, ACTS, FINE)
    asking.run_now(ws)
    choice = check_proposals.choice(ws, draft.id)
    assert choice
    assert (choice.ways, choice.recommended) == (("stop", "remind", "tell", "always"), "stop")
    verdicts.promote(ws, draft.id, way="remind", check=choice.proposed)
    kept = documents.find(ws, draft.id)
    assert (kept.status, kept.stops, kept.reminds) == ("active", False, True)
    assert kept.as_json()["check"] == NARROW["check"]
    undo.undo(ws)
    assert documents.find(ws, draft.id).check == ()


@pytest.mark.parametrize("second", [WIDE, {"check": [{"form": "never", "act": [{"on": "x"}]}]}])
def test_a_check_that_contradicts_the_acts_is_not_kept(
    ws: Workspace, draft: Lesson, model: FakeModel, second: Doc
) -> None:
    check_proposals.want(ws, draft)
    model.answers(WIDE, ACTS, second)
    asking.run_now(ws)
    assert check_proposals.proposed(ws, draft) is None
    assert len(model.asked) == 4
    asking.run_now(ws)
    assert len(model.asked) == 4, "it is not asked about again"


SECRET = {"on": "say", "text": ["ghp_" + "a1b2c3d4e5f6" * 3]}


@pytest.mark.parametrize(
    "bad",
    ["no", {"check": 1}, {"check": [{"form": "never", "act": []}]},
     {"check": [{"form": "never", "act": [SECRET]}]}],
)  # fmt: skip
def test_what_cannot_be_read_is_shown_to_the_model_or_comes_to_nothing(
    ws: Workspace, draft: Lesson, model: FakeModel, bad: object
) -> None:
    check_proposals.want(ws, draft)
    model.answers(bad, ACTS, NARROW)
    asking.run_now(ws)
    offered = check_proposals.proposed(ws, draft)
    assert (offered is None) == (bad == "no")
    assert "refused" in model.asked[-1] or bad == "no"


def test_without_consent_nothing_is_asked(ws: Workspace, draft: Lesson, model: FakeModel) -> None:
    check_proposals.want(ws, draft)
    modes.set_mode(ws, PROJECT, "off")
    asking.run_now(ws)
    assert check_proposals.proposed(ws, draft) is None
    assert not check_proposals.want(ws, draft)
    assert len(model.asked) == 1


def test_the_budget_of_the_day_holds_and_the_wish_stays(
    ws: Workspace, draft: Lesson, model: FakeModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    check_proposals.want(ws, draft)
    monkeypatch.setenv("LEARNLOOP_FACTS_CALLS_PER_DAY", "1")
    asking.run_now(open_workspace(ws.root))
    assert len(model.asked) == 1
    monkeypatch.setenv("LEARNLOOP_FACTS_CALLS_PER_DAY", "9")
    model.answers(NARROW, ACTS, FINE)
    asking.run_now(open_workspace(ws.root))
    assert check_proposals.proposed(ws, draft)


def test_other_words_are_asked_about_anew_and_forgetting_takes_all(
    ws: Workspace, draft: Lesson, model: FakeModel
) -> None:
    check_proposals.want(ws, draft)
    model.answers(NARROW, ACTS, FINE)
    asking.run_now(ws)
    assert check_proposals.proposed(ws, draft.with_(statement="Commit to main")) is None
    forget.forget(ws, project=PROJECT)
    assert list(Path(ws.root, "facts", "checks").glob("*")) == []


def test_requests_are_printed_and_answers_are_taken_without_a_call() -> None:
    asked = list(check_answers.asked([json.dumps({"id": "a", "lesson": BRANCH})]))
    assert [line["stage"] for line in asked] == ["check", "acts"]
    answered = [
        json.dumps({**line, "answer": given}) for line, given in zip(asked, (WIDE, ACTS), strict=True)
    ]
    (first,) = check_answers.of_answers(answered)
    assert (first["id"], first["check"], first["stage"]) == ("a", [], "check")
    mended = json.dumps({**first, "about": asked[0]["about"], "answer": NARROW})
    (second,) = check_answers.of_answers([*answered, mended])
    assert second == {"id": "a", "check": NARROW["check"]}


@pytest.mark.parametrize(
    ("check", "turn", "hit"),
    [
        ({"form": "due", "act": [{"on": "write", "files": ["<source>"]}],
          "then": [{"on": "command", "runs": ["<tests>"]}], "passing": True},
         [{"write": "a.py", "text": "x"}, {"run": "pytest", "result": "1 failed"}], True),
        ({"form": "before", "act": [{"on": "say", "text": ["fixed"]}],
          "then": [{"on": "command", "runs": ["make"]}], "since": "edit"},
         [{"run": "make"}, {"write": "a.py", "text": "x", "old": "y"}, {"say": "fixed"}], True),
        ({"form": "never", "act": [{"on": "tool", "runs": ["mcp__x__*"], "text": ["/etc"]}]},
         [{"call": "mcp__x__read", "input": {"path": "/etc"}}], True),
        ({"form": "never", "act": [{"on": "read", "files": [".env"]}]}, [{"read": ".env.example"}], False),
    ],
)  # fmt: skip
def test_acts_are_played_as_hooks_see_them(check: Doc, turn: list[Doc], hit: bool) -> None:
    examples = {"breaks": [turn], "keeps": [[{"run": "ls"}]]}
    lines = [
        {"id": "a", "stage": "check", "about": {}, "answer": {"check": [check]}},
        {"id": "a", "stage": "acts", "about": {}, "answer": examples},
    ]
    (outcome,) = check_answers.of_answers(map(json.dumps, lines))
    assert bool(outcome["check"]) is hit


def test_on_the_command_line_it_is_shown_and_taken_with_one_word(
    ws: Workspace, draft: Lesson, model: FakeModel, capsys: pytest.CaptureFixture[str]
) -> None:
    learn = Learn(capsys)
    assert learn("check", draft.id) == 0
    assert "No check" in learn.err
    model.answers(NARROW, ACTS, FINE)
    asking.run_now(ws)
    assert learn("check", draft.id) == 0
    assert "Never run `git push` with main" in learn.out
    assert "--take" in learn.err
    assert documents.find(ws, draft.id).check == ()
    assert learn("check", draft.id, "--take") == 0
    lesson = documents.find(ws, draft.id)
    assert (lesson.as_json()["check"], lesson.stops) == (NARROW["check"], True)

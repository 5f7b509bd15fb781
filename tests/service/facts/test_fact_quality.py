"""How good the facts are: counted from the person's verdicts, and tried on labelled prompts."""

import json
from pathlib import Path

import pytest

from learnloop.errors import Unreadable
from learnloop.service import workspace
from learnloop.service.facts import fact_quality, listing
from learnloop.service.review import verdicts
from learnloop.service.workspace import Workspace
from tests.distill.model_scene import FakeModel
from tests.fact_scene import answer, fact, facts, say

SAID = (
    "the branch of a session is committed to, never main", "handlers log with structlog in this shop",
    "prices are integers of cents in every table",
)  # fmt: skip
FACTS = ("Commit to the branch of a session", "Handlers log with structlog", "Prices are integers of cents")


@pytest.fixture
def scored(ws: Workspace) -> Workspace:
    """Three drafts, and a fact that rests on nothing."""
    say(ws.root, *SAID)
    found = [fact(text, f"p{number}") for number, text in enumerate(FACTS, 1)]
    answer(ws, facts(*found, fact("Deploy to Kubernetes on every Friday")))
    answer(ws, facts(*(fact(text, f"f{number}") for number, text in enumerate(FACTS, 1))))
    return ws


def _ids(ws: Workspace) -> list[str]:
    return [each.lesson_id for text in FACTS for each in listing.facts(ws) if each.text == text][:3]


def test_verdicts_decide_what_a_fact_was_worth(scored: Workspace) -> None:
    first, second, third = _ids(scored)
    verdicts.promote(scored, first)
    verdicts.promote(scored, second, "Handlers log with structlog, never print.")
    verdicts.reject(scored, third)
    [whole, *groups] = fact_quality.scores(scored)
    assert (whole.by, whole.facts, whole.unsupported) == ("all", 4, 1)
    assert (whole.drafts, whole.accepted, whole.edited, whole.rejected, whole.waiting) == (3, 2, 1, 1, 0)
    assert whole.drafts_per_kept == 1.5
    assert whole.interval is not None
    assert whole.interval.low < 2 / 3 < whole.interval.high
    assert {(each.by, each.name) for each in groups} >= {("kind", "correction"), ("model", "haiku → sonnet")}


def test_without_a_verdict_no_share_is_claimed(scored: Workspace) -> None:
    [whole, *_] = fact_quality.scores(scored)
    assert (whole.waiting, whole.accepted_share, whole.interval, whole.drafts_per_kept) == (
        3,
        None,
        None,
        None,
    )


def _labelled(*rows: tuple[str, tuple[str, ...]]) -> list[str]:
    return [json.dumps({"text": text, "facts": found}) for text, found in rows]


def test_any_model_is_tried_on_labelled_prompts(
    ws: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = FakeModel(tmp_path / "model", monkeypatch)
    model.answers(facts(fact(FACTS[0]), fact("Log in handlers", "p2"), fact("Deploy on Friday", "p2")))
    lines = _labelled((SAID[0], FACTS[:1]), (SAID[1], ()), (SAID[2], FACTS[2:]))
    score = fact_quality.trial(ws, lines, (), "tiny")
    assert (score.labelled, score.found, score.facts, score.unsupported, score.beside) == (2, 1, 3, 1, 1)
    assert (score.calls, score.failed, score.cost_usd) == (1, 0, None)
    workspace.ingest(ws)
    assert [(run.stage, run.model) for run in listing.runs(ws)] == [("extract", "tiny")]


@pytest.mark.parametrize("line", ["no JSON", "[]", '{"text": 1, "facts": []}', '{"text": "x"}'])
def test_a_line_without_labels_is_refused_before_anything_is_asked(ws: Workspace, line: str) -> None:
    with pytest.raises(Unreadable, match="line 1"):
        fact_quality.trial(ws, [line], (), "")

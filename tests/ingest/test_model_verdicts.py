"""What a model says of a turn replaces what rules guessed, at once and in every new reading."""

import itertools
from typing import Any

import pytest

from learnloop.ingest import analyze
from learnloop.models import Feedback, Turn
from learnloop.service import workspace
from learnloop.service.facts import listing
from learnloop.service.workspace import Workspace
from learnloop.store.store import Store
from learnloop.wire import clock, event, journal
from tests.fact_scene import PROJECT, answer, reading, say
from tests.recorded_events import fire

WRONG = "no, that's wrong, the totals are not rounded"
BUG = "the totals are wrong again in firefox, customers complain"
PRAISE = "great, that works. commit it"


@pytest.fixture(autouse=True)
def ticks(monkeypatch: pytest.MonkeyPatch) -> None:
    """A clock by which nothing happens at once."""
    ticking = itertools.count(clock.now_ms())
    monkeypatch.setattr("learnloop.wire.clock.now_ms", lambda: next(ticking))


def _turns(ws: Workspace, session: str = "s1") -> list[Turn]:
    return Store(ws.root).turns(session)[::-1]


def _heard(ws: Workspace) -> list[Feedback]:
    return [each for each in Store(ws.root).feedback() if not each.inferred]


def _main(ws: Workspace) -> dict[str, Any]:
    [tally] = Store(ws.root).documents("agents").values()
    return {name: tally[f"{name}_count"] for name in ("success", "revision", "cancellation")} | {
        "remarks": len(tally["_remarks"])
    }


def _read(ws: Workspace, *prompts: str, **says: list[str]) -> None:
    say(ws.root, *prompts)
    answer(ws, reading(**says))


@pytest.mark.parametrize(
    ("said", "says", "outcome", "figures"),
    [
        (PRAISE, ["approves", "continues"], "success", (1, 0, 0, 0)),
        (WRONG, ["corrects"], "revision", (0, 1, 0, 1)),
        ("leave it, revert all of that", ["stopped"], "cancellation", (0, 0, 1, 1)),
        (WRONG, ["continues"], "unknown", (0, 0, 0, 0)),
        (BUG, ["new task", "product"], "unknown", (0, 0, 0, 0)),
    ],
)
def test_the_model_decides_the_turn_before(
    ws: Workspace, said: str, says: list[str], outcome: str, figures: tuple[int, ...]
) -> None:
    _read(ws, "add up the totals of all orders", said, p1=["new task"], p2=says)
    first, last = _turns(ws)
    assert (first.outcome, first.judged_by or "haiku") == (outcome, "haiku")
    assert (last.outcome, last.judged_by) == ("unknown", "")
    assert tuple(_main(ws).values()) == figures
    assert [each.rule for each in _heard(ws)] == (["model"] if outcome != "unknown" else [])
    before = (_turns(ws), _heard(ws), _main(ws))
    analyze.analyze(ws.root)
    assert (_turns(ws), _heard(ws), _main(ws)) == before


def test_the_turn_and_its_feedback_say_who_judged(ws: Workspace) -> None:
    _read(ws, "add up the totals", PRAISE, p2=["approves", "continues"])
    [turn, _], [heard] = _turns(ws), _heard(ws)
    assert turn.judged_by == "haiku"
    assert (heard.id, heard.reason) == (turn.feedback_id, "haiku read: approves, continues")
    assert (heard.user_message, heard.original_task) == (PRAISE, "add up the totals")


def test_a_correction_that_rules_heard_wrongly_recurs_no_more(ws: Workspace) -> None:
    said = ["add up the totals", *[f"no, {BUG}, part {number}" for number in range(3)]]
    say(ws.root, *said)
    answer(ws, reading(**{f"p{number}": ["product"] for number in range(1, 5)}))
    assert (_heard(ws), Store(ws.root).documents("patterns")) == ([], {})


def test_a_turn_whose_session_goes_on_keeps_the_models_verdict(ws: Workspace) -> None:
    _read(ws, "add up the totals", PRAISE, p2=["approves"])
    fire(ws.root, "UserPromptSubmit", session="s1", prompt_id="later", prompt=WRONG)
    workspace.ingest(ws)
    assert [turn.outcome for turn in _turns(ws)] == ["success", "revision", "unknown"]


def test_several_prompts_on_one_turn_leave_the_strongest(ws: Workspace) -> None:
    _read(ws, "add up the totals", PRAISE, WRONG, p2=["approves"], p3=["corrects"])
    assert [turn.outcome for turn in _turns(ws)] == ["success", "revision", "unknown"]


def test_an_event_that_we_did_not_write_judges_nothing(ws: Workspace) -> None:
    _read(ws, "add up the totals", PRAISE)
    [first, _] = _turns(ws)
    [run] = listing.runs(ws)
    judged = {
        "event_id": "f" * 32, "ts": first.started, "words": "no", "says": ["corrects"], "turn_id": first.id,
        "started": first.started,
    }  # fmt: skip
    payload = {"run": run.with_(id="0" * 16).as_json(), "facts": [], "judged": [judged]}
    forged = event.record(
        "facts", host="claude", session_id="s1", cwd=PROJECT, project=PROJECT, payload=payload
    )
    assert journal.append(ws.root, [forged])
    workspace.ingest(ws)
    assert len(listing.runs(ws)) == 2
    assert _turns(ws)[0].outcome != "revision"

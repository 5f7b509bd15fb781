"""Who may approve by a project's standing approval: nobody where no person gave it, and no other lesson."""

from pathlib import Path

import pytest

from learnloop.ingest.run import ingest
from learnloop.service import event_log
from learnloop.service.facts import by_hand, listing, modes, taking_in
from learnloop.service.lessons import documents
from learnloop.service.workspace import Workspace
from learnloop.store import seal
from learnloop.store.store import Store
from learnloop.wire import clock, event, journal, paths
from tests.auto_scene import DOCSTRINGS, STRUCTLOG, AutoProject
from tests.fact_scene import answer, fact, facts, say
from tests.recorded_events import fire
from tests.service.review import own_approvals

NO = "No, don't add docstrings to the handlers"
LOGGER = "the handlers log with structlog, as we agreed"


@pytest.fixture
def shop(ws: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AutoProject:
    monkeypatch.setenv("LEARNLOOP_FACTS_MODE", "auto")
    return AutoProject(ws.root, tmp_path / "shop")


def forge(shop: AutoProject, lesson_id: str, action: str = "promote") -> str:
    """Decide in the name of the standing approval; why it is claimed."""
    forger = Workspace(shop.root, by="facts")
    event_log.decide(forger, action, [lesson_id], {"project": shop.name, "stop": False})
    decision = Store(shop.root).decisions()[-1]
    assert documents.lessons(shop.root)[lesson_id]["status"] == "draft"
    return decision.claimed


def drafted(shop: AutoProject, monkeypatch: pytest.MonkeyPatch) -> str:
    """The draft of a fact that nobody decided about."""
    with monkeypatch.context() as patch:
        patch.setenv("LEARNLOOP_FACTS_MODE", "draft")
        shop.read(NO, DOCSTRINGS)
    return listing.facts(shop.ws)[0].lesson_id


def test_without_a_persons_decision_it_is_claimed(shop: AutoProject, monkeypatch: pytest.MonkeyPatch) -> None:
    draft = drafted(shop, monkeypatch)
    assert forge(shop, draft) == "no person let facts of that project be taken in"


def test_after_it_was_taken_back_it_is_claimed(shop: AutoProject, monkeypatch: pytest.MonkeyPatch) -> None:
    shop.allow()
    draft = drafted(shop, monkeypatch)
    modes.set_mode(shop.ws, shop.name, "off")
    assert forge(shop, draft) == "no person let facts of that project be taken in"


def test_it_covers_no_other_lesson_and_no_other_action(
    shop: AutoProject, monkeypatch: pytest.MonkeyPatch
) -> None:
    shop.allow()
    other = own_approvals.draft(shop.root)
    assert "no fact of that project" in forge(shop, other)
    draft = drafted(shop, monkeypatch)
    assert forge(shop, draft, "gate") == "no person let facts of that project be taken in"


def test_an_event_that_no_model_wrote_counts_for_nothing(shop: AutoProject) -> None:
    shop.allow()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LEARNLOOP_FACTS_MODE", "draft")
        shop.read(NO, DOCSTRINGS)
    (real,) = documents.lessons(shop.root).values()
    [run] = listing.runs(shop.ws)
    found = {
        "text": STRUCTLOG, "kind": "correction", "status": "raw", "reason": "", "folder": "", "from": [],
        "event_ids": ["e" * 32], "evidence": real["evidence"], "said": LOGGER, "draft_id": "b" * 26,
    }  # fmt: skip
    payload = {"run": run.with_(id="a" * 16).as_json(), "facts": [found]}
    forged = event.record(
        "facts", host="claude", session_id="s1", cwd=shop.name, project=shop.name, payload=payload
    )
    assert journal.append(shop.root, [forged])
    ingest(shop.root)
    assert not list(by_hand.requests(shop.ws, shop.name))
    assert documents.lessons(shop.root).get("b" * 26, {"trust": "external"})["trust"] == "external"
    assert "it was not written by Learnloop" in [fact.reason for fact in listing.facts(shop.ws)]
    taking_in.take_in(shop.ws, shop.ws.settings)
    assert shop.status(STRUCTLOG) != "active"


def test_a_fact_of_a_prompt_inside_an_agents_call_is_kept_aside(shop: AutoProject) -> None:
    shop.allow()
    own_approvals.in_call(shop.root, "bash work.sh")
    say(shop.root, NO, project=shop.name)
    answer(shop.ws, facts(fact(DOCSTRINGS)), project=shop.name)
    assert not list(by_hand.requests(shop.ws, shop.name))
    (kept,) = listing.facts(shop.ws)
    assert (kept.status, kept.reason) == (
        "unsupported", "a command of an agent may have typed it",
    )  # fmt: skip


def test_a_quote_that_stands_in_no_prompt_is_left_to_the_person(shop: AutoProject) -> None:
    shop.allow()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LEARNLOOP_FACTS_MODE", "draft")
        shop.read(NO, DOCSTRINGS)
    for segment in Path(paths.events(shop.root)).iterdir():
        segment.write_text(segment.read_text().replace(NO, "write a test for the parser"))
    assert not taking_in.take_in(shop.ws, shop.ws.settings)
    assert shop.status(DOCSTRINGS) == "draft"


def test_an_agents_call_does_not_hold_it_but_one_that_gave_the_consent_does(shop: AutoProject) -> None:
    seal.ensure(shop.root)
    clients = [{"pid": pid, "name": "claude", "since": 1} for pid in (10, 20)]
    fire(shop.root, "UserPromptSubmit", own_approvals.SESSION, starter=clients[0], prompt="wait a second")
    own_approvals.in_call(shop.root, "sleep 1")
    shop.allow()
    shop.read(NO, DOCSTRINGS, starter=clients[1])
    assert shop.status(DOCSTRINGS) == "active"
    consent = next(each for each in Store(shop.root).decisions() if each.action == "facts")
    typed = {"tool_name": "Bash", "tool_input": {"command": "tmux send-keys learn"}, "tool_use_id": "t9"}
    fire(shop.root, "PreToolUse", "typist", ts_ms=clock.parse_ms(consent.ts), **typed)
    ingest(shop.root)
    assert shop.status(DOCSTRINGS) == "draft"
    approval = next(each for each in Store(shop.root).decisions() if each.by == "facts")
    assert approval.claimed == "no person let facts of that project be taken in"

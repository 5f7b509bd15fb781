"""The pipeline without a call: requests are written out, answers come from a file."""

import json

import pytest

from learnloop.service import workspace
from learnloop.service.facts import by_hand, listing
from learnloop.service.lessons import documents
from learnloop.service.review import verdicts
from learnloop.service.workspace import Workspace
from tests.fact_scene import IMPLIED, answer, asked, fact, facts, say

BRANCH = "Commit to a session branch, never to main"


def test_an_implied_correction_becomes_a_draft_with_its_verbatim_quote(ws: Workspace) -> None:
    say(ws.root, "add the order endpoint to the api", IMPLIED)
    answer(ws, facts(fact(BRANCH, "p2")))
    assert [each.status for each in listing.facts(ws)] == ["raw"]
    answer(ws, facts(fact(BRANCH, ["f1"], file="LEARNED.md")))
    [stored] = listing.facts(ws)
    [lesson] = documents.lessons(ws.root).values()
    assert (stored.status, stored.lesson_id) == ("draft", lesson["id"])
    assert (lesson["statement"], lesson["source"], lesson["trust"]) == (f"{BRANCH}.", "synthesis", "user")
    assert [seen["quote"] for seen in lesson["evidence"]] == [IMPLIED]
    assert lesson["evidence"][0]["files"] == ["/code/shop/api/orders.py"]
    assert [(run.stage, run.facts) for run in listing.runs(ws)] == [("merge", 1), ("extract", 1)]
    assert asked(ws) == []


@pytest.mark.parametrize(
    "prompt",
    [
        "I think that the renderLayers call should remain in sketch.js. create one rendering pattern",
        "use structlog here:\n```\nraise ItBroke\n```\n\nno print calls in the handlers — it is noisy",
        "- use structlog\n- no print calls in the handlers; they’re noisy",
    ],
)
def test_every_quote_stands_in_the_prompt(ws: Workspace, prompt: str) -> None:
    say(ws.root, prompt)
    [request] = asked(ws)
    assert "ItBroke" not in request["text"]
    texts = ("Use structlog", "No print calls in the handlers", "One rendering pattern in sketch.js")
    answer(ws, facts(*map(fact, texts)))
    raw = [each for each in listing.facts(ws) if each.status == "raw"]
    names = [f"f{number}" for number in range(1, len(raw) + 1)]
    answer(ws, facts(*(fact(each.text, names) for each in raw)))
    quotes = [seen["quote"] for doc in documents.lessons(ws.root).values() for seen in doc["evidence"]]
    assert quotes
    assert all(quote in prompt for quote in quotes)


def test_a_prompt_is_read_once(ws: Workspace) -> None:
    say(ws.root, IMPLIED)
    [request] = asked(ws)
    line = json.dumps({**request, "answer": facts()})
    assert by_hand.take_answers(ws, [line, line]).known == 1
    assert asked(ws) == []


def test_only_what_people_typed_is_asked_about(ws: Workspace) -> None:
    say(ws.root, "yes do", "<task-notification>the build of main failed again</task-notification>", IMPLIED)
    [request] = asked(ws)
    assert list(request["items"]) == ["p1"]
    assert "task-notification" not in request["text"]
    assert "Done." not in request["text"]


def test_a_fact_joins_the_draft_that_rules_made_of_the_same_words(ws: Workspace) -> None:
    say(ws.root, "write the client", "No, don't add docstrings to handlers")
    workspace.ingest(ws)
    [by_rules] = documents.lessons(ws.root).values()
    answer(ws, facts(fact("Handlers have no docstrings", "p2")))
    answer(ws, facts(fact("Handlers have no docstrings", ["f1"])))
    [lesson] = documents.lessons(ws.root).values()
    [stored] = listing.facts(ws)
    assert (stored.status, stored.lesson_id) == ("draft", lesson["id"])
    assert lesson["id"] == by_rules["id"]
    assert lesson["statement"] == by_rules["statement"]


def test_a_rejected_lesson_stays_rejected_and_is_counted(ws: Workspace) -> None:
    say(ws.root, "write the client", "No, don't add docstrings to handlers")
    workspace.ingest(ws)
    [lesson] = documents.lessons(ws.root).values()
    verdicts.reject(ws, lesson["id"])
    say(ws.root, "you added docstrings to the handlers again", session="s2")
    again, first = fact("No docstrings in the handlers", "p1"), fact("Don't add docstrings to handlers", "p2")
    answer(ws, facts(first), facts(again))
    [rejected] = documents.lessons(ws.root).values()
    assert (rejected["status"], rejected["held_back"]) == ("rejected", 1)
    assert {each.status for each in listing.facts(ws)} == {"refused"}


def test_what_the_prompt_does_not_say_is_kept_aside(ws: Workspace) -> None:
    say(ws.root, IMPLIED)
    answer(ws, facts(fact("Deploy with terraform on Fridays"), fact(BRANCH, "p9")))
    by_text = {each.text: each for each in listing.facts(ws)}
    assert {each.status for each in by_text.values()} == {"unsupported"}
    assert "half" in by_text["Deploy with terraform on Fridays"].reason
    assert asked(ws) == []


def test_a_module_is_one_that_the_session_wrote_in(ws: Workspace) -> None:
    say(ws.root, "in the api use the event bus for hooks", "the web pages use plain css, not tailwind")
    stage_one = facts(fact("Use the event bus for hooks"), fact("Web pages use plain css", "p2"))
    answer(ws, stage_one)
    api = fact("Use the event bus for hooks", ["f1"], file="api/AGENTS.md")
    web = fact("Web pages use plain css", ["f2"], file="../web/AGENTS.md")
    answer(ws, facts(api, web))
    folders = {each.text: each.folder for each in listing.facts(ws) if each.status == "draft"}
    assert folders == {"Use the event bus for hooks": "api", "Web pages use plain css": ""}
    scopes = {(doc["scope"], doc["path"]) for doc in documents.lessons(ws.root).values()}
    assert scopes == {("module", "api"), ("project", "")}


def test_a_merged_fact_has_the_evidence_of_all(ws: Workspace) -> None:
    say(ws.root, "stop adding print calls to handlers", "again a print in the handlers, use the logger")
    answer(ws, facts(fact("No print calls in handlers"), fact("Handlers use the logger", "p2")))
    answer(ws, facts(fact("Handlers use the logger, no print calls", ["f1", "f2"], file="LEARNED.md")))
    merged = [each for each in listing.facts(ws) if each.status == "draft"]
    lesson = documents.lessons(ws.root)[merged[0].lesson_id]
    assert len(lesson["evidence"]) == 2
    assert sorted(each.status for each in listing.facts(ws)) == ["draft", "merged", "merged"]

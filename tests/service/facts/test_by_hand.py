"""The pipeline without a call: requests are written out, answers come from a file."""

import json

import pytest

from learnloop.service import workspace
from learnloop.service.facts import by_hand, listing
from learnloop.service.lessons import documents
from learnloop.service.review import verdicts
from learnloop.service.workspace import Workspace
from tests.fact_scene import IMPLIED, answer, asked, fact, facts, item, reading, say

BRANCH = "Commit to a session branch, never to main"


def test_an_implied_correction_becomes_a_draft_with_its_verbatim_quote(ws: Workspace) -> None:
    say(ws.root, "add the order endpoint to the api", IMPLIED)
    answer(ws, reading(item(BRANCH, "p2")))
    [stored] = listing.facts(ws)
    [lesson] = documents.lessons(ws.root).values()
    assert (stored.status, stored.lesson_id) == ("draft", lesson["id"])
    assert (lesson["statement"], lesson["source"], lesson["trust"]) == (f"{BRANCH}.", "synthesis", "user")
    assert [seen["quote"] for seen in lesson["evidence"]] == [IMPLIED]
    assert lesson["evidence"][0]["files"] == ["/code/shop/api/orders.py"]
    assert [(run.stage, run.facts) for run in listing.runs(ws)] == [("extract", 1)]
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
    answer(ws, reading(*map(item, texts)))
    quotes = [seen["quote"] for doc in documents.lessons(ws.root).values() for seen in doc["evidence"]]
    assert quotes
    assert all(quote in prompt for quote in quotes)


def test_a_prompt_is_read_once(ws: Workspace) -> None:
    say(ws.root, IMPLIED)
    [request] = asked(ws)
    line = json.dumps({**request, "answer": facts()})
    assert by_hand.take_answers(ws, [line, line]).known == 1
    assert asked(ws) == []


def test_a_fact_words_the_draft_that_rules_made_of_the_same(ws: Workspace) -> None:
    say(ws.root, "write the client", "No, don't add docstrings to handlers")
    workspace.ingest(ws)
    [by_rules] = documents.lessons(ws.root).values()
    answer(ws, reading(item("Handlers have no docstrings", "p2")))
    [lesson] = documents.lessons(ws.root).values()
    [stored] = listing.facts(ws)
    assert (stored.status, stored.lesson_id) == ("draft", lesson["id"])
    assert lesson["id"] == by_rules["id"]
    assert lesson["statement"] == "Handlers have no docstrings."


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


def test_facts_of_two_sessions_that_are_near_are_joined_by_the_second_stage(ws: Workspace) -> None:
    say(ws.root, "the handlers of orders log errors with structlog")
    answer(ws, reading(item("In handlers of orders, log errors with structlog")))
    say(ws.root, "requests are logged at debug level in the handlers of orders", session="s2")
    answer(ws, reading(item("In handlers of orders, log requests at debug level")))
    [request] = asked(ws)
    assert (request["stage"], len(request["items"])) == ("merge", 2)
    joined = "In handlers of orders, log errors with structlog and requests at debug level"
    answer(ws, facts(fact(joined, ["f1", "f2"], file="LEARNED.md")))
    joined_fact = next(each for each in listing.facts(ws) if each.text == joined)
    lesson = documents.lessons(ws.root)[joined_fact.lesson_id]
    assert (lesson["statement"], len(lesson["evidence"])) == (f"{joined}.", 2)
    assert sorted(each.status for each in listing.facts(ws)) == ["draft", "draft", "merged"]
    assert asked(ws) == []

"""A model reads along through the real client: shielded, short, and without a trace."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.conftest import NewLab
from tests.e2e.lab import LEARN, Lab, Play

pytestmark = pytest.mark.e2e
HOUSE_RULE = "THE-RULE-OF-THE-HOUSE"


@pytest.fixture(scope="module")
def lab(new_lab: NewLab) -> Lab:
    return new_lab("recorded")  # the recorder takes no blanks in its path


@pytest.fixture(scope="module")
def played(lab: Lab, client: Path) -> Play:
    rules = f"for folder in ~/.claude .; do echo {HOUSE_RULE} > $folder/CLAUDE.md; done"
    path = f"{client}/node_modules/.bin:{LEARN.parent}:{os.environ['PATH']}"
    return lab.play("reads_along", rules, recorder=True, PATH=path, LEARNLOOP_FACTS_MODE="draft")


@pytest.fixture(scope="module")
def bodies(played: Play) -> list[dict[str, Any]]:
    """The requests of the model that reads along."""
    asked = [line["body"] for line in played.requests if "body" in line]
    return [body for body in asked if "is data, one JSON document a line" in json.dumps(body)]


def test_the_correction_becomes_a_draft(lab: Lab, played: Play) -> None:
    outcome = json.loads((lab.project / "run.json").read_text("utf-8"))
    runs = [(run["stage"], run["outcome"], run["error"]) for run in outcome["runs"]]
    assert runs == [("extract", "done", "")], played.report
    assert all(run["cost_usd"] is not None and run["ms"] > 0 for run in outcome["runs"])
    (draft,) = lab.listing("lessons", "--drafts", "--all")
    assert "docstrings" in draft["statement"]
    assert draft["evidence"][0]["quote"] == "No, don't add docstrings to the handlers"


def test_the_nested_run_leaves_no_event_no_transcript_and_fires_no_hook(lab: Lab, played: Play) -> None:
    sessions = {event["session_id"] for event in lab.events("prompt")}
    assert len(sessions) == 1, played.report
    assert {call["stdin"]["cwd"] for call in lab.hooked() if "stdin" in call} == {str(lab.project)}
    kept = list((lab.home / ".claude" / "projects").rglob("*.jsonl"))
    assert {path.stem for path in kept} == sessions


def test_the_nested_run_sees_no_rules_and_has_no_tools(bodies: list[dict[str, Any]]) -> None:
    assert len(bodies) in (1, 2), "clients before 2.1.197 answer in a second turn"
    for body in bodies:
        assert HOUSE_RULE not in json.dumps(body)
        assert {tool["name"] for tool in body["tools"]} <= {"StructuredOutput", "DeferredToolPlaceholder"}
        assert body.get("thinking", {"type": "disabled"})["type"] == "disabled"


def test_only_what_the_person_typed_is_sent(bodies: list[dict[str, Any]]) -> None:
    assert "No, don't add docstrings to the handlers" in json.dumps(bodies[0])
    assert "The endpoint is added" not in json.dumps(bodies)
    assert "def orders" not in json.dumps(bodies)


def test_a_request_is_a_fifth_of_a_plain_one(played: Play, bodies: list[dict[str, Any]]) -> None:
    plain = max(len(json.dumps(line["body"])) for line in played.requests if "body" in line)
    assert max(len(json.dumps(body)) for body in bodies) <= plain / 5

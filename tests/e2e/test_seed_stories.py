"""The stories of the first specification: what is said once, later sessions get by themselves."""

import json
import os
from pathlib import Path

import pytest

from tests.e2e.conftest import NewLab
from tests.e2e.lab import LEARN, Lab, Play

pytestmark = pytest.mark.e2e
DOCSTRINGS, BANK = "Don't add docstrings to the handlers", "The api talks to the bank over the event bus"
DIRECTIVE = "Commits are signed with a key"


@pytest.fixture(scope="module")
def lab(new_lab: NewLab) -> Lab:
    return new_lab()


@pytest.fixture(scope="module")
def played(lab: Lab, client: Path) -> Play:
    path = f"{client}/node_modules/.bin:{LEARN.parent}:{os.environ['PATH']}"
    return lab.play("learns_by_itself", PATH=path, LEARNLOOP_RECALL="0")


@pytest.fixture(scope="module")
def asked(played: Play) -> list[str]:
    """What the model that reads along was sent in the first and the second stage."""
    bodies = [json.dumps(line["body"]) for line in played.requests if "body" in line]
    stages = ("Read what a person typed", "Perform knowledge synthesis")
    return [body for stage in stages for body in bodies if stage in body]


def request_of(played: Play, words: str) -> list[str]:
    """All that the model is shown in the last request of the session with that prompt."""
    last = max(place.request for place in played.places(words))
    return [place.text for place in played.places("") if place.request == last]


def facts(lab: Lab) -> dict[str, list[str]]:
    """The texts of the facts, by state."""
    by_state: dict[str, list[str]] = {}
    for fact in lab.listing("facts"):
        by_state.setdefault(fact["status"], []).append(fact["text"])
    return by_state


def test_story_1_the_prompt_is_recorded_by_its_hook_and_nothing_is_asked_then(
    lab: Lab, played: Play, asked: list[str]
) -> None:
    assert "No, don't add docstrings" in json.dumps(lab.events("prompt")), played.report
    assert len(asked) == 3  # each by `learn facts run`


def test_story_1_the_correction_is_a_fact_with_its_quote(lab: Lab, played: Play) -> None:
    assert DOCSTRINGS in facts(lab)["taken"], played.report
    [lesson] = [
        each for each in lab.listing("lessons", "--status", "active") if "docstrings" in each["statement"]
    ]
    assert "No, don't add docstrings to the handlers" in [seen["quote"] for seen in lesson["evidence"]]


def test_story_1_learned_md_has_it_and_the_next_session_receives_it(lab: Lab, played: Play) -> None:
    assert f"- {DOCSTRINGS}\n" in (lab.project / "LEARNED.md").read_text()
    assert any(f"- {DOCSTRINGS}" in text for text in request_of(played, "Say hello"))


def test_story_2_the_first_stage_is_given_what_is_known(asked: list[str]) -> None:
    assert all(DIRECTIVE in each.split("p1")[0] for each in asked[:2])


def test_story_2_a_fact_of_the_directives_is_not_taken_in(lab: Lab) -> None:
    assert DIRECTIVE in facts(lab)["known"]
    assert DIRECTIVE not in (lab.project / "LEARNED.md").read_text()


def test_story_2_a_fact_of_learned_md_is_known_and_nothing_new_is_nothing(lab: Lab) -> None:
    """Both said once more: the answers are given by hand."""
    before = (facts(lab)["taken"], (lab.project / "LEARNED.md").read_text())
    lab.play_steps([{"prompt": "Again, don't add docstrings to the handlers"}], [{"text": "No."}])
    requests = [json.loads(line) for line in lab.learn("facts", "requests", "--project", ".").splitlines()]
    again = {
        "from": ["p1"], "text": DOCSTRINGS, "scope": "project", "when": [], "sure": 90, "place": "new",
    }  # fmt: skip
    answered = [
        {**each, "answer": {"lessons": [again] if "Again" in each["text"] else [], "turns": []}}
        for each in requests
    ]
    assert all(DOCSTRINGS in each["text"] for each in requests)
    answers = lab.work / "answers.jsonl"
    answers.write_text("".join(f"{json.dumps(each)}\n" for each in answered))
    lab.learn("facts", "answers", str(answers))
    assert (facts(lab)["taken"], (lab.project / "LEARNED.md").read_text()) == before
    assert lab.learn("facts", "requests", "--project", ".") == ""


def test_story_3_the_second_stage_merges_and_places(lab: Lab, asked: list[str]) -> None:
    outcome = json.loads((lab.project / "run.json").read_text())
    assert [(run["stage"], run["outcome"]) for run in outcome["runs"]] == [
        ("extract", "done"),
        ("extract", "done"),
        ("merge", "done"),
    ]
    assert outcome["taken"] == 2
    assert "Docstrings of handlers are noise" not in (lab.project / "LEARNED.md").read_text()
    assert "raw" not in facts(lab)


def test_story_3_the_summary_of_what_is_known_is_made_anew(lab: Lab) -> None:
    assert DOCSTRINGS in lab.learn("facts", "--init")


def test_story_3_the_end_of_a_session_starts_all_of_it_by_itself(new_lab: NewLab, client: Path) -> None:
    lab = new_lab("by itself")
    path = f"{client}/node_modules/.bin:{LEARN.parent}:{os.environ['PATH']}"
    play = lab.play(
        "learns_in_the_background", "learn config facts.mode auto", PATH=path, LEARNLOOP_BACKGROUND="1"
    )
    assert f"- {DOCSTRINGS}\n" in (lab.project / "LEARNED.md").read_text(), play.report
    assert any(f"- {DOCSTRINGS}" in text for text in request_of(play, "Say hello"))
    assert {event["session_id"] for event in lab.events("prompt")} == {
        run["session_id"] for run in lab.listing("facts", "runs") if run["session_id"]
    } | {lab.events("prompt")[-1]["session_id"]}


def test_story_4_files_outlive_the_session_and_every_new_one_loads_them(played: Play) -> None:
    for prompt in ("Say hello", "Look at the orders"):
        assert any(f"- {DOCSTRINGS}" in text for text in request_of(played, prompt))


def test_story_4_and_5_a_modules_fact_reaches_only_a_session_that_works_there(lab: Lab, played: Play) -> None:
    assert f"- {BANK}\n" in (lab.project / "api" / "AGENTS.md").read_text()
    assert BANK not in (lab.project / "LEARNED.md").read_text()
    assert not any(f"- {BANK}" in text for text in request_of(played, "Say hello"))
    assert any(f"- {BANK}" in text for text in request_of(played, "Look at the orders"))


def test_story_5_the_folders_that_were_written_in_are_sent_and_files_are_made(asked: list[str]) -> None:
    assert "api" in asked[2].split("folders")[1][:20]


def test_story_6_init_reads_directives_and_the_projects_files_in_at_most_50_lines(lab: Lab) -> None:
    (lab.project / "AGENTS.md").write_text("# Shop\n\n- Names of files are in lower case\n")
    lab.learn("config", "--trust")
    printed = lab.learn("facts", "--init")
    assert all(words in printed for words in (DIRECTIVE, DOCSTRINGS, "lower case"))
    assert len(printed.splitlines()) <= 50


def test_what_was_taken_in_is_taken_back_with_its_files(lab: Lab) -> None:
    """The last test: the project is as before, but for what the person wrote."""
    assert "2 facts" in lab.learn("facts", "take-back")
    assert not (lab.project / "LEARNED.md").exists()
    assert not (lab.project / "api" / "AGENTS.md").exists()
    assert (lab.project / "CLAUDE.md").read_text() == "# Shop\n"

"""What the person sees of Learnloop in the real client: in its terminal, and in the stream of print mode."""

import json
import re

import pytest

from tests.e2e.conftest import NewLab
from tests.e2e.lab import Lab, Play

pytestmark = pytest.mark.e2e
SAID = r"\(you said so on \d+ [A-Z][a-z]{2}\) · [a-z2-7]{4}"
PNPM = rf"Learnloop: Use pnpm, not npm {SAID}"


@pytest.fixture(scope="module")
def lab(new_lab: NewLab) -> Lab:
    """A person said which package manager is used, how answers are, and what holds of two files."""
    lab = new_lab()
    lab.play("says_pnpm")
    lab.approve()
    lab.learn("add", "Keep answers short.")
    lab.learn("add", "The OpenAPI schema is written by hand.")
    lab.learn("add", "notes.md begins with a title.")
    return lab


@pytest.fixture(scope="module")
def printed(lab: Lab) -> list[str]:
    """The lines that print mode streams for the person, of a session that is stopped and goes on."""
    lab.play("uses_npm")
    stream = (lab.work / "logs" / "out0.jsonl").read_text("utf-8").splitlines()
    return [line["content"] for line in map(json.loads, stream) if line.get("subtype") == "informational"]


@pytest.fixture(scope="module")
def watched(lab: Lab, printed: list[str], terminal: None) -> Play:
    """The session in the terminal after it."""
    lab.learn("ingest")
    return lab.play("watched")


def test_print_mode_streams_the_message_of_a_stop(printed: list[str]) -> None:
    (line,) = printed
    assert re.fullmatch(f"PreToolUse:Bash says: {PNPM}", line)


def test_the_start_is_one_line_and_begins_with_last_time(watched: Play) -> None:
    assert (
        "SessionStart:startup says: Learnloop last time: 2 lessons told, 1 npm stopped, 1 ignored"
        " · 1 of your instructions told at the start" in watched.screens[0]
    )


def test_a_prompt_shows_its_lesson_under_it(watched: Play) -> None:
    shown = rf"UserPromptSubmit says: Learnloop: The OpenAPI schema is written by hand {SAID}"
    assert re.search(shown, watched.screens[1]), watched.report


def test_what_a_helper_is_told_shows_nowhere(lab: Lab, watched: Play) -> None:
    assert not (lab.project / "by-helper.txt").exists(), "it was stopped"
    assert "pnpm" not in watched.screens[1], watched.report


def test_a_stop_shows_the_lesson_as_its_reason_and_as_a_message(watched: Play) -> None:
    shown = rf"Reason: PreToolUse:Bash hook error: Use pnpm, not npm\.? .*PreToolUse:Bash says: {PNPM}"
    assert re.search(shown, watched.screens[2]), watched.report


def test_a_call_shows_the_lesson_that_came_beside_it(watched: Play) -> None:
    shown = rf"PreToolUse:Write says: Learnloop: notes\.md begins with a title {SAID}"
    assert re.search(shown, watched.screens[2]), watched.report


@pytest.mark.usefixtures("watched")
def test_one_setting_makes_it_quiet(lab: Lab) -> None:
    lab.learn("ingest")
    lab.learn("config", "messages", "false")
    assert "Learnloop" not in lab.play("starts").screens[0]
    lab.learn("config", "messages", "true")
    assert (
        "SessionStart:startup says: Learnloop last time: 4 lessons told, 2 npm stopped"
        in (lab.play("starts").screens[0])
    )

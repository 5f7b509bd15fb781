"""The console beside a real session: what the person types to the agent shows there without a key press."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from scripts.perf.terminal import Terminal

from tests.e2e.conftest import NewLab
from tests.e2e.lab import LEARN

pytestmark = pytest.mark.e2e


def test_prompts_and_the_draft_show_while_the_session_runs(new_lab: NewLab) -> None:
    lab = new_lab()
    lab.play("at_prompt")
    console = [str(LEARN.with_name("learn-tui"))]
    with Terminal(console, lab.env) as screen, ThreadPoolExecutor(1) as agent:
        screen.until("Inbox")
        played = agent.submit(lab.play, "correction")
        screen.until("Write a loader for the settings", 40)
        screen.until("No, don't use print here, use logging", 40)
        screen.until("Don't use print here, use logging", 10)
        screen.rest(0.2)
        while not played.done():
            screen.rest(0.2)
        assert "step 1: exit 0" in played.result().report


def test_a_draft_promoted_in_the_console_reaches_the_next_session(new_lab: NewLab) -> None:
    lab = new_lab()
    lab.play("correction")
    lab.learn("ingest")
    with Terminal([str(LEARN.with_name("learn-tui"))], lab.env) as screen:
        screen.until("Don't use print here, use logging")
        screen.rest(0.5)
        screen.press("p")
        screen.until("verdict", 10)
        screen.press("q")
        screen.rest(1.0)
    assert [lesson["status"] for lesson in lab.listing("lessons")] == ["active"]
    assert lab.play("at_write").places("Don't use print here, use logging")

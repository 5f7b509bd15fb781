"""Real transcripts of other people, where they are there: they fold to what a reader of them would say."""

from pathlib import Path

import pytest

from learnloop.hosts import claude_transcripts
from tests.ingest.session_scene import reduced_events

FOLDER = Path(__file__).parents[3] / "shared" / "data" / "transcripts"
needs_data = pytest.mark.skipif(not FOLDER.is_dir(), reason=f"no transcripts in {FOLDER}")

EXPECTED: dict[str, list[tuple[str, str, str]]] = {
    # Twice refused without a word and interrupted; then told to go on, and done.
    "claude-1.0.17-rejected-tools": [  # a client that does not mark what the person refuses
        ("human", "interrupted", "unknown"),
        ("human", "done", "unknown"),
    ],
    # A machine's prompt; a program and its environment, worked on with; then questions about one thing.
    "claude-1.0.17-tools": [
        ("machine", "done", "unknown"),
        ("human", "done", "success"),
        ("human", "done", "success"),
        ("human", "done", "unknown"),
        ("human", "done", "unknown"),
        ("human", "done", "unknown"),
    ],
    # Interrupted and told that it still does not work; interrupted again.
    "claude-2.1.38-interrupts": [("human", "interrupted", "revision"), ("human", "interrupted", "unknown")],
    # A subagent's own file: no person says anything in it.
    "claude-2.1.39-subagent": [("human", "unfinished", "unknown")],
}


@needs_data
@pytest.mark.parametrize("name", EXPECTED)
def test_a_transcript_reads_as_what_happened(name: str) -> None:
    outcome = reduced_events(claude_transcripts.events(FOLDER / f"{name}.jsonl"))

    assert [(turn["origin"], turn["end"], turn["outcome"]) for turn in outcome.turns] == EXPECTED[name]


@needs_data
def test_nothing_of_a_subagents_prompt_is_feedback() -> None:
    outcome = reduced_events(claude_transcripts.events(FOLDER / "claude-2.1.39-subagent.jsonl"))

    assert outcome.heard == []

"""The scenarios of the real client, played whole: turns, ends, claims, outcomes a person would agree with."""

from pathlib import Path

import pytest

from learnloop.store.store import Store
from tests.e2e.conftest import NewLab
from tests.e2e.lab import Lab

pytestmark = pytest.mark.e2e

Row = tuple[str, str, str, str]
"""How the prompt begins, the end, who the claim goes to, the outcome."""


def played(new_lab: NewLab, realclient: Path, name: str) -> Lab:
    lab = new_lab()
    lab.play(str(realclient / "scenarios" / name))
    lab.learn("ingest")
    return lab


def rows(lab: Lab) -> list[Row]:
    return [
        (turn.prompt.split("\n")[0][:22], turn.end, turn.agent_used, turn.outcome) for turn in lab.turns()
    ]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("agent", [("Let a helper count the", "done", "main", "unknown")]),
        (
            "background",
            [("Let a helper count", "done", "main", "unknown"),
             ("<task-notification>", "done", "main", "unknown")],
        ),
        ("tasks", [("Plan two things", "done", "main", "cancellation")]),
        ("todo", [("Plan two things", "done", "main", "cancellation")]),
    ],
)  # fmt: skip
def test_a_print_session_reads_as_what_happened(
    new_lab: NewLab, realclient: Path, name: str, expected: list[Row]
) -> None:
    assert rows(played(new_lab, realclient, name)) == expected


@pytest.mark.usefixtures("terminal")
@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("tui", [("Tell me a long story", "interrupted", "main", "revision"),
                 ("No, shorter please", "done", "main", "unknown")]),
        ("denied", [("Make a file", "done", "main", "revision"), ("Ask me", "done", "main", "unknown")]),
        ("interrupt_tool", [("Run something slow", "interrupted", "main", "cancellation"),
                            ("Then make a file", "interrupted", "main", "unknown"),
                            ("Make it after all", "done", "main", "unknown")]),
        ("steer", [("Run something slow", "done", "main", "revision"),
                   ("Now in the background", "done", "main", "unknown"),
                   ("<task-notification>", "done", "main", "unknown"),
                   ("/look here", "done", "main", "unknown"),
                   ("Go on after compaction", "done", "main", "unknown"),
                   ("Fresh start", "done", "main", "unknown")]),
    ],
)  # fmt: skip
def test_a_terminal_session_reads_as_what_happened(
    new_lab: NewLab, realclient: Path, name: str, expected: list[Row]
) -> None:
    assert rows(played(new_lab, realclient, name)) == expected


def test_the_claim_of_background_work_waits_for_its_news(new_lab: NewLab, realclient: Path) -> None:
    lab = played(new_lab, realclient, "background")
    first, second = lab.turns()

    assert (first.background, second.origin, second.claim) == (1, "machine", "Heard back.")
    assert first.starts == {"general-purpose": 1}
    (session,) = Store(str(lab.root)).sessions()
    assert session.pending_completion is not None
    assert session.pending_completion.task_description == "Let a helper count"


def test_the_tasks_of_the_agent_are_counted(new_lab: NewLab, realclient: Path) -> None:
    lab = played(new_lab, realclient, "tasks")
    (session,) = Store(str(lab.root)).sessions()

    assert session.todo_snapshot is not None
    assert (session.todo_snapshot.total, session.todo_snapshot.completed) == (2, 1)
    assert [(feedback.rule, feedback.confidence) for feedback in lab.feedback()] == [("left-undone", 0.7)]

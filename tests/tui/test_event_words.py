"""Events of the journal as the live line shows them."""

from typing import Any

import pytest

from learnloop_tui.view.event_words import happening


@pytest.mark.parametrize(
    ("kind", "payload", "words"),
    [
        ("prompt", {"prompt": "use uv"}, "“use uv”"),
        ("prompt", {"prompt": "x", "machine": "compact"}, "(compact)"),
        ("tool_start", {"tool": "Read", "file": "a.py"}, "Read a.py"),
        ("tool_end", {"tool": "Bash", "command": "ls"}, "Bash ls"),
        ("tool_start", {}, "a tool"),
        ("tool_failed", {"tool": "Bash", "error": "exit 1"}, "Bash: exit 1"),
        ("tool_failed", {"tool": "Bash"}, "Bash: failed"),
        ("refusal", {"tool": "Bash", "words": "not now"}, "Bash: “not now”"),
        ("refusal", {"tool": "Bash"}, "Bash"),
        ("subagent_start", {}, "reviewer"),
        ("turn_end", {"message": "done"}, "done"),
        ("turn_failed", {"error": "overloaded"}, "overloaded"),
        ("recall", {"lessons": ["a"], "moment": "call"}, "1 lesson at the call"),
        ("recall", {"lessons": ["a", "b"]}, "2 lessons at the prompt"),
        ("decision", {"action": "promote", "lesson_ids": ["a"]}, "promote by cli, 1 lesson"),
        (
            "decision",
            {"action": "patch", "by": "console", "args": {"patches": ["p"], "did": "applied"}},
            "applied by console, in prompt files",
        ),
        ("decision", {"action": "priming", "lesson_ids": [], "by": "console"}, "priming by console"),
        (
            "decision",
            {"action": "experiment", "lesson_ids": [], "args": {"experiment": {"do": "pause", "name": "uv"}}},
            "pause by cli, “uv”",
        ),
        ("session_start", {"source": "startup"}, "startup"),
        ("never seen", {}, ""),
    ],
)
def test_each_kind_has_its_words(kind: str, payload: dict[str, Any], words: str) -> None:
    record = {"kind": kind, "payload": payload, "project": "/code/shop/", "agent_type": "reviewer"}
    event = happening(record)
    assert (event.kind, event.words, event.project) == (kind, words, "shop")

"""A draft whose moment would have missed the mistake behind it says so, and offers others."""

import io
from pathlib import Path
from typing import Any

import pytest

from learnloop.cli.main import main
from learnloop.models import Lesson
from learnloop.service.lessons import documents, queue
from learnloop.service.recall import at_start
from learnloop.service.recall.backtest import AT_START, LEAVE, doubt
from learnloop.service.review import verdicts
from learnloop.service.workspace import Workspace, ingest, open_workspace
from learnloop_tui.bridge import ServiceBridge
from learnloop_tui.dialogs.choice import ChoiceScreen
from tests.recorded_events import PROJECT, fire
from tests.tui.fakes import console

WORDS = "would have caught 0 of 1 mistake"
SAID = "always keep the amounts in cents, floats lose some"
ACT, FILE = "before pip install is run", "before app/*.py is written"


def _draft(root: str, says: str = SAID, **triggers: list[str]) -> tuple[Workspace, Lesson]:
    """A draft of a turn that wrote a file and ran pip, with other triggers where some are given."""
    calls = (
        ("Write", {"file_path": f"{PROJECT}/app/a.py", "content": "amount = 1.5"}),
        ("Bash", {"command": "pip install x"}),
    )
    fire(root, "UserPromptSubmit", ts_ms=1_763_600_000_000, prompt="add x to the project")
    for at, (tool, given) in enumerate(calls, 1):
        for hook in ("PreToolUse", "PostToolUse"):
            use: dict[str, Any] = {
                "tool_name": tool,
                "tool_input": given,
                "tool_response": {},
                "tool_use_id": f"u{at}",
            }
            fire(root, hook, ts_ms=1_763_600_000_000 + 1000 * at, **use)
    fire(root, "Stop", ts_ms=1_763_600_005_000, last_assistant_message="Done.")
    fire(root, "UserPromptSubmit", ts_ms=1_763_600_009_000, prompt=says)
    ws = open_workspace(root)
    ingest(ws, wait_s=10)
    (draft,) = queue.listing(ws, "draft")
    if triggers:
        verdicts.edit(ws, draft.id, {"triggers": triggers})
    return ws, documents.find(ws, draft.id)


def test_a_moment_that_would_have_caught_it_is_not_doubted(root: str) -> None:
    ws, draft = _draft(root)
    assert draft.triggers.file_patterns
    assert doubt(ws, draft) is None


def test_acts_of_the_turn_and_every_start_are_offered(root: str) -> None:
    ws, draft = _draft(root, file_patterns=["docs/*.md"])
    known = doubt(ws, draft)
    assert known is not None
    assert known.words == WORDS
    assert list(known.ways) == [FILE, ACT, AT_START]
    for way, triggers in known.ways.items():
        verdicts.edit(ws, draft.id, {"triggers": triggers})
        assert doubt(ws, documents.find(ws, draft.id)) is None, way


def test_what_no_start_has_room_for_is_told_to_nobody(root: str) -> None:
    ws, draft = _draft(root)
    Path(root, "config.toml").write_text("[budgets]\nstart_tokens = 50\n", "utf-8")
    verdicts.edit(ws, draft.id, {"triggers": {}, "statement": f"Say {'very ' * 60}little."})
    assert main(["promote", draft.id]) == 0
    known = doubt(open_workspace(root), documents.find(ws, draft.id))
    assert known is not None
    assert known.words.startswith("told to nobody: the 50 tokens of a start")
    assert list(known.ways) == [FILE, ACT]


def test_the_command_line_takes_one_digit(
    root: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    ws, draft = _draft(root, file_patterns=["docs/*.md"])
    monkeypatch.setattr("sys.stdin", io.StringIO("2\n"))
    assert main(["triage", "--plain"]) == 0
    out = capsys.readouterr().out
    assert f"It {WORDS}: 1 keeps it {FILE} · 2 keeps it {ACT} · 3 keeps it {AT_START} · p leaves it." in out
    found = documents.find(ws, draft.id)
    assert (found.status, found.triggers.command_patterns) == ("active", ("pip install",))


def test_an_approval_says_it(root: str, capsys: pytest.CaptureFixture[str]) -> None:
    _, draft = _draft(root, file_patterns=["docs/*.md"])
    assert main(["promote", draft.id]) == 0
    assert f"It {WORDS}. Better told {FILE}" in " ".join(capsys.readouterr().err.split())


@pytest.mark.parametrize(("key", "kept"), [("3", ()), ("4", ("docs/*.md",))])
async def test_the_console_asks_where_it_is_approved(root: str, key: str, kept: tuple[str, ...]) -> None:
    ws, draft = _draft(root, file_patterns=["docs/*.md"])
    async with console(ServiceBridge(root)) as seen:
        await seen.until(lambda: WORDS in " ".join(seen.page.split()))
        await seen.press("p")
        await seen.until(lambda: isinstance(seen.app.screen, ChoiceScreen))
        await seen.press(key)
        await seen.until(lambda: documents.find(ws, draft.id).status == "active")
    found = documents.find(ws, draft.id)
    assert found.triggers.file_patterns == kept
    ingest(ws, wait_s=10)
    assert (draft.id in at_start.at_start(root, PROJECT).told) == (not kept)
    assert LEAVE == "leave it"

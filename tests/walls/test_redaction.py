"""The wall around the disk: whatever comes in, by whichever way, is cleaned and redacted in one place."""

import ast
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from learnloop.cli.main import main
from learnloop.ingest.publish import publish
from learnloop.service.intake import backfill, draft_from_text, imports
from learnloop.service.lessons import discoveries, queue
from learnloop.service.review import verdicts
from learnloop.service.setup import settings_file
from learnloop.service.transfer import exchange
from learnloop.service.workspace import Workspace
from learnloop.wire import journal, payloads
from tests.hooks.agent import Agent
from tests.ingest.client_transcript import Transcript
from tests.secret_texts import made
from tests.walls.test_imports import PROJECT

TOKEN = made("ghp_<w36>", 7)[0]
EXTRA = "Bluebird-7"
BOTH = f"{TOKEN}/{EXTRA}"
WORDS = f"always use pnpm with {TOKEN} for {EXTRA}, never npm"


@pytest.fixture
def ws(root: str, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    """A store whose hooks and commands know a pattern of the person's own."""
    monkeypatch.setenv("LEARNLOOP_BACKGROUND", "0")
    settings_file.set_("redaction.extras", "['Bluebird-[0-9]']")
    publish(root, force=True)
    return Workspace(root)


def leaks(folder: str | Path) -> list[str]:
    """The files below a folder that hold a secret in their content or name."""
    files = [path for path in Path(folder).rglob("*") if path.is_file() and "hooks" not in path.parts]
    return [
        f"{path}: {word}"
        for path in files
        for word in (TOKEN, EXTRA)
        if word in str(path.relative_to(folder)) or word.encode() in path.read_bytes()
    ]


IDS = {
    "session_id": BOTH, "prompt_id": BOTH, "agent_id": BOTH, "agent_type": BOTH, "cwd": f"/home/{BOTH}",
    "transcript_path": f"/home/{BOTH}.jsonl", "tool_use_id": BOTH,
}  # fmt: skip
CALL = {
    "tool_name": BOTH, "tool_use_id": BOTH,
    "tool_response": f"The user doesn't want to … the user said: {BOTH}",
    "tool_input": {"command": BOTH, "file_path": BOTH, "content": BOTH, "subagent_type": BOTH, "taskId": BOTH,
                   "status": BOTH, "answers": {BOTH: BOTH}},
}  # fmt: skip
FIELDS: dict[str, Any] = {
    "prompt": WORDS, "permission_mode": BOTH, "source": BOTH, "model": BOTH, "trigger": BOTH, "reason": BOTH,
    "error": BOTH, "message": BOTH, "notification_type": "idle_prompt", "last_assistant_message": WORDS,
    "background_tasks": [{"id": BOTH, "type": BOTH, "description": BOTH}],
    "tool_calls": [CALL, *({**CALL, "tool_name": name, "tool_response": BOTH}
                           for name in ("Agent", "AskUserQuestion", "TaskUpdate", "Write"))],
}  # fmt: skip
EVENTS = (
    "SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolUseFailure", "PostToolBatch",
    "SubagentStart", "SubagentStop", "Stop", "StopFailure", "Notification", "PreCompact", "SessionEnd",
)  # fmt: skip


@pytest.mark.parametrize("event", [*EVENTS, BOTH])
def test_every_field_of_a_hook(ws: Workspace, agent: Agent, event: str) -> None:
    payload = {**IDS, **FIELDS, **CALL, "hook_event_name": event}
    agent.write(json.dumps({**payload, "tool_name": "Write"} if event == "PreToolUse" else payload).encode())
    assert agent.events()
    assert leaks(ws.root) == []


def test_a_hook_that_cannot_read_its_input(ws: Workspace, agent: Agent) -> None:
    agent.write(b'{"hook_event_name": "' + BOTH.encode() + b'", ')
    assert [kind for kind, _ in agent.payloads()] == ["hook_error"]
    assert leaks(ws.root) == []


def test_what_belongs_together_stays_together(ws: Workspace, agent: Agent) -> None:
    for number in range(2):
        agent.write(
            json.dumps({**IDS, "hook_event_name": "UserPromptSubmit", "prompt": f"go {number}"}).encode()
        )
    sessions = {event["session_id"] for event in agent.events()}
    assert len(sessions) == 1
    assert {event["cwd"] for event in agent.events()} == {"/home/[GitHub token removed]/[removed]"}


def test_a_clean_firing_keeps_its_names_to_the_letter() -> None:
    names = {
        "session_id": made("<u1>", 1)[0],
        "cwd": "/code/my shop",
        "transcript_path": "/w/-code-my-shop/x.jsonl",
    }
    context = payloads.HookContext("/code/my shop")
    (record,) = payloads.records(
        "claude", {**names, "hook_event_name": "SessionEnd", "reason": "exit"}, context
    )
    assert {name: record[name] for name in names} == names
    assert record["project"] == "/code/my shop"


def test_of_a_large_batch_only_the_first_calls_are_recorded() -> None:
    call = {"tool_name": "Bash", "tool_input": {"command": "make " + "x" * 1_900}, "tool_response": ""}
    payload = {"session_id": "s", "hook_event_name": "PostToolBatch", "tool_calls": [call] * 1_000}
    long_calls = payloads.records("claude", payload, payloads.HookContext("/p"))
    call["tool_input"] = {"command": "make"}
    assert 20 < len(long_calls) < len(payloads.records("claude", payload, payloads.HookContext("/p"))) == 200


def _backfill(ws: Workspace, folder: Path) -> None:
    session = Transcript().prompt(
        WORDS, promptId=BOTH, gitBranch=BOTH, origin={"kind": BOTH}, cwd=f"/home/{BOTH}"
    )
    session.calls_tool("Bash", {"command": f"echo {BOTH}"}).says(WORDS)
    backfill.backfill(ws, [str(session.write(folder))])


def _import_queue(ws: Workspace, folder: Path) -> None:
    path = folder / "queue.json"
    path.write_text(json.dumps([{"message": WORDS, "project": f"/home/{BOTH}", "patterns": BOTH}]))
    imports.import_files(ws, "reflect", str(path), f"/home/{BOTH}")


def _import_bullets(ws: Workspace, folder: Path) -> None:
    path = folder / "LEARNED.md"
    path.write_text(f"- {WORDS}\n- {BOTH}\n")
    imports.import_files(ws, "bullets", str(path), f"/home/{BOTH}")


def _import_lessons(ws: Workspace, folder: Path) -> None:
    lesson = {
        "statement": WORDS,
        "title": WORDS,
        "project": f"/home/{BOTH}",
        "description": BOTH,
        "context": BOTH,
    }
    exchange.import_document(ws, {"lessons": [lesson]})


def _import_feedback(ws: Workspace, folder: Path) -> None:
    verdicts.tell(ws, "use tabs")
    document = exchange.export_document(ws, quotes=True)
    document["feedback"] = [{
        "id": "0" * 32, "timestamp": "2026-01-31T09:00:00.000Z", "user_message": WORDS, "session_id": BOTH,
        "event_type": "revision", "original_task": WORDS, "feedback_category": "correction",
        "confidence": 0.9, "project_path": f"/home/{BOTH}", "turn_id": BOTH, "reason": BOTH,
    }]  # fmt: skip
    exchange.import_document(ws, document)


def _drafts(ws: Workspace, folder: Path) -> None:
    for source in ("output", "feedback", "review", "test"):
        draft_from_text.draft(
            ws,
            source,
            f"- issue: {WORDS}",
            project=f"/home/{BOTH}",
            agent=BOTH,
            rating=1,
            name=BOTH,
            fix=WORDS,
        )


def _discovery(ws: Workspace, folder: Path) -> None:
    fields = {"category": "pattern", "summary": f"pnpm needs {EXTRA}", "details": WORDS, "confidence": 0.9,
              "relevant_files": [BOTH], "agent": BOTH}  # fmt: skip
    discoveries.discover(ws, fields, project=f"/home/{BOTH}", cwd=f"/home/{BOTH}")


def _told(ws: Workspace, folder: Path) -> None:
    assert main(["add", WORDS]) == 0


def _edited(ws: Workspace, folder: Path) -> None:
    verdicts.tell(ws, "use tabs")
    lesson = queue.listing(ws)[0]
    verdicts.edit(ws, lesson.id, {"statement": WORDS, "context": BOTH})


ENTRANCES: tuple[Callable[[Workspace, Path], None], ...] = (
    _backfill, _import_queue, _import_bullets, _import_lessons, _import_feedback, _drafts, _discovery, _told,
    _edited,
)  # fmt: skip


@pytest.mark.parametrize("enter", ENTRANCES, ids=lambda enter: enter.__name__)
def test_every_other_way_in(ws: Workspace, tmp_path: Path, enter: Callable[[Workspace, Path], None]) -> None:
    (tmp_path / "given").mkdir()
    enter(ws, tmp_path / "given")
    written = sum(path.stat().st_size for path in Path(ws.root).rglob("*.json*"))
    assert written > 0
    assert leaks(ws.root) == []


OWN_CLEANING = ("wire/redact.py", "wire/text.py")
SHOWN_OR_COMPARED = (
    "learn/lessons/sanitize.py", "learn/lessons/trigger_limits.py", "learn/profile/agent_tallies.py",
    "service/intake/skipped.py", "messages.py",
)  # fmt: skip
"""What cleans texts that were redacted when they came in."""


def test_nothing_else_cleans_or_redacts() -> None:
    for folder in ("src/learnloop", "hooks/learnloop_hooks"):
        for path in sorted((PROJECT / folder).rglob("*.py")):
            name = path.relative_to(PROJECT / folder).as_posix()
            if name in (*OWN_CLEANING, *SHOWN_OR_COMPARED):
                continue
            calls = [
                ast.unparse(node.func)
                for node in ast.walk(ast.parse(path.read_text("utf-8")))
                if isinstance(node, ast.Call)
            ]
            assert not {"text.clean", "redact.redact"}.intersection(calls), name


def test_the_journal_takes_what_the_doors_made(ws: Workspace) -> None:
    """Nothing is redacted behind the doors, or the tests of the doors would prove nothing."""
    assert journal.append(ws.root, [{"planted": TOKEN}])
    assert leaks(ws.root) != []

"""What an agent that asks is told, which switches silence it, and the receipt that it leaves."""

from collections.abc import Callable
from pathlib import Path

import pytest

from learnloop.ingest.run import ingest
from learnloop.service.experiments import decide
from learnloop.service.lessons import documents
from learnloop.service.recall.explain import publish
from learnloop.service.recall.on_request import Inquiry, active_lessons, host_of, lessons_for
from learnloop.service.review import trust, verdicts
from learnloop.service.setup import settings_file
from learnloop.service.setup.settings_file import switch
from learnloop.service.workspace import Workspace, open_workspace
from learnloop.store import pending
from tests.secret_texts import made

GITHUB = made("ghp_<w36>", 7)[0]


@pytest.fixture
def project(home: Path) -> str:
    folder = home / "shop"
    (folder / ".learnloop").mkdir(parents=True)
    return str(folder)


def texts(ws: Workspace, project: str) -> list[str]:
    """What is told at a start, a command and a task, and the lessons that are listed."""
    moments = (Inquiry(project), Inquiry(project, command="npm i"), Inquiry(project, task="npm is broken"))
    listed = [record["text"] for record in active_lessons(ws, project)]
    return list(filter(None, [*(lessons_for(ws, moment) for moment in moments), *listed]))


def test_a_call_that_a_lesson_forbids_is_said_first(ws: Workspace, project: str) -> None:
    verdicts.add(ws, "Packages are pinned.", priority="CRITICAL", triggers={"command_patterns": ["npm *"]})
    key = verdicts.add(ws, "Use pnpm, not npm.", stops=True).lesson_ids[0]
    lines = lessons_for(ws, Inquiry(project, command="npm install left-pad")).split("\n")
    assert lines[1] == f"- Use pnpm, not npm. ({key[:4]})"
    assert lines[2].startswith("- Packages are pinned.")
    assert lines[3].startswith(f"What you asked about goes against ({key[:4]}).")


@pytest.mark.parametrize(
    "silence",
    [
        lambda ws, project: switch(ws, on=False),
        lambda ws, project: switch(ws, on=False, recall_only=True),
        lambda ws, project: switch(ws, on=False, project=project),
        lambda ws, project: switch(ws, on=False, project=project, recall_only=True),
        lambda ws, project: settings_file.set_("recall", "false"),
    ],
    ids=["off", "recall off", "project off", "project recall off", "settings"],
)
def test_a_switch_of_the_person_silences_all(
    ws: Workspace, project: str, silence: Callable[[Workspace, str], object]
) -> None:
    verdicts.add(ws, "npm is never run.", priority="CRITICAL", triggers={"command_patterns": ["npm *"]})
    assert len(texts(ws, project)) >= 3
    silence(ws, project)
    assert texts(open_workspace(ws.root), project) == []


@pytest.mark.parametrize("name", ["off", "record-only"])
def test_a_switch_of_the_project_leaves_what_is_vital(ws: Workspace, project: str, name: str) -> None:
    verdicts.add(ws, "npm is never run.", priority="CRITICAL", triggers={"command_patterns": ["npm *"]})
    verdicts.add(ws, "Answers are short.")
    verdicts.add(ws, "Packages are pinned.", triggers={"command_patterns": ["npm *"]})
    (Path(project) / ".learnloop" / name).touch()
    told = texts(ws, project)
    assert "npm is never run." in told
    assert not any("short" in text or "pinned" in text for text in told)


def test_a_lesson_under_test_is_told_to_nobody_who_asks_until_its_experiment_ends(
    ws: Workspace, project: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = verdicts.add(ws, "Use pnpm, not npm.", stops=True).lesson_ids[0]
    at_start = verdicts.add(ws, "Answers are short.").lesson_ids[0]
    verdicts.add(ws, "Packages are pinned.", triggers={"command_patterns": ["npm *"]})
    for key in (held, at_start):
        decide.hold_out(ws, key)
    publish(ws)
    for session in ("", *(f"session-{number}" for number in range(9))):
        monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", session)
        answers = "\n".join(texts(ws, project))
        assert "pinned" in answers
        assert not any(word in answers for word in ("pnpm", "short", "goes against"))
    receipts = pending.records(ws.root, "", kinds=("recall",))
    assert len(receipts) == 10
    assert not any(key in str(receipt) for receipt in receipts for key in (held, at_start))
    decide.stop(ws, decide.under_test(ws)[held].id)
    assert "pnpm" in "\n".join(texts(ws, project))


def test_nothing_is_held_back_from_who_asks_where_nothing_is_recorded(
    ws: Workspace, project: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    decide.hold_out(ws, verdicts.add(ws, "Use pnpm, not npm.", stops=True).lesson_ids[0])
    monkeypatch.setenv("LEARNLOOP_RECORD", "0")
    assert "pnpm" in lessons_for(ws, Inquiry(project, command="npm i"))


def test_what_the_host_reads_in_its_own_file_is_not_told_to_it(ws: Workspace, project: str) -> None:
    statement = "SQL keywords are written in lower case letters."
    verdicts.add(ws, statement, "project", project, triggers={"file_patterns": ["**/*.sql"]})
    (Path(project) / "CLAUDE.md").write_text(f"- {statement}\n")
    trust.trust(ws, project)
    assert lessons_for(ws, Inquiry(project, "claude", file="shop.sql")) == ""
    assert statement in lessons_for(ws, Inquiry(project, "mcp", file="shop.sql"))


def test_a_receipt_is_redacted_and_counted_without_a_session(ws: Workspace, project: str) -> None:
    key = verdicts.add(ws, "npm is never run.", triggers={"command_patterns": ["npm *"]}).lesson_ids[0]
    lessons_for(ws, Inquiry(project, "gemini", command=f"npm login --token {GITHUB}"))
    (receipt,) = pending.records(ws.root, "", kinds=("recall",))
    assert (receipt["host"], receipt["source"], receipt["session_id"]) == ("gemini", "mcp", "")
    assert GITHUB not in str(receipt)
    assert receipt["payload"]["moment"] == "tool"
    ingest(ws.root, wait_s=5)
    usage = documents.lessons(ws.root)[key]["usage"]
    assert (usage["recalled"], usage.get("told_sessions", 0)) == (1, 0)


def test_nothing_is_recorded_where_recording_is_off(
    ws: Workspace, project: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    verdicts.add(ws, "npm is never run.", triggers={"command_patterns": ["npm *"]})
    monkeypatch.setenv("LEARNLOOP_RECORD", "0")
    assert lessons_for(ws, Inquiry(project, command="npm i"))
    assert pending.records(ws.root, "", kinds=("recall",)) == []


@pytest.mark.parametrize(
    ("client", "host"),
    [("codex-mcp-client", "codex"), ("Claude Code", "claude"), ("gemini-cli-mcp-client", "gemini"),
     ("cursor-vscode", "cursor"), ("", "mcp"), ("Android Studio", "mcp")],
)  # fmt: skip
def test_a_client_is_known_by_its_name(client: str, host: str) -> None:
    assert host_of(client) == host

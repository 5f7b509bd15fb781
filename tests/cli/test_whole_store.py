"""Listings, recall and forgetting over a whole store; backfill from a real transcript."""

import io
import json
from pathlib import Path
from typing import Any

import pytest

from learnloop.wire import paths
from tests.cli.store import ACTIVE, UV, Learn, lesson, seed
from tests.cli.terminal import Keyboard
from tests.demo_stores import DemoStores


@pytest.fixture
def scene(learn: Learn, root: str, demo_stores: DemoStores) -> Learn:
    demo_stores.copy(root)
    return learn


LISTINGS = (
    ["lessons", "--drafts"],
    ["lessons"],
    ["lessons", "--status", "rejected"],
    ["lessons", "test"],
    ["undo", "--history"],
    ["sessions", "--feedback"],
    ["sessions", "--projects"],
    ["sessions"],
    ["config"],
    ["why", "--prompt", "run the tests", "--explain"],
)


def test_every_listing_is_one_json_document_and_nothing_else(scene: Learn) -> None:
    for argv in LISTINGS:
        assert scene.listing(*argv), argv


def test_every_listing_is_plain_text_in_a_pipe(scene: Learn) -> None:
    for argv in (*LISTINGS, ["status"], ["doctor"]):
        scene(*argv)
        assert len(scene.out.splitlines()) > 1, argv
        assert "\x1b" not in scene.out


def test_status_names_the_settings_file_with_the_hooks(learn: Learn, root: str) -> None:
    assert learn("status") == 0
    assert "not installed" in learn.out
    assert learn("install") == 0
    assert learn("status") == 0
    assert "settings.json" in learn.out
    assert learn("status", "--json") == 0
    (found,) = json.loads(learn.out)["hooks"]
    assert found["current"]


def test_doctor_says_what_to_do_and_fails_for_a_fault(learn: Learn, root: str) -> None:
    assert learn("doctor") == 0
    assert "→ learn install" in learn.out
    Path(root).mkdir(exist_ok=True)
    Path(paths.config_file()).write_text("record = [")
    assert learn("doctor") == 1
    assert "config.toml" in learn.out
    assert learn("doctor", "--json") == 1
    assert {"ok", "fail"} <= {check["level"] for check in json.loads(learn.out)}


@pytest.fixture
def active(learn: Learn, root: str) -> Learn:
    triggers = {"command_patterns": ["pip *"], "action_keywords": ["dependency"]}
    seed(
        root,
        (
            lesson(UV, status="active", scope="global", statement="uv is used.", triggers=triggers),
            lesson(ACTIVE, status="active", statement="Elsewhere.", triggers=triggers),
        ),
    )
    return learn


def test_recall_prints_what_an_agent_hears(active: Learn) -> None:
    assert active("why", "--command", "pip install x") == 0
    assert active.out == "uv is used. (uvuv)\n"
    assert active("why", "--prompt", "add a dependency") == 0
    assert active.out == "uv is used. (uvuv)\n"
    assert active("why", "--command", "ls") == 0
    assert active.out == ""
    assert "--explain" in active.err
    assert active("why", "--command", "pip install x", "--project", "/w/app") == 0
    assert len(active.out.splitlines()) == 2


def test_recall_explains_every_part(active: Learn) -> None:
    assert active("why", "--command", "ls", "--explain") == 0
    head, *rows = active.out.splitlines()
    assert head.split()[:9] == [
        "ID",
        "TOLD",
        "TOOL",
        "TARGET",
        "ACTION",
        "CONTEXT",
        "SUM",
        "TIMES",
        "SCORE",
    ]
    assert {tuple(row.split()[:2]) for row in rows} == {("uvuv", "no"), ("acti", "no")}
    assert "another project" in active.out
    found, _ = active.listing("why", "--command", "ls", "--explain")
    assert not found["fires"]
    assert found["final"] < found["threshold"]


def test_forgetting_asks_a_person_and_needs_an_answer(scene: Learn, monkeypatch: pytest.MonkeyPatch) -> None:
    before = scene.listing("lessons")
    monkeypatch.setattr("sys.stdin", Keyboard("no\n"))
    assert scene("forget", "--all") == 1
    assert "nothing was forgotten" in scene.err
    assert scene.listing("lessons") == before
    monkeypatch.setattr("sys.stdin", Keyboard("yes\n"))
    assert scene("forget", "--all") == 0
    assert "nothing of it is left" in scene.out
    assert scene.listing("lessons") == []


@pytest.mark.parametrize("stdin", [io.StringIO("no\n"), None])
def test_a_script_that_says_what_to_forget_is_not_asked(
    scene: Learn, monkeypatch: pytest.MonkeyPatch, stdin: io.StringIO | None
) -> None:
    monkeypatch.setattr("sys.stdin", stdin)
    assert scene("forget", "--all") == 0
    assert "cannot be undone" not in scene.out
    assert scene.listing("lessons") == []


def test_a_project_is_forgotten_by_its_folder(scene: Learn) -> None:
    project = scene.listing("sessions", "--projects")[0]["path"]
    assert scene("forget", "--project", project, "--yes") == 0
    assert project not in [found["path"] for found in scene.listing("sessions", "--projects")]
    assert scene.listing("sessions", "--projects")
    scene.refused("forget", "--project", project, "--yes")
    scene.refused("forget", "--session", "no-such-session", "--yes")


def _line(kind: str, second: int, content: Any, **more: Any) -> str:
    line = {
        "type": kind,
        "uuid": f"u{second}",
        "sessionId": "old-session",
        "cwd": "/w/app",
        "timestamp": f"2026-01-02T03:04:{second:02}.000Z",
        "message": {"role": kind, "content": content},
    }
    return json.dumps(line | more)


@pytest.fixture
def transcripts() -> Path:
    """The folder of one project's transcripts, with a correction in the only session."""
    folder = Path(paths.home(), ".claude", "projects", "-w-app")
    folder.mkdir(parents=True)
    folder.joinpath("old-session.jsonl").write_text(
        "\n".join(
            [
                _line("user", 1, "install requests"),
                _line("assistant", 2, [{"type": "text", "text": "Installed it with pip."}]),
                _line("user", 3, "no, don't use pip, use uv instead"),
                _line("assistant", 4, [{"type": "text", "text": "Done with uv."}]),
            ]
        )
        + "\n"
    )
    return folder


def test_backfill_learns_once(learn: Learn, transcripts: Path) -> None:
    (found,) = learn.listing("backfill")
    assert (found["project"], found["sessions"], found["path"]) == ("/w/app", 1, str(transcripts))
    assert learn("backfill", str(transcripts)) == 0, learn.err
    drafts = learn.listing("lessons", "--drafts")
    assert len(drafts) == 1
    assert "uv" in drafts[0]["statement"]
    assert learn("backfill", "--all") == 0
    assert learn.out.startswith("0 events")
    assert learn.listing("lessons", "--drafts") == drafts


def test_backfill_without_a_terminal_lists_and_asks_for_paths(learn: Learn, transcripts: Path) -> None:
    assert learn("backfill") == 2
    assert "/w/app" in learn.out
    assert "--all" in learn.err
    assert learn.listing("lessons", "--drafts") == []


def test_backfill_refuses_what_is_no_transcript(learn: Learn, root: str, tmp_path: Path) -> None:
    foreign = tmp_path / "notes.jsonl"
    foreign.write_bytes(b"\x00\xff not a transcript\n" * 3)
    assert str(foreign) in learn.refused("backfill", str(foreign))
    learn.refused("backfill", str(tmp_path / "missing"))
    learn.refused("backfill")
    assert not Path(root).exists()


def test_backfill_takes_an_answer_from_a_pipe(
    learn: Learn, transcripts: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("1\n"))
    assert learn("backfill") == 0
    assert learn.listing("lessons", "--drafts")

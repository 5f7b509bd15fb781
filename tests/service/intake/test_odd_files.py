"""Files that a person names, or that lie in a folder: FIFOs and devices are refused, links are left out."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from learnloop.service.intake import backfill, imports, transcript_files
from learnloop.service.workspace import Workspace
from tests.ingest.client_transcript import Transcript

SECONDS = 10
TIME = "2026-11-20T10:00:00.000Z"


def learn(*argv: str, cwd: Path) -> "subprocess.CompletedProcess[str]":
    """Run a verb; one that waits or eats memory is ended and fails the test."""
    limit = "import resource; resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30));"
    code = f"{limit} from learnloop.cli.main import main; raise SystemExit(main({list(argv)!r}))"
    command = [sys.executable, "-c", code]
    return subprocess.run(
        command,
        cwd=cwd,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
        stdin=subprocess.DEVNULL,
    )


@pytest.fixture
def fifo(tmp_path: Path) -> Path:
    os.mkfifo(tmp_path / "pipe")
    return tmp_path / "pipe"


VERBS = (
    ("import",), ("import", "--from", "reflect"),
    ("import", "--from", "bullets"), ("draft", "--from", "output"), ("backfill",),
)  # fmt: skip


@pytest.mark.parametrize("verb", VERBS, ids=" ".join)
@pytest.mark.parametrize("device", ["pipe", "/dev/zero"])
@pytest.mark.slow
def test_what_is_no_file_is_refused(
    ws: Workspace, fifo: Path, tmp_path: Path, verb: tuple[str, ...], device: str
) -> None:
    done = learn(*verb, str(fifo) if device == "pipe" else device, cwd=tmp_path)
    assert done.returncode in (1, 2), done
    assert "Traceback" not in done.stderr
    assert "unexpected" not in done.stderr


@pytest.mark.parametrize("verb", VERBS, ids=" ".join)
@pytest.mark.slow
def test_a_file_far_too_large_is_refused_by_name(
    ws: Workspace, tmp_path: Path, verb: tuple[str, ...]
) -> None:
    with (tmp_path / "huge").open("wb") as file:
        file.truncate(1 << 36)
    done = learn(*verb, str(tmp_path / "huge"), cwd=tmp_path)
    assert (done.returncode, "huge" in done.stderr) == (1, True), done


def test_links_in_a_folder_are_left_out(ws: Workspace, tmp_path: Path) -> None:
    private = tmp_path / "private.md"
    private.write_text("- The customer is called Evergreen Farms.\n")
    folder = tmp_path / "given"
    folder.mkdir()
    (folder / "a.md").symlink_to(private)
    (folder / "b.md").write_text("- Tests run before every commit.\n")
    report = imports.import_files(ws, "memory", str(folder))
    assert any("is a link" in line for line in report.skipped)
    assert "Evergreen" not in str(report)


@pytest.mark.parametrize("to", ["gone", "itself"])
def test_a_link_that_leads_nowhere_is_named_and_the_others_are_read(
    ws: Workspace, tmp_path: Path, to: str
) -> None:
    user = tmp_path / "user"
    good = Transcript("s1", "/code/shop").prompt("No, use pytest").write(user / ".claude/projects/x")
    bad = [good.with_name("bad.jsonl"), *(user / name for name in FOREIGN)]
    for path in bad:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.symlink_to(path.name if to == "itself" else tmp_path / to)
    assert {item.project for item in transcript_files.projects()} >= {"/code/shop"}
    report = backfill.backfill(ws, [item.path for item in transcript_files.projects()])
    assert report.sessions == 1
    assert set(map(str, bad)) == set(report.unreadable)


FOREIGN = (
    ".gemini/tmp/h/chats/session-1.jsonl", ".qwen/projects/h/chats/a.jsonl", ".factory/sessions/x/a.jsonl",
    ".codex/sessions/2026/11/20/rollout-1.jsonl", ".cline/data/sessions/s/s.messages.json",
)  # fmt: skip
"""A transcript of each host."""


def test_a_name_that_is_no_text_is_read(ws: Workspace, tmp_path: Path) -> None:
    folder = tmp_path / os.fsdecode(b"x\xff")
    Transcript(os.fsdecode(b"s\xfe"), "/code/shop").prompt("No, use pytest").write(folder)
    assert learn("backfill", str(folder), cwd=tmp_path).returncode == 0


def test_a_chat_that_names_no_folder_is_read_and_nothing_else(
    ws: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chat = tmp_path / "user" / ".gemini/tmp/h/chats/session-1.jsonl"
    chat.parent.mkdir(parents=True)
    lines = [
        {"sessionId": "a1", "projectHash": "h", "startTime": TIME, "lastUpdated": TIME, "kind": "main"},
        {"id": "m1", "timestamp": TIME, "type": "user", "content": [{"text": "No, use uv"}]},
    ]
    chat.write_text("\n".join(map(json.dumps, lines)))
    monkeypatch.chdir(Transcript("s1").prompt("No, use pytest").write(tmp_path / "here").parent)
    (project,) = transcript_files.projects()
    assert project.path.endswith("/.gemini")
    assert backfill.backfill(ws, [project.path]).sessions == 1


def test_a_transcript_that_is_a_fifo_in_a_folder_is_left_out(ws: Workspace, tmp_path: Path) -> None:
    path = Transcript("s1").prompt("No, use pytest").write(tmp_path / "transcripts")
    (path.with_suffix("") / "subagents").mkdir(parents=True)
    os.mkfifo(path.with_suffix("") / "subagents" / "agent-a.jsonl")
    os.mkfifo(path.with_name("s2.jsonl"))
    assert learn("backfill", str(path.parent), cwd=tmp_path).returncode == 0

"""Files that a person names, or that lie in a folder: FIFOs and devices are refused, links are left out."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from learnloop.service.intake import imports
from learnloop.service.workspace import Workspace
from tests.ingest.client_transcript import Transcript

SECONDS = 10


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
    ("import",), ("import", "--from", "reflect"), ("import", "--from", "triads"),
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


def test_an_olympus_folder_with_a_fifo_keeps_nothing_waiting(ws: Workspace, tmp_path: Path) -> None:
    folder = tmp_path / "olympus"
    folder.mkdir()
    os.mkfifo(folder / "feedback-log.jsonl")
    assert learn("import", "--from", "olympus", str(folder), cwd=tmp_path).returncode == 1


@pytest.mark.parametrize(("kind", "suffix"), [("memory", ".md"), ("triads", ".json")])
def test_links_in_a_folder_are_left_out(ws: Workspace, tmp_path: Path, kind: str, suffix: str) -> None:
    private = tmp_path / f"private{suffix}"
    private.write_text("- The customer is called Evergreen Farms.\n" if suffix == ".md" else '{"nodes": []}')
    folder = tmp_path / "given"
    folder.mkdir()
    (folder / f"a{suffix}").symlink_to(private)
    plain = "- Tests run before every commit.\n" if suffix == ".md" else '{"nodes": []}'
    (folder / f"b{suffix}").write_text(plain)
    report = imports.import_files(ws, kind, str(folder))
    assert any("is a link" in line for line in report.skipped)
    assert "Evergreen" not in str(report)


def test_links_in_an_olympus_folder_are_left_out(ws: Workspace, tmp_path: Path) -> None:
    (tmp_path / "private.jsonl").write_text('{"summary": "Evergreen", "details": "x"}\n')
    folder = tmp_path / "given"
    folder.mkdir()
    (folder / "discoveries.jsonl").symlink_to(tmp_path / "private.jsonl")
    (folder / "user-preferences.json").write_text("{}")
    report = imports.import_files(ws, "olympus", str(folder))
    assert any("is a link" in line for line in report.skipped)


def test_a_link_that_the_person_names_is_read(ws: Workspace, tmp_path: Path) -> None:
    (tmp_path / "real.md").write_text("- Tests run before every commit.\n")
    (tmp_path / "link.md").symlink_to(tmp_path / "real.md")
    assert imports.import_files(ws, "bullets", str(tmp_path / "link.md")).drafts == 1


def test_a_transcript_that_is_a_fifo_in_a_folder_is_left_out(ws: Workspace, tmp_path: Path) -> None:
    path = Transcript("s1").prompt("No, use pytest").write(tmp_path / "transcripts")
    (path.with_suffix("") / "subagents").mkdir(parents=True)
    os.mkfifo(path.with_suffix("") / "subagents" / "agent-a.jsonl")
    os.mkfifo(path.with_name("s2.jsonl"))
    assert learn("backfill", str(path.parent), cwd=tmp_path).returncode == 0

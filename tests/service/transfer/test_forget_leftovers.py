"""What killed writers left, words without a name, and places outside: forgotten too, or told."""

import os
import shutil
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from learnloop.cli.main import main
from learnloop.service.patches import patches
from learnloop.service.setup import install
from learnloop.service.transfer import forget
from learnloop.service.workspace import Workspace, ingest, open_workspace
from learnloop.wire import journal, paths
from tests.recorded_events import fire
from tests.service.patches import patch_home

SAID = "the red ledger of the harbour office is late again"


@pytest.fixture
def ws(root: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path / "run"))
    for session, words in (("gone-session", SAID), ("other-session", "write a test for the parser")):
        fire(root, "UserPromptSubmit", session, prompt=words)
    ingest(open_workspace(root))
    return open_workspace(root)


def _quoting(*folders: Path) -> list[str]:
    files = [path for folder in folders for path in folder.rglob("*") if path.is_file()]
    return [str(path) for path in files if SAID.encode() in path.read_bytes()]


@pytest.mark.parametrize("asked", [{"everything": True}, {"session": "gone-session"}])
def test_what_a_killed_writer_left_goes_at_the_first_run(
    ws: Workspace, tmp_path: Path, asked: dict[str, Any]
) -> None:
    for folder in (paths.spool(ws.root), journal.runtime_spool(ws.root)):
        cut_off = Path(folder, "0198c0ffee.tmp")
        cut_off.parent.mkdir(parents=True, exist_ok=True)
        cut_off.write_text(f'{{"session_id":"gone-session","payload":{{"prompt":"{SAID}')
        os.utime(cut_off, (time.time() - 60, time.time() - 60))
    report = forget.forget(ws, **asked)
    assert (report.remaining, _quoting(Path(ws.root), tmp_path / "run")) == (0, [])


@pytest.mark.parametrize("name", ["store/turns/2026-11-20-1.json.tmp", "odd/x.1234.tmp"])
def test_a_cut_off_document_goes_too(ws: Workspace, name: str) -> None:
    cut_off = Path(ws.root, name)
    cut_off.parent.mkdir(parents=True, exist_ok=True)
    cut_off.write_text('{"turns":{\n"t1":{"prompt":"red ledger')
    os.utime(cut_off, (time.time() - 60, time.time() - 60))
    assert forget.forget(ws, session="gone-session").remaining == 0
    assert not cut_off.exists()


def test_words_without_the_name_are_found(ws: Workspace) -> None:
    stray = Path(ws.root, "notes.json")
    stray.write_text(f'{{"note": "{SAID}"}}')
    report = forget.forget(ws, session="gone-session")
    assert report.remaining_in == ("notes.json",)


def test_words_that_another_session_said_too_are_no_leftover(ws: Workspace) -> None:
    fire(ws.root, "UserPromptSubmit", "other-session", prompt=SAID)
    assert forget.forget(ws, session="gone-session").remaining == 0


def test_what_lies_outside_is_told_with_how_it_goes(
    root: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    home = tmp_path / "person"
    patch_home.agents(home, "tester")
    monkeypatch.setenv("HOME", str(home))
    (home / ".claude" / "settings.json").write_text("{}")
    ws = patch_home.rules(root, 1)
    install.install(ws)
    patches.apply(ws, patch_home.ids(ws)[:1])
    assert main(["forget", "--all", "--yes"]) == 0
    printed = capsys.readouterr().err
    assert "blocks of ours in" in printed
    assert "copies of your agent's settings" in printed
    assert not list(Path(paths.backups(root), "patches").glob("*"))


def test_a_session_is_forgotten_on_a_full_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place, mount = tmp_path / "disk", shutil.which("mount")
    place.mkdir()
    command = [mount or "mount", "-t", "tmpfs", "-o", "size=3m,mode=0700", "learnloop", str(place)]
    if mount is None or subprocess.run(command, capture_output=True, check=False).returncode != 0:
        pytest.skip("mounting a tmpfs needs root rights that this run does not have")
    monkeypatch.delenv("XDG_RUNTIME_DIR", raising=False)
    try:
        ws = open_workspace(str(place / "home"))
        for session, words in (("gone-session", SAID), ("other-session", "write a test for the parser")):
            fire(ws.root, "UserPromptSubmit", session, prompt=words)
        ingest(ws)
        Path(ws.root, "ballast").write_bytes(os.urandom(256 * 1024))
        with pytest.raises(OSError, match="No space left"):
            Path(place, "filler").write_bytes(os.urandom(4 << 20))
        report = forget.forget(ws, session="gone-session")
        assert (report.remaining, _quoting(Path(ws.root))) == (0, [])
    finally:
        subprocess.run(["umount", str(place)], check=True, capture_output=True)

"""The background ingest: nice, silent, one at a time, tidy."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from learnloop.ingest import background, retention
from learnloop.store import locks, segments
from learnloop.store.store import Store
from learnloop.wire import clock, journal, paths
from tests.ingest.session_scene import Scene, write

DAY_MS = 86_400_000


def test_it_ingests_what_is_new_and_says_nothing(root: str) -> None:
    write(root, Scene().corrected())
    done = subprocess.run(
        [sys.executable, "-m", "learnloop.ingest.background", root],
        capture_output=True,
        timeout=110,
        check=False,
    )

    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert len(Store(root).lessons()) == 1
    assert Path(root, "ingest.stamp").exists()


def test_it_makes_its_root_where_there_is_none(root: str) -> None:
    background.run(root)

    assert oct(Path(root).stat().st_mode & 0o777) == "0o700"


def test_a_failure_is_in_the_log_and_nowhere_else(
    root: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(os, "nice", lambda _by: 0)
    Path(root).mkdir()
    Path(root, "store").write_text("no folder")
    write(root, Scene().corrected())

    assert background.main([root]) == 0
    assert capfd.readouterr() == ("", "")
    assert "Traceback" in Path(paths.log(root), "background.log").read_text()


def test_two_at_once_are_one(root: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "nice", lambda _by: 0)
    write(root, Scene().corrected())
    with locks.held(Path(root, "background.lock"), wait_s=0.0, what="a test"):
        assert background.main([root]) == 0
        assert Store(root).lessons() == []


def test_old_segments_go_once_they_are_ingested(root: str) -> None:
    old, new = clock.now_ms() - 91 * DAY_MS, clock.now_ms() - 89 * DAY_MS
    names = [segments.name(ms, 0) for ms in (old, old + 1, new, clock.now_ms())]
    for number, name in enumerate(names):
        path = segments.path(root, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        scene = Scene(f"s{number}").corrected(f"never use eval{number}")
        path.write_bytes(journal.frame(scene.events))
    retention.retire(root)
    assert segments.names(root) == names

    background.run(root)
    assert [name for name in segments.names(root) if name in names] == names[2:]
    lessons = Store(root).lessons()
    assert len(lessons) == 4
    assert sum(lesson.archived_reason == "expired" for lesson in lessons) == 3, "nobody looked for a month"


@pytest.mark.parametrize("umask", [0, 0o022, 0o777])
def test_the_log_is_the_persons_alone_whatever_the_umask(
    root: str, monkeypatch: pytest.MonkeyPatch, umask: int
) -> None:
    monkeypatch.setattr(os, "nice", lambda _by: 0)
    Path(root).mkdir()
    Path(root, "store").write_text("no folder")
    write(root, Scene().corrected())
    before = os.umask(umask)
    try:
        assert background.main([root]) == 0
    finally:
        os.umask(before)
    assert oct(Path(paths.log(root), "background.log").stat().st_mode & 0o777) == "0o600"

"""Export and import, through a file and through a real pipe."""

import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.store import ACTIVE, LESSONS, WORDLESS, Learn, seed

LEARN = [sys.executable, "-m", "learnloop.cli.main"]


@pytest.fixture
def learn(root: str, capsys: pytest.CaptureFixture[str]) -> Learn:
    seed(root)
    return Learn(capsys)


def test_a_file_is_written_whole_and_for_its_owner_alone(learn: Learn, tmp_path: Path) -> None:
    target = tmp_path / "out" / "lessons.json"
    learn.refused("export", "--quotes", str(target))
    target.parent.mkdir()
    assert learn("export", "--quotes", str(target)) == 0
    assert len(json.loads(target.read_text())["lessons"]) == len(LESSONS)
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    assert [path.name for path in target.parent.iterdir()] == ["lessons.json"]


def test_export_and_import_through_a_pipe(learn: Learn, tmp_path: Path) -> None:
    other = dict(os.environ, LEARNLOOP_HOME=str(tmp_path / "other"))
    export = subprocess.Popen([*LEARN, "export", "--quotes", "-"], stdout=subprocess.PIPE)
    taken = subprocess.run(
        [*LEARN, "import", "-"], stdin=export.stdout, env=other, capture_output=True, text=True, check=False
    )
    assert export.stdout is not None
    export.stdout.close()
    assert (export.wait(60), taken.returncode) == (0, 0)
    assert taken.stderr in ("", "learn: still at work: importing\n")
    listed = subprocess.run([*LEARN, "lessons", "--json"], env=other, capture_output=True, check=True)
    found = {one["id"]: one for one in json.loads(listed.stdout)}
    assert set(found) == {one.id for one in LESSONS}
    assert {one["status"] for one in found.values()} == {"draft"}, "nobody approved them there"
    assert found[ACTIVE]["statement"] == "Commits are signed."
    assert "\x1b" not in found[WORDLESS]["evidence"][0]["quote"]


@pytest.mark.parametrize(
    "content",
    [b"", b"not json", b"\xff\xfe", b"[]", b'{"version": 99, "lessons": []}', b"[" * 100_000],
)
def test_a_foreign_file_is_refused_and_changes_nothing(learn: Learn, tmp_path: Path, content: bytes) -> None:
    before = learn.listing("lessons")
    foreign = tmp_path / "foreign.json"
    foreign.write_bytes(content)
    learn.refused("import", str(foreign))
    assert learn.listing("lessons") == before
    assert learn.listing("undo", "--history") == []


def test_a_file_that_is_not_there_is_refused(learn: Learn, tmp_path: Path) -> None:
    assert "no such file" in learn.refused("import", str(tmp_path / "missing.json"))
    learn.refused("import", str(tmp_path))

"""What git would say of a file, read from its index alone."""

import os
import subprocess
from pathlib import Path

import pytest

from learnloop.hosts import git_index


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = tmp_path / "repository"
    folder.mkdir()
    return folder


def git(folder: Path, *words: str) -> None:
    identity = ("-c", "user.name=a", "-c", "user.email=a@b")
    subprocess.run(["git", *identity, *words], cwd=folder, check=True, capture_output=True)


def fill(folder: Path) -> None:
    names = ("a", ".claude/settings.local.json", ".claude/settings.local.json.orig", "z/ä/ö.txt")
    for name in [*names, *(f"deep/{number}/file.txt" for number in range(50))]:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(name)


@pytest.mark.usefixtures("_git")
@pytest.mark.parametrize("version", ["2", "3", "4"])
@pytest.mark.parametrize("hash_", ["sha1", "sha256"])
@pytest.mark.parametrize("split", ["", "split"])
def test_it_names_what_git_tracks(repository: Path, version: str, hash_: str, split: str) -> None:
    git(repository, "init", "-q", f"--object-format={hash_}")
    fill(repository)
    git(repository, "-c", f"index.version={version}", "add", ".")
    git(repository, "update-index", "--index-version", version)
    if version == "3":
        (repository / "later").write_text("")
        git(repository, "add", "-N", "later")
    if split:
        git(repository, "update-index", "--split-index")
    (repository / "new").write_text("")
    for name in (".claude/settings.local.json", "a", "z/ä/ö.txt", "deep/49/file.txt"):
        assert git_index.is_tracked(repository / name)
    for name in ("new", ".claude/settings.local", "settings.local.json", "deep/50/file.txt"):
        assert not git_index.is_tracked(repository / name)


@pytest.mark.usefixtures("_git")
def test_a_worktree_has_an_index_of_its_own(repository: Path, tmp_path: Path) -> None:
    git(repository, "init", "-q")
    fill(repository)
    git(repository, "add", ".")
    git(repository, "commit", "-q", "-m", "x")
    git(repository, "worktree", "add", "-q", str(tmp_path / "tree"))
    assert git_index.is_tracked(tmp_path / "tree" / "a")
    assert not git_index.is_tracked(tmp_path / "tree" / "b")


@pytest.mark.usefixtures("_git")
def test_nothing_is_tracked_where_nothing_was_added_or_no_repository_is(repository: Path) -> None:
    assert not git_index.is_tracked(repository / "a")
    git(repository, "init", "-q")
    assert not git_index.is_tracked(repository / "a")


@pytest.mark.parametrize("data", [b"", b"DIRC", b"garbage" * 100, b"DIRC\0\0\0\x02\xff\xff\xff\xff"])
def test_an_index_that_cannot_be_read_may_name_everything(repository: Path, data: bytes) -> None:
    (repository / ".git").mkdir()
    (repository / ".git" / "index").write_bytes(data)
    assert git_index.is_tracked(repository / "a")


def test_an_index_that_is_a_fifo_keeps_nothing_waiting(repository: Path) -> None:
    (repository / ".git").mkdir()
    os.mkfifo(repository / ".git" / "index")
    assert git_index.is_tracked(repository / "a")

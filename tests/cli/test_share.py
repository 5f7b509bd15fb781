"""`learn share`: the bytes are shown, written after a yes alone, and arrive where a person trusts them."""

import io
from pathlib import Path

import pytest

from learnloop.service import workspace
from learnloop.service.lessons import queue
from tests.cli.store import Learn
from tests.service.transfer.checkouts import clone, remote

STATEMENT = "Use uv instead of pip."


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A clone of a repository."""
    return Path(clone(tmp_path / "shop", remote("git@github.com:acme/shop.git") + "[user]\nname = Ada\n"))


@pytest.fixture
def learn(root: str, capsys: pytest.CaptureFixture[str], checkout: Path) -> Learn:
    """The command line of a person with one lesson of that clone."""
    learn = Learn(capsys)
    assert learn("add", STATEMENT, "--project", str(checkout)) == 0
    return learn


def _id(root: str) -> str:
    return queue.listing(workspace.open_workspace(root), "active")[0].id


def _file(root: str, checkout: Path) -> Path:
    return checkout / ".learnloop" / "lessons" / f"{_id(root)}.json"


def test_nothing_is_written_by_showing(learn: Learn, root: str, checkout: Path) -> None:
    assert learn("share", _id(root), "--repo", str(checkout), "--dry-run") == 0
    assert f'"statement": "{STATEMENT}"' in learn.out
    assert "Nothing was written" in learn.out
    assert not (checkout / ".learnloop").exists()


@pytest.mark.parametrize(("answer", "is_written"), [("", False), ("n", False), ("yes", True)])
def test_it_is_written_after_a_yes(
    learn: Learn, root: str, checkout: Path, monkeypatch: pytest.MonkeyPatch, answer: str, is_written: bool
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{answer}\n"))
    assert learn("share", _id(root), "--repo", str(checkout)) == 0
    assert _file(root, checkout).exists() == is_written


def test_what_was_shown_arrives_at_another_persons(
    learn: Learn, root: str, checkout: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert learn("share", _id(root), "--repo", str(checkout), "--yes") == 0
    assert _file(root, checkout).read_text() in learn.out
    monkeypatch.setenv("LEARNLOOP_HOME", str(tmp_path / "bob"))
    assert learn("config", "--trust", "--project", str(checkout)) == 0
    assert "From the team: 1 new draft, 0" in learn.out
    assert learn("show", _id_of_draft(tmp_path)) == 0
    assert "from the team: Ada" in learn.out
    assert "every checkout of github.com/acme/shop" in learn.out


def _id_of_draft(tmp_path: Path) -> str:
    return queue.listing(workspace.open_workspace(str(tmp_path / "bob")), "draft")[0].id

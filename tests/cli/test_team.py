"""`learn team`: a space is made, joined and left from the command line; no password is an argument."""

import io
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from learnloop.ingest import start_reading
from learnloop.service import workspace
from learnloop.service.lessons import queue
from tests import postgres
from tests.cli.store import Learn

pytest.importorskip("psycopg")
Login = dict[str, str]


@pytest.fixture(scope="module")
def owner() -> Iterator[Login]:
    """The owner of a database."""
    if why := postgres.reason():
        pytest.skip(why)
    programs = list(postgres.programs().values())[-1]
    with (
        tempfile.TemporaryDirectory(prefix="pg-") as folder,
        postgres.running(programs, Path(folder)) as login,
    ):
        yield login


def _types(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))


def test_a_lesson_goes_from_one_home_to_another(
    owner: Login,
    root: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    learn = Learn(capsys)
    where = f"postgresql://?host={owner['host']}&dbname=acme&user={owner['user']}"
    _types(monkeypatch, owner["password"])
    assert learn("team", "create", where, "--as", "Ada") == 0
    assert f"{root}/team/state.json" in learn.out
    assert learn("add", "Answers are short.") == 0
    (lesson,) = queue.listing(workspace.open_workspace(root), "active")
    assert learn("share", lesson.id, "--team", "--dry-run") == 0
    assert '"statement": "Answers are short."' in learn.out
    assert learn("share", lesson.id, "--team", "--yes") == 0
    assert learn("team") == 0
    assert "waiting    2" in learn.out
    assert learn("team", "sync") == 0
    assert "waiting    0" in learn.out
    _types(monkeypatch, owner["password"])
    assert learn("team", "invite", "Bob") == 0
    line = learn.out.strip().splitlines()[-1]
    monkeypatch.setenv("LEARNLOOP_HOME", str(tmp_path / "bob"))
    _types(monkeypatch, line)
    assert learn("team", "join") == 0
    assert "From the team: 1 new draft" in learn.out
    assert learn("show", lesson.id) == 0
    assert "from the team: Ada" in learn.out
    _types(monkeypatch, owner["password"])
    assert learn("team", "upgrade") == 0
    assert "how many calls it stopped" in learn.out
    assert "counts     sent" in learn.out
    assert learn("doctor") in (0, 1)
    assert "acme, 0 s ago, 0 wait to be sent" in learn.out
    assert learn("team", "remove", "Ada") == 1
    assert "only a maintainer" in learn.err
    _types(monkeypatch, "y")
    assert learn("team", "leave") == 0
    assert learn("team", "members") == 0
    assert not (tmp_path / "bob" / "team" / "state.json").exists()


def test_an_address_with_a_password_is_refused(root: str, capsys: pytest.CaptureFixture[str]) -> None:
    learn = Learn(capsys)
    assert learn("team", "create", "postgresql://ada:secret@db.acme.com/acme") == 1
    assert "holds a password" in learn.err
    assert "secret" not in learn.err + learn.out


def test_an_exchange_is_started_once_in_a_quarter_of_an_hour_and_only_in_a_team(
    root: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[list[str]] = []
    monkeypatch.setattr("subprocess.Popen", lambda command, **_: started.append(command))
    assert not start_reading.start_exchange(root)
    Path(root, "team").mkdir(parents=True)
    Path(root, "team", "state.json").write_text("{}")
    assert (start_reading.start_exchange(root), start_reading.start_exchange(root)) == (True, False)
    assert started == [[*start_reading.EXCHANGE, root]]

"""A hook waits a moment for a file of somebody else, and then goes on without it."""

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from learnloop.wire import project, regular

LONGEST_S = 3.0


class Left(Exception):
    """The hook left."""


@pytest.fixture
def hook() -> Iterator[None]:
    """A process with the alarm of a hook instead of the one of the tests."""

    def leave(*_: object) -> None:
        raise Left

    before = signal.signal(signal.SIGALRM, leave)
    left, _ = signal.setitimer(signal.ITIMER_REAL, LONGEST_S)
    yield
    signal.signal(signal.SIGALRM, before)
    signal.setitimer(signal.ITIMER_REAL, left)


def hangs(_path: str) -> bytes:
    """Read what never comes: the alarm that is set goes off."""
    assert 0 < signal.getitimer(signal.ITIMER_REAL)[0] <= regular.FOREIGN_S
    signal.raise_signal(signal.SIGALRM)
    return b""


@pytest.mark.usefixtures("hook")
def test_a_file_of_somebody_else_that_never_comes() -> None:
    with pytest.raises(OSError, match="not read in time"):
        regular.foreign("/there", hangs)
    assert regular.FOREIGN_S < signal.getitimer(signal.ITIMER_REAL)[0] <= LONGEST_S
    with pytest.raises(Left):
        signal.raise_signal(signal.SIGALRM)


@pytest.mark.usefixtures("hook")
def test_a_process_without_an_alarm_gets_none() -> None:
    signal.setitimer(signal.ITIMER_REAL, 0)
    assert regular.foreign("/there", lambda _path: b"read") == b"read"
    assert signal.getitimer(signal.ITIMER_REAL)[0] == 0


@pytest.mark.usefixtures("hook")
def test_a_worktree_whose_git_file_never_comes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".git").write_text("gitdir: /somewhere/.git/worktrees/x\n")
    monkeypatch.setattr(regular, "read", lambda path, _most: hangs(path))
    assert project.find(str(tmp_path), "/nobody") == str(tmp_path)


def test_how_long_a_hook_waits_for_a_file_of_somebody_else() -> None:
    assert regular.FOREIGN_S == 0.25

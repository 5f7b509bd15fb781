"""Long work says what it does, also where no person watches."""

import io
import sys
import threading

import pytest

from learnloop.cli.progress import progress


class _Listener(io.StringIO):
    def __init__(self) -> None:
        super().__init__()
        self.heard = threading.Event()

    def write(self, text: str) -> int:
        self.heard.set()
        return super().write(text)


def test_long_work_says_what_it_does(monkeypatch: pytest.MonkeyPatch) -> None:
    listener = _Listener()
    monkeypatch.setattr(sys, "stderr", listener)
    with progress("Sessions"):
        assert listener.heard.wait(30)
    assert listener.getvalue().startswith("learn: still at work: sessions")

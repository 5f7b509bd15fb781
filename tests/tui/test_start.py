"""What the console loads before its first frame, and how it is started and ended."""

import subprocess
import sys
from pathlib import Path

import pytest

from learnloop import __version__
from learnloop_tui import main

FIRST_FRAME = """
import sys
from learnloop_tui.app.app import ConsoleApp
from learnloop_tui.bridge import ServiceBridge

class Probe(ConsoleApp):
    def _begin(self):
        print(" ".join(sys.modules))
        self.exit()

Probe(ServiceBridge(sys.argv[1])).run(headless=True)
"""
LATER = (
    "pydantic",
    "tinydb",
    "watchfiles",
    "anyio",
    "learnloop.models",
    "learnloop.store",
)


def test_store_models_and_watcher_are_loaded_after_the_first_frame(root: str) -> None:
    command = [sys.executable, "-c", FIRST_FRAME, root]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    loaded = set(done.stdout.split())
    assert "learnloop_tui.app.app" in loaded
    assert [name for name in LATER if name in loaded] == []
    service = sorted(name for name in loaded if name.startswith("learnloop.service."))
    light = ["learnloop.service.elapsed", "learnloop.service.lessons", "learnloop.service.lessons.row"]
    assert service == light, "what a row is and how a span of time is written, and nothing that makes a row"


def test_help_and_version_start_no_console(capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(["--version"]) == 0
    assert capsys.readouterr().out == f"learn-tui {__version__}\n"
    assert main.main(["--help"]) == 0
    assert "--demo" in capsys.readouterr().out


def test_an_unknown_argument_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(["--demmo"]) == 2
    assert "--demmo" in capsys.readouterr().err


def test_the_demo_leaves_nothing_behind(root: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []

    def look(folder: str, *, demo: bool) -> tuple[None, int]:
        assert demo
        assert Path(folder).is_dir()
        seen.append(folder)
        return None, 0

    monkeypatch.setattr(main, "open_console", look)
    assert main.main(["--demo"]) == 0
    assert not Path(seen[0]).exists()
    assert not Path(root).exists()


def test_a_demo_asked_for_in_the_console_comes_back_to_it(root: str, monkeypatch: pytest.MonkeyPatch) -> None:
    ways = [("demo", 0), (None, 0), (None, 3)]
    opened: list[bool] = []

    def step(folder: str, *, demo: bool) -> tuple[str | None, int]:
        opened.append(demo)
        return ways[len(opened) - 1]

    monkeypatch.setattr(main, "open_console", step)
    assert main.main([]) == 3
    assert opened == [False, True, False]

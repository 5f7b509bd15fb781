"""A person who lets a command of theirs read along, and what it answers in turn."""

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from learnloop.service.facts import modes
from learnloop.service.workspace import open_workspace
from learnloop.wire import paths
from tests.fact_scene import PROJECT

FAKE = str(Path(__file__).with_name("fake_command.py"))
TRIAL: dict[str, object] = {"facts": []}


class FakeModel:
    """The command in `facts.command`, which answers one text after the other."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch, *, schema: bool = True) -> None:
        self.folder, self._answers = folder, 0
        folder.mkdir(exist_ok=True)
        self.command(monkeypatch, "answers", str(folder), "{model}", *(["{schema}"] if schema else []))
        self.answers(TRIAL)

    @staticmethod
    def command(monkeypatch: pytest.MonkeyPatch, *words: str) -> None:
        """Another command in the person's variables."""
        monkeypatch.setenv("LEARNLOOP_FACTS_MODE", "draft")
        monkeypatch.setenv(
            "LEARNLOOP_FACTS_COMMAND",
            json.dumps([sys.executable, "-I", "-S", FAKE, *words], ensure_ascii=False),
        )

    @staticmethod
    def settings_file(mode: str = "draft") -> None:
        """The settings of the variables, in the file."""
        file = Path(paths.config_file())
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f'[facts]\nmode = "{mode}"\ncommand = {os.environ["LEARNLOOP_FACTS_COMMAND"]}\n')

    def answers(self, *answers: object) -> None:
        """What it answers next, after what it was given before."""
        for answer in answers:
            text = answer if isinstance(answer, str) else json.dumps(answer)
            (self.folder / f"answer-{self._answers}").write_text(text)
            self._answers += 1

    @property
    def asked(self) -> list[str]:
        """What it was asked, without the trial."""
        return [(self.folder / f"asked-{number}").read_text() for number in range(1, self._count())]

    @property
    def seen(self) -> list[Any]:
        """Of each call its arguments, its variables, and what stood in its folder."""
        return [json.loads((self.folder / f"seen-{number}").read_text()) for number in range(self._count())]

    def _count(self) -> int:
        return len(list(self.folder.glob("asked-*")))


def allow(root: str, mode: str = "draft") -> None:
    """A person lets a model read along in the project."""
    modes.set_mode(open_workspace(root), PROJECT, mode)

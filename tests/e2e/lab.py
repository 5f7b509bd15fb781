"""A laboratory: the real client with a scripted model, Learnloop installed as a user would."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from learnloop.models import Feedback, Turn
from learnloop.service import workspace
from learnloop.service.sessions import sessions
from learnloop.store import pending

SCENARIOS = Path(__file__).parent / "scenarios"
ATTEND = Path(__file__).parent / "attend.py"
LEARN = Path(sys.executable).parent / "learn"


@dataclass(frozen=True)
class Place:
    """Where a text stood when the model was asked: the list that answered, and whose words."""

    request: int
    kind: str
    role: str
    text: str


@dataclass(frozen=True)
class Play:
    """What one run of the client left: the runner's report, and every request to the model."""

    report: str
    requests: tuple[dict[str, Any], ...]

    def places(self, words: str) -> list[Place]:
        """Every place in the conversations that holds these words."""
        return [place for place in self._all() if words in place.text]

    @property
    def screens(self) -> list[str]:
        """What the terminal showed at each `screen` of the scenario, its lines as one."""
        return [
            " ".join(screen.split()) for screen in self.report.split("\nlogs: ")[0].split("screen:\n")[1:]
        ]

    def _all(self) -> Iterator[Place]:
        for number, line in enumerate(self.requests):
            body, kind = line.get("body", {}), line.get("kind", "")
            for text in _texts(body.get("system")):
                yield Place(number, kind, "system prompt", text)
            for message in body.get("messages", []):
                for text in _texts(message.get("content")):
                    yield Place(number, kind, message["role"], text)


def _texts(content: Any) -> Iterator[str]:
    if isinstance(content, str):
        yield content
        return
    for block in content or []:
        if block.get("type") == "text":
            yield block["text"]
        elif block.get("type") == "tool_result":
            yield from _texts(block.get("content"))


class Lab:
    """A scratch home, project and store; each `play` is one scenario in them."""

    def __init__(self, realclient: Path, client: Path, work: Path) -> None:
        self._realclient, self._client, self.work = realclient, client, work
        self.root, self.home, self.project = work / "store root", work / "home", work / "project"
        self.settings = self.home / ".claude" / "settings.json"
        work.mkdir(parents=True, exist_ok=True)

    @property
    def env(self) -> dict[str, str]:
        """The environment of the person who uses Learnloop here."""
        return {
            "HOME": str(self.home),
            "PATH": f"{LEARN.parent}:{os.environ['PATH']}",
            "LEARNLOOP_HOME": str(self.root),
            "LEARNLOOP_BACKGROUND": "0",
            "LANG": "C.UTF-8",
        }

    def play_steps(self, steps: list[Any], turns: list[Any], *, recalls: bool = True) -> Play:
        """Run the client through a scenario that stands in no file."""
        path = self.work / "scenario.json"
        path.write_text(json.dumps({"steps": steps, "turns": turns}), "utf-8")
        return self.play(str(path.with_suffix("")), LEARNLOOP_RECALL=str(int(recalls)))

    def play(
        self, scenario: str, *setup: str, install: bool = True, recorder: bool = False,
        attended: bool = True, **env: str,
    ) -> Play:  # fmt: skip
        """Run the client through a scenario, after `learn install` and further `setup` shell commands.

        Print mode stands for a person at a terminal, unless nobody is to be `attended`.
        """
        log = self.work / "logs" / "requests.jsonl"
        before = log.stat().st_size if log.exists() else 0
        report = subprocess.run(
            self._command(scenario, setup, install, recorder, env, attended),
            capture_output=True, text=True, timeout=110, env={**os.environ, "HOME": str(self.work)},
        )  # fmt: skip
        assert report.returncode == 0, report.stderr
        assert "NOT SEEN" not in report.stdout, report.stdout
        with log.open() as lines:
            lines.seek(before)
            requests = tuple(json.loads(line) for line in lines)
        return Play(report.stdout, requests)

    def _command(
        self, scenario: str, setup: tuple[str, ...], install: bool, recorder: bool, env: dict[str, str],
        attended: bool,
    ) -> list[str]:  # fmt: skip
        attend = [f"'{sys.executable}' '{ATTEND}' '{self.settings}'"] if attended else []
        steps = [f"'{LEARN}' install", *attend, *setup] if install else [*setup]
        named = {"LEARNLOOP_HOME": str(self.root), "LEARNLOOP_BACKGROUND": "0", **env}
        return [
            sys.executable, str(self._realclient / "run.py"), str(SCENARIOS / f"{scenario}.json"),
            "--work", str(self.work), "--client", str(self._client), "--limit", "60",
            *(word for step in steps for word in ("--setup", step)),
            *(word for item in named.items() for word in ("--env", "=".join(item))),
            *([] if recorder else ["--no-recorder"]),
        ]  # fmt: skip

    def learn(self, *words: str, typed: str | None = None) -> str:
        """What `learn …` prints, given what is typed into its pipe; it must succeed."""
        done = subprocess.run(
            [LEARN, *words],
            env=self.env, cwd=self.project, capture_output=True, text=True, timeout=60, input=typed,
        )  # fmt: skip
        assert done.returncode == 0, f"learn {' '.join(words)}: {done.stdout}{done.stderr}"
        return done.stdout

    def listing(self, *words: str) -> list[dict[str, Any]]:
        """The documents that `learn … --json` lists."""
        documents: list[dict[str, Any]] = json.loads(self.learn(*words, "--json"))
        return documents

    def approve(self) -> dict[str, Any]:
        """The one draft that waits after an ingest, promoted on the command line."""
        self.learn("ingest")
        (draft,) = self.listing("lessons", "--drafts")
        self.learn("promote", draft["id"])
        return draft

    def events(self, kind: str = "") -> list[dict[str, Any]]:
        """Every recorded event, oldest first."""
        return [e for e in pending.records(str(self.root), "") if kind in ("", e["kind"])]

    def turns(self) -> list[Turn]:
        """The turns that ingest derived, oldest first."""
        space = workspace.open_workspace(str(self.root))
        return sorted(sessions.turns(space), key=lambda turn: turn.started)

    def feedback(self) -> list[Feedback]:
        """What the prompts were judged to say, oldest first."""
        space = workspace.open_workspace(str(self.root))
        return sorted(sessions.feedback(space), key=lambda item: item.timestamp)

    def hooked(self) -> list[dict[str, Any]]:
        """What the runner's own recorder hook saw."""
        lines = (self.work / "logs" / "hooks.jsonl").read_text().splitlines()
        return [json.loads(line) for line in lines]

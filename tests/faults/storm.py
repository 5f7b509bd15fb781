"""A storm: hooks, writers, ingests, consoles and verdicts at once, each killed with -9 at any moment."""

import contextlib
import json
import os
import random
import shlex
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from scripts.perf.terminal import Terminal

from learnloop.errors import LearnloopError
from learnloop.store import tinydb_file
from learnloop.store.store import Store
from tests.faults import hooked_store
from tests.hooks.agent import Agent
from tests.store import numbered_events

REPOSITORY = Path(__file__).resolve().parents[2]
_AT_ONCE = 6
_HEAD = 40
"""Characters by which a turn is recognised: turns keep the beginning of a long prompt."""
_LONGEST_S = {"writer": 0.25, "hook": 0.12, "verdicts": 1.5, "ingest": 1.5}
"""How long each is left alone at most; then it is killed, unless it has ended."""

Process = subprocess.Popen[bytes]


@dataclass
class Outcome:
    """What a storm started, what it killed, and what was acknowledged before."""

    started: dict[str, int] = field(default_factory=dict)
    killed: dict[str, int] = field(default_factory=dict)
    ids: list[str] = field(default_factory=list)
    """Events that writers said are kept."""
    prompts: list[str] = field(default_factory=list)
    """Prompts whose hook ended by itself."""
    rejected: list[str] = field(default_factory=list)
    """Lessons whose verdict was said to be kept."""

    def count(self, counts: dict[str, int], name: str) -> None:
        """One more of these."""
        counts[name] = counts.get(name, 0) + 1

    def __str__(self) -> str:
        """Started and killed, by what they are."""
        return ", ".join(f"{count} {name} ({self.killed.get(name, 0)} killed)" for name, count in
                         sorted(self.started.items()))  # fmt: skip


@dataclass(frozen=True)
class _Running:
    name: str
    process: Process
    dies_at: float
    ended: Callable[[bytes, bool], None]
    """Told what it printed, and whether it ended by itself."""


class Storm:
    """Starts processes on one store and kills them, for so many seconds; the seed decides when."""

    def __init__(self, agent: Agent, drafts: list[str], seed: int) -> None:
        self._agent = agent
        self._drafts = iter(drafts)
        self._chance = random.Random(seed)
        self._numbers = iter(range(1_000_000))
        self._seed = seed
        self.outcome = Outcome()

    def rage(self, seconds: float, *, consoles: bool = True) -> Outcome:
        """Keep as many running as there is room for, killing each in its time; then kill the rest."""
        end = time.monotonic() + seconds
        running: list[_Running] = []
        with contextlib.ExitStack() as stack:
            while time.monotonic() < end:
                if consoles and self._chance.random() < 0.02:
                    self._console()
                if len(running) < _AT_ONCE:
                    running.append(self._start(stack))
                running = [one for one in running if not self._reaped(one)]
                _wait_a_moment(running)
            while running:
                running = [one for one in running if not self._reaped(one)]
                _wait_a_moment(running)
        return self.outcome

    def _start(self, stack: contextlib.ExitStack) -> _Running:
        name = self._chance.choices(("writer", "hook", "verdicts", "ingest"), (3, 6, 1, 3))[0]
        process, ended = getattr(self, f"_{name}")()
        stack.enter_context(process)
        self.outcome.count(self.outcome.started, name)
        return _Running(name, process, time.monotonic() + self._chance.random() * _LONGEST_S[name], ended)

    def _reaped(self, one: _Running) -> bool:
        """Whether a process is over, killed now if its time has come; what it acknowledged is noted."""
        is_over = one.process.poll() is not None
        if not is_over and time.monotonic() < one.dies_at:
            return False
        if not is_over:
            one.process.kill()
            self.outcome.count(self.outcome.killed, one.name)
        out, _ = one.process.communicate()
        one.ended(out, one.process.returncode == 0)
        return True

    def _python(self, *args: str) -> Process:
        environment = {**os.environ, "PYTHONPATH": str(REPOSITORY)}
        return subprocess.Popen(
            [sys.executable, *args], stdout=subprocess.PIPE, env=environment, cwd=REPOSITORY
        )

    def _writer(self) -> tuple[Process, Callable[[bytes, bool], None]]:
        process = self._python("-m", "tests.faults.writer", self._agent.root, "150", "600")
        return process, lambda out, _: self.outcome.ids.extend(_lines(out))

    def _verdicts(self) -> tuple[Process, Callable[[bytes, bool], None]]:
        drafts = [draft for draft, _ in zip(self._drafts, range(5), strict=False)]
        process = self._python("-m", "tests.faults.rejecter", self._agent.root, *drafts)
        return process, lambda out, _: self.outcome.rejected.extend(_lines(out))

    def _ingest(self) -> tuple[Process, Callable[[bytes, bool], None]]:
        environment = {**os.environ, **self._agent.env, "LEARNLOOP_HOME": self._agent.root}
        command = [hooked_store.LEARN, "ingest"]
        process = subprocess.Popen(
            command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        return process, lambda out, _: None

    def _hook(self) -> tuple[Process, Callable[[bytes, bool], None]]:
        words = f"typed in storm {self._seed}, number {next(self._numbers)}"
        process = subprocess.Popen(
            shlex.split(self._agent.command), env=self._agent.env, cwd=self._agent.project,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        assert process.stdin is not None
        payload = {"hook_event_name": "UserPromptSubmit", "session_id": words, "prompt_id": words,
                   "cwd": str(self._agent.project), "prompt": words}  # fmt: skip
        process.stdin.write(json.dumps(payload).encode())
        process.stdin.close()
        process.stdin = None
        return process, partial(self._hook_ended, words)

    def _hook_ended(self, words: str, _: bytes, is_well: bool) -> None:
        if is_well:
            self.outcome.prompts.append(words)

    def _console(self) -> None:
        environment = {**os.environ, **self._agent.env, "LEARNLOOP_HOME": self._agent.root}
        with Terminal([hooked_store.CONSOLE], environment) as terminal:
            terminal.rest(self._chance.random() * 2)
        self.outcome.count(self.outcome.started, "console")
        self.outcome.count(self.outcome.killed, "console")


@dataclass(frozen=True)
class Aftermath:
    """What stands in a store after a storm and the next quiet moment."""

    outcome: Outcome
    lost: list[str]
    """Events, prompts and verdicts that were acknowledged and are not there, or are no part of a turn."""
    twice: list[str]
    torn: list[str]
    """Files that cannot be read."""

    @property
    def acknowledged(self) -> int:
        """Events, prompts and verdicts."""
        return len(self.outcome.ids) + len(self.outcome.prompts) + len(self.outcome.rejected)


def aftermath(root: str, outcome: Outcome) -> Aftermath:
    """Compare what was acknowledged with what is there: before the next ingest, and after it."""
    seen = numbered_events.seen(root)
    at_once = set(seen) | set(numbered_events.stored(root))
    hooked_store.settle(root)
    stored, prompts, status = (
        numbered_events.stored(root),
        hooked_store.prompts(root),
        hooked_store.status(root),
    )
    turns = {str(turn["prompt"])[:_HEAD] for turn in Store(root).all_documents("turns")}
    lost = [each for each in outcome.ids if each not in at_once or not stored[each]]
    lost += [words for words in outcome.prompts if not prompts[words] or words[:_HEAD] not in turns]
    lost += [lesson for lesson in outcome.rejected if status[lesson] != "rejected"]
    twice = [*(Counter(seen) - Counter(set(seen))), *(each for each, count in stored.items() if count > 1)]
    twice += [words for words, count in prompts.items() if count > 1]
    files = sorted(Path(root, "store").rglob("*.json"))
    return Aftermath(outcome, lost, twice, [path.name for path in files if not _is_whole(path)])


def _is_whole(path: Path) -> bool:
    try:
        return bool(tinydb_file.load(path))
    except LearnloopError:
        return False


def _lines(out: bytes) -> Iterator[str]:
    """The whole lines of what a process printed before it died."""
    return iter(out.decode().split("\n")[:-1])


def _wait_a_moment(running: list[_Running]) -> None:
    """Until the next process has to die or has ended, at most a few milliseconds."""
    time.sleep(0.005 if running else 0)  # the moments of death are what is being varied

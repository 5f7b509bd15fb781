"""Hook processes, whole, as agents start them, against the bare interpreter that they run in."""

import itertools
import json
import os
import shlex
import statistics
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from scripts.perf import big_stores
from scripts.perf.measure import WARM_UP, Command, Measures, Row, Samples, compared, rounds

from learnloop.ingest.run import ingest
from learnloop.service import workspace
from learnloop.service.setup import install

ROUNDS, QUICK_ROUNDS = 60, 4
EVENTS = ("UserPromptSubmit", "Stop", "PreToolUse match", "PreToolUse never asked", "SessionStart")
GOALS = dict(zip(EVENTS, (1.35, 1.25, 1.4, 1.2, 1.5), strict=True))
OPENED = "t"  # marks sessions that a prompt has opened
_EDIT = "import sys\n\n\ndef load(path):\n    print('loading', path)\n    return path.read_text()\n" * 20


@dataclass(frozen=True)
class Bench:
    """A store with hooks deployed, and a firing of each event for every round."""

    root: Path
    project: Path
    argv: tuple[str, ...]
    env: dict[str, str]
    transcript: str

    @property
    def bare(self) -> Command:
        """The same interpreter, doing nothing."""
        return Command((self.argv[0], "-I", "-S", "-c", "pass"), self.env)

    def firing(self, event: str, number: int | str) -> Path:
        """The standard input of an event, in a session of its own for each number."""
        path = self.root.parent / f"{self.root.name}-{event.replace(' ', '-')}-{number}.json"
        if not path.exists():
            path.write_text(json.dumps(self._payload(event, self.session(number))))
        return path

    def session(self, number: int | str) -> str:
        """The session of a number."""
        return str(uuid.uuid5(uuid.NAMESPACE_OID, str(number)))

    def command(self, event: str, number: int | str, shell: bool = False) -> Command:
        """The registered command for one firing, started directly or as the client's shell form does."""
        argv = ("/bin/sh", "-c", shlex.join(self.argv)) if shell else self.argv
        return Command(argv, self.env, self.firing(event, number))

    def run(self, event: str, prefix: str, number: int, shell: bool = False) -> float:
        """The milliseconds of one firing."""
        return self.command(event, f"{prefix}{number}", shell).run()

    def _payload(self, event: str, session: str) -> dict[str, Any]:
        return {
            "session_id": session,
            "transcript_path": self.transcript,
            "cwd": str(self.project),
            "prompt_id": str(uuid.uuid5(uuid.NAMESPACE_OID, session)),
            "hook_event_name": event.partition(" ")[0],
            "permission_mode": "acceptEdits",
            **_more(event, f"{self.project}/app/loader.py"),
        }


def _more(event: str, file: str) -> dict[str, Any]:
    """What an event carries besides."""
    more: dict[str, dict[str, Any]] = {
        "SessionStart": {"source": "startup"},
        "UserPromptSubmit": {"prompt": "Should the loader print, or is there logging? " * 4},
        "SubagentStart": {"agent_id": "a1", "agent_type": "reviewer"},
        "Stop": {"stop_hook_active": False, "last_assistant_message": "It is done. " * 40,
                 "background_tasks": [], "session_crons": []},
        "PreToolUse match": {"tool_name": "Write", "tool_use_id": "toolu_01XyHc9fTqZ7mVwRk3Ub5LNa",
                             "tool_input": {"file_path": file, "content": _EDIT}},
        "PreToolUse ls": {"tool_name": "Bash", "tool_use_id": "toolu_01Ls",
                          "tool_input": {"command": "ls"}},
        "PreToolUse ts": {"tool_name": "Write", "tool_use_id": "toolu_01Ts", "tool_input": {
            "file_path": file.replace(".py", ".ts"), "content": _EDIT}},
        "PreToolUse rb": {"tool_name": "Write", "tool_use_id": "toolu_01Rb", "tool_input": {
            "file_path": file.replace(".py", ".rb"), "content": _EDIT}},
        "PreToolUse go": {"tool_name": "Write", "tool_use_id": "toolu_01Go", "tool_input": {
            "file_path": file.replace(".py", ".go"), "content": _EDIT}},
        "PreToolUse never asked": {"tool_name": "Read", "tool_use_id": "toolu_01PdK8sWnQ2jBvFt6GxY4eMr",
                                   "tool_input": {"file_path": file}},
    }  # fmt: skip
    return more[event]


def bench(folder: Path, name: str, lessons: int, *, journal: int = 0, transcript: int = 0) -> Bench:
    """A store with so many active lessons, a journal of so many lines and a transcript of so many bytes."""
    root, project = folder / name, folder / "project"
    (project / ".git").mkdir(parents=True, exist_ok=True)
    root.mkdir()
    env = {"HOME": str(folder), "PATH": os.environ["PATH"], "LEARNLOOP_HOME": str(root),
           "LEARNLOOP_BACKGROUND": "0", "CLAUDE_PROJECT_DIR": str(project)}  # fmt: skip
    os.environ.update(env)
    line = install.hook_command(workspace.open_workspace(str(root)), "claude")
    if lessons:
        big_stores.write(
            root, [*big_stores.lessons(lessons - 1, str(project)), big_stores.matching(str(project))]
        )
        ingest(str(root), wait_s=60)
    if journal:
        big_stores.write(root, big_stores.events(journal, str(project)))
    path = folder / f"{name}.jsonl"
    big_stores.transcript(path, transcript)
    store = Bench(root, project, tuple(shlex.split(line)), env, str(path))
    (store.root / "recall" / "sessions").mkdir(parents=True, exist_ok=True)
    return store


def _open_sessions(bench: Bench, prefix: str, count: int) -> None:
    """Tools are called in sessions that a prompt has opened: fire one in each."""
    for number in range(count + WARM_UP):
        bench.run("UserPromptSubmit", prefix + OPENED, number)


def _sessions_of(event: str, prefix: str) -> str:
    return prefix + OPENED if event.startswith("PreToolUse") else prefix


def _tells(bench: Bench, event: str) -> bool:
    """Whether a firing of this event tells the model something."""
    done = subprocess.run(
        bench.argv, env=bench.env, stdin=bench.firing(event, "check").open(), capture_output=True
    )
    return b"Logging is used" in done.stdout


def _check(bench: Bench) -> None:
    """What is measured is what was meant: lessons recalled where they match, silence where nobody asks."""
    for event, expected in (("UserPromptSubmit", True), ("PreToolUse match", True), ("SessionStart", True),
                        ("Stop", False), ("PreToolUse never asked", False)):  # fmt: skip
        if _tells(bench, event) is not expected:
            raise RuntimeError(f"{event} {'tells nothing' if expected else 'tells something'}")


def _unhurt(bench: Bench) -> None:
    """No hook failed while it was measured: a failing one is quick."""
    if b'"kind":"hook_error"' in (bench.root / "journal.jsonl").read_bytes():
        raise RuntimeError("hooks failed while they were measured; see the hook_error events")


def small_store(folder: Path, quick: bool) -> list[Row]:
    """Each event with 500 active lessons, started directly, and through `sh -c` on both sides."""
    count = QUICK_ROUNDS if quick else ROUNDS
    store = bench(folder, "store", 500)
    _check(store)
    rows = _against_bare(store, store.bare, count, shell=False)
    shell = Command(("/bin/sh", "-c", shlex.join(store.bare.argv)), store.env)
    rows += _against_bare(store, shell, count, shell=True)
    _unhurt(store)
    return rows


def _against_bare(bench: Bench, bare: Command, count: int, *, shell: bool) -> list[Row]:
    prefix = "s" if shell else "d"
    _open_sessions(bench, prefix, count)
    measures: Measures = {"bare": lambda _: bare.run()}
    for event in EVENTS:
        measures[event] = partial(bench.run, event, _sessions_of(event, prefix), shell=shell)
    samples = rounds(count, measures)
    how = ", both through sh -c" if shell else " against the bare interpreter"
    return [compared(samples, event, "bare", GOALS[event], event + how) for event in EVENTS]


def large_store(folder: Path, quick: bool) -> list[Row]:
    """The same firings with 10,000 lessons, 100,000 events and a 50 MB transcript, and with nothing."""
    count, scale = (QUICK_ROUNDS, 50) if quick else (ROUNDS, 1)
    empty = bench(folder, "empty", 0)
    full = bench(folder, "full", 10_000 // scale, journal=100_000 // scale, transcript=50_000_000 // scale)
    _check(full)
    measures: Measures = {}
    for name, store in (("empty", empty), ("full", full)):
        _open_sessions(store, "d", count)
        for event in EVENTS:
            measures[f"{event} {name}"] = partial(store.run, event, _sessions_of(event, "d"))
    samples = rounds(count, measures)
    _unhurt(full)
    return [_large_row(samples, event) for event in EVENTS]


def _large_row(samples: Samples, event: str) -> Row:
    goal = 1.1 if event == "Stop" else 1.3
    return compared(samples, f"{event} full", f"{event} empty", goal, f"{event}, large store against empty")


_PEAK = """
import posix, sys
null = posix.open('/dev/null', posix.O_WRONLY)
start = (posix.POSIX_SPAWN_OPEN, 0, sys.argv[1], posix.O_RDONLY, 0), (posix.POSIX_SPAWN_DUP2, null, 1)
child = posix.posix_spawn(sys.argv[2], sys.argv[2:], posix.environ, file_actions=start)
print(posix.wait4(child, 0)[2].ru_maxrss)
"""


_CHECKED = {
    "PreToolUse never asked": ("a call that no check looks at", 1.1),
    "PreToolUse ls": ("a command that no check is about", 1.45),
    "PreToolUse ts": ("a call that a check looks at", 1.45),
    "PreToolUse rb": ("a call that a check with an expression looks at", 1.9),
    "Stop": ("the end of a turn with 20 due checks", 1.35),
}
_DUES = 20


def checks(folder: Path, quick: bool) -> list[Row]:
    """Calls and ends that checks look at, with 500 other lessons, against the bare interpreter."""
    count = QUICK_ROUNDS if quick else ROUNDS
    store = bench(folder, "checked", 500)
    big_stores.write(store.root, map(_checking, _rules(), itertools.repeat(str(store.project))))
    ingest(str(store.root), wait_s=60)
    _open_sessions(store, "c", count)
    for number in range(count + WARM_UP):  # the end of these turns is sent back for twenty lessons
        store.run("PreToolUse go", "c" + OPENED, number)
    if not _sends_back(store, f"c{OPENED}{0}"):
        raise RuntimeError("nothing is due at the end of a turn")
    measures: Measures = {"bare": lambda _: store.bare.run()}
    for event in _CHECKED:
        measures[event] = partial(store.run, event, "c" + OPENED)
    samples = rounds(count, measures)
    _unhurt(store)
    return [compared(samples, event, "bare", goal, name) for event, (name, goal) in _CHECKED.items()]


def _rules() -> Iterator[dict[str, Any]]:
    yield {"form": "never", "act": [{"on": "write", "files": ["*.ts"], "text": ["console.log"]}]}
    yield {"form": "never", "act": [{"on": "write", "files": ["*.rb"], "text": ["re:\\bputs\\b"]}]}
    for number in range(_DUES):
        then = [{"on": "command", "runs": [f"make part{number}"]}]
        yield {"form": "due", "act": [{"on": "write", "files": ["*.go"]}], "then": then}


def _checking(rule: dict[str, Any], project: str) -> dict[str, Any]:
    """The decision that adds a lesson with a rule, which nothing else tells."""
    record = big_stores.matching(project)
    lesson = record["payload"]["args"]["lesson"]
    lesson |= {
        "statement": f"As I said: {rule['form']} {rule['act']} {rule.get('then')}.", "priority": "MEDIUM",
        "triggers": {"file_patterns": ["**/nowhere"]}, "check": [rule], "stops": rule["form"] == "never",
        "reminds": rule["form"] == "due",
    }  # fmt: skip
    return record


def _sends_back(store: Bench, session: str) -> bool:
    with store.firing("Stop", session).open() as firing:
        done = subprocess.run(store.argv, env=store.env, stdin=firing, capture_output=True)
    return b'"block"' in done.stdout


def memory(folder: Path, quick: bool) -> list[Row]:
    """The largest resident size of a hook, asked by a parent that is small itself."""
    store = bench(folder, "store", 500)
    kilobytes = {"bare": _peak(store.bare)}
    for event in EVENTS:
        kilobytes[event] = _peak(store.command(event, "peak"))
    return [
        Row(f"{event}, peak memory", 1.3, kilobytes[event] / kilobytes["bare"],
            note=f"{kilobytes[event] / 1024:.1f} MB against {kilobytes['bare'] / 1024:.1f} MB")
        for event in EVENTS
    ]  # fmt: skip


def _peak(command: Command) -> float:
    argv = [command.argv[0], "-I", "-S", "-c", _PEAK, str(command.stdin), *command.argv]
    sizes = [
        int(subprocess.run(argv, env=dict(command.env), capture_output=True, check=True).stdout)
        for _ in range(5)
    ]
    return statistics.median(sizes) / (1024 if sys.platform == "darwin" else 1)


def burst(folder: Path, quick: bool) -> list[Row]:
    """Fifty hooks at once, each in a session of its own, until the last has ended."""
    count = 3 if quick else 40
    store = bench(folder, "store", 500)
    batches = [[store.command(_MIX[n % len(_MIX)], f"b{number}-{n}") for n in range(50)]
               for number in range(count + WARM_UP)]  # fmt: skip
    samples = rounds(count, {
        "bare": lambda _: _at_once([store.bare] * 50),
        "hooks": lambda number: _at_once(batches[number]),
    })  # fmt: skip
    _unhurt(store)
    return [compared(samples, "hooks", "bare", 1.6, "50 hooks at once against 50 bare interpreters")]


_MIX = ("UserPromptSubmit", "PreToolUse match", "Stop", "PreToolUse match", "SessionStart")


def _at_once(commands: list[Command]) -> float:
    start = time.perf_counter_ns()
    for child in [command.spawn() for command in commands]:
        os.waitpid(child, 0)
    return (time.perf_counter_ns() - start) / 1e6

"""How far a reader is sent: the distinct program files whose functions a real command enters.

Each command runs in a process of its own, on a throw-away store. What runs while a module is imported is left
out, so a file that is only imported does not count.
"""

import contextlib
import inspect
import io
import itertools
import json
import os
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path
from types import FrameType
from typing import Any

_ROOT = Path(__file__).resolve().parents[2]
_COUNTED = (f"{_ROOT}/src/", f"{_ROOT}/hooks/")
_EVENTS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("session_start", {"source": "startup"}), ("prompt", {"prompt": "write a test for the parser"}),
    ("tool_end", {"tool": "Edit", "file": "tests/test_parser.py"}),
    ("turn_end", {"message": "The test is written.", "background": []}),
    ("prompt", {"prompt": "No, that's wrong, use pytest"}),
)  # fmt: skip
_PATCH = "patch apply"
FLOWS = {
    "prompt → draft": ("ingest",),
    "promote → index": ("promote", "LESSON"),
    _PATCH: ("patches", "apply", "PATCH"),
}
"""The commands in the order in which they run on one store; words in capitals are ids."""


@cache
def counted() -> dict[str, list[str]]:
    """The files that each of `FLOWS` enters; raises CalledProcessError where a command fails."""
    with tempfile.TemporaryDirectory() as folder:
        project = Path(folder, "project")
        project.mkdir()
        Path(folder, ".claude").mkdir()
        Path(folder, ".claude", "CLAUDE.md").write_text("# Mine\n", "utf-8")
        _run(project, "record")
        files = {name: _entered(project, words) for name, words in FLOWS.items() if name != _PATCH}
        _run(project, "learn", "add", "Answer in German.")
        return files | {_PATCH: _entered(project, FLOWS[_PATCH])}


def _entered(project: Path, words: tuple[str, ...]) -> list[str]:
    listing = {"LESSON": ("lessons", "--drafts"), "PATCH": ("patches",)}
    named = [_run(project, "id", *listing[word]) if word in listing else word for word in words]
    files: list[str] = json.loads(_run(project, "learn", *named))
    return files


def _run(project: Path, *words: str) -> str:
    """The last line that a step prints, run in a process of its own."""
    home = str(project.parent)
    places = {"HOME": home, "LEARNLOOP_HOME": f"{home}/data", "PYTHONPATH": str(_ROOT)}
    done = subprocess.run(
        [sys.executable, "-m", "scripts.house.flows", *words], cwd=project, stdin=subprocess.DEVNULL,
        env={"PATH": os.environ["PATH"], "LANG": "C.UTF-8", **places}, check=True,
        capture_output=True, text=True,
    )  # fmt: skip
    return (done.stdout.splitlines() or [""])[-1]


def _learn(words: list[str]) -> list[str]:
    """Run `learn` and return the files that it entered."""
    entered: set[str] = set()
    bodies = 0  # that run now: what a module calls while it is imported is no step of the flow

    def note(frame: FrameType, event: str, _: Any) -> None:
        nonlocal bodies
        if not frame.f_code.co_flags & inspect.CO_OPTIMIZED:
            bodies += {"call": 1, "return": -1}.get(event, 0)
        elif event == "call" and not bodies:
            entered.add(frame.f_code.co_filename)

    sys.setprofile(note)
    from learnloop.cli.main import main

    code = main(words)
    sys.setprofile(None)
    if code:
        raise SystemExit(code)
    return sorted(place.removeprefix(f"{_ROOT}/") for place in entered if place.startswith(_COUNTED))


def _record() -> None:
    from learnloop.wire import clock, event, journal, paths

    here = str(Path.cwd())
    times = itertools.count(clock.now_ms() - 60_000, 1000)  # events of one millisecond would have no order
    journal.append(
        paths.root(),
        [
            event.record(
                kind, host="claude", session_id="s1", cwd=here, project=here, payload=payload, ts_ms=at
            )
            for at, (kind, payload) in zip(times, _EVENTS, strict=False)
        ],
    )


def _step(words: list[str]) -> None:
    match words:
        case ["record"]:
            _record()
        case ["learn", *rest]:
            print(json.dumps(_learn(rest)))
        case ["id", *rest]:
            from learnloop.cli.main import main

            with contextlib.redirect_stdout(io.StringIO()) as printed:
                main([*rest, "--json"])
            print(json.loads(printed.getvalue())[0]["id"])


if __name__ == "__main__":
    _step(sys.argv[1:])

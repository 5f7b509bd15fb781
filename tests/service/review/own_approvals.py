"""An agent that approves its own lesson: real processes, each below one that is called as an agent is."""

import os
import shlex
import shutil
import signal
import subprocess
import sys
import sysconfig
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from learnloop.ingest.run import ingest
from learnloop.service.lessons import documents
from tests.recorded_events import fire

SCRIPTS = sysconfig.get_path("scripts")
SESSION = "11111111-2222-3333-4444-555555555555"
_FORK = """
import os, sys
if os.fork(): os._exit(0)
os.setsid()
os.execvp(sys.argv[1], sys.argv[1:])
"""


def draft(root: str) -> str:
    """The id of a draft that an agent would like to be approved."""
    fire(root, "UserPromptSubmit", SESSION, prompt="write a test for the parser")
    fire(root, "UserPromptSubmit", SESSION, prompt="no, use pnpm, not npm")
    ingest(root)
    (lesson_id,) = documents.lessons(root)
    return lesson_id


def environment(root: str, **more: str) -> dict[str, str]:
    names = ("HOME", "LEARNLOOP_BACKGROUND", "LANG")
    return {
        **{name: os.environ[name] for name in names if name in os.environ},
        "LEARNLOOP_HOME": root, "PATH": f"{SCRIPTS}:/usr/bin:/bin", "PYTHONDONTWRITEBYTECODE": "1", **more,
    }  # fmt: skip


def below(agent: str, folder: Path, command: Sequence[str], env: Mapping[str, str]) -> str:
    """What a command prints that a shell called like an agent starts, as its tool."""
    shell = folder / agent
    if not shell.exists():
        shutil.copy(shutil.which("bash") or "/bin/bash", shell)
    words = shlex.join(command)
    run = subprocess.run(
        [str(shell), "-c", f"{words}; true"], env=dict(env), capture_output=True, text=True, timeout=60,
        check=False, start_new_session=True,
    )  # fmt: skip
    return run.stdout + run.stderr


def apart(folder: Path, command: Sequence[str], env: Mapping[str, str]) -> None:
    """Run a command below no one, and wait until it has ended."""
    done = folder / "done"
    script = folder / "apart.sh"
    script.write_text(f"cd {shlex.quote(str(folder))}; {shlex.join(command)} > out 2>&1; touch done\n")
    subprocess.run([sys.executable, "-c", _FORK, "bash", str(script)], env=dict(env), check=True, timeout=60)
    deadline = time.monotonic() + 60
    while not done.exists():
        assert time.monotonic() < deadline
        signal.sigtimedwait([], 0.01)


def in_call(root: str, command: str, *, ended: bool = False, tool_id: str = "t1") -> None:
    """Record that an agent begins a command, or that it ended."""
    name = "PostToolUse" if ended else "PreToolUse"
    given = {"command": command}
    fire(root, name, SESSION, tool_name="Bash", tool_input=given, tool_use_id=tool_id, tool_response="ok")


def status(root: str) -> tuple[str, bool]:
    """The state of the only lesson after ingest, and whether a verdict on it is claimed."""
    ingest(root)
    (doc,) = documents.lessons(root).values()
    return str(doc["status"]), bool(doc.get("claims"))

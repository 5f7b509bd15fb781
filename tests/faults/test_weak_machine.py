"""Weak machines, with real processes: whatever one lacks, what was typed becomes a lesson that is told."""

import functools
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from learnloop.wire import provenance, regular

SHELL = ("sh", "-c")
AS_IS = 'exec "$@"'
RIGHTLESS = ("setpriv", "--bounding-set=-all", "--")
"""Root without a right of root: its own files have to be open to it."""
NOBODY = ("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--")
NO_PROC = ("unshare", "-m", *SHELL, f"mount -t tmpfs none /proc && {AS_IS}", "sh")
ONE_CPU = ("taskset", "-c", str(min(os.sched_getaffinity(0))))
OWN_PATH = [path for path in sys.path if path and not path.startswith(sys.base_prefix)]
"""Where the program and its packages are, for another interpreter of the same version too."""
TYPED = "never use pip here, always use uv"


def _limited(limit: str) -> tuple[str, ...]:
    return (*SHELL, f"{limit}; {AS_IS}", "sh")


def _ends_well(*command: str) -> bool:
    try:
        return subprocess.run(command, capture_output=True, timeout=60).returncode == 0
    except FileNotFoundError:
        return False


class Machine:
    """Starts verbs and hooks behind a command that takes something away from them."""

    def __init__(self, folder: Path, *prefix: str, python: str = sys.executable) -> None:
        self.prefix, self.python, self.folder = prefix, python, folder
        self.env = {
            "PATH": "/usr/bin:/bin", "HOME": f"{folder}/user", "LEARNLOOP_HOME": f"{folder}/home",
            "LEARNLOOP_BACKGROUND": "0", "PYTHONPATH": os.pathsep.join(OWN_PATH),
            "PYTHONPYCACHEPREFIX": sys.pycache_prefix or f"{folder}/pycache",
        }  # fmt: skip
        self.root = Path(self.env["LEARNLOOP_HOME"])
        self.project = folder / "project"

    def run(self, *command: str, data: bytes = b"") -> "subprocess.CompletedProcess[bytes]":
        """Run a command to its end."""
        return subprocess.run(
            [*self.prefix, *command], input=data, env=self.env, cwd=self.project,
            capture_output=True, timeout=60,
        )  # fmt: skip

    def learn(self, *argv: str) -> str:
        """What a verb prints; asserts that it ends well."""
        done = self.run(self.python, "-m", "learnloop.cli.main", *argv)
        assert done.returncode == 0, (argv, done.stderr.decode())
        return done.stdout.decode()

    @functools.cached_property
    def hook(self) -> str:
        """The command that a client registers."""
        return self.learn("install", "--hook-command").strip()

    def fire(self, event: str, **fields: object) -> str:
        """What a hook answers; asserts that it ends well and silently."""
        payload = {"hook_event_name": event, "session_id": "s1", "cwd": str(self.project), **fields}
        done = self.run(*SHELL, self.hook, data=json.dumps(payload).encode())
        assert (done.returncode, done.stderr) == (0, b""), self.hook
        return done.stdout.decode()


def _teaches(machine: Machine) -> None:
    """From a prompt to a call that is stopped, and the reports."""
    machine.fire("SessionStart", source="startup")
    machine.fire("UserPromptSubmit", prompt=TYPED)
    machine.learn("ingest")
    (draft,) = json.loads(machine.learn("lessons", "--drafts", "--all", "--json"))
    machine.learn("promote", draft["id"])
    answer = machine.fire(
        "PreToolUse", tool_name="Bash", tool_input={"command": "pip install x"}, tool_use_id="t1"
    )
    assert "Never use pip here" in answer
    assert "1 active" in machine.learn("status")
    report = machine.run(machine.python, "-m", "learnloop.cli.main", "doctor").stdout.decode()
    assert "✗" not in report, report


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that everybody may go to, with a home, a store to be and a project."""
    with tempfile.TemporaryDirectory(dir="/tmp") as name:
        folder = Path(name)
        folder.chmod(0o755)
        for part in ("user", "home", "project/.git"):
            (folder / part).mkdir(parents=True)
        yield folder


@pytest.fixture
def rights() -> tuple[str, ...]:
    """What takes root's rights away; nothing where there are none."""
    if os.getuid() == 0 and not _ends_well(*RIGHTLESS, "true"):
        pytest.skip("setpriv, which takes root's rights away, is not here")
    return RIGHTLESS if os.getuid() == 0 else ()


def _odd_modes(root: Path) -> list[str]:
    everything = [root, *(path for path in root.rglob("*") if not path.is_symlink())]
    return [
        f"{path} {path.stat().st_mode:o}"
        for path in everything
        if path.stat().st_mode & 0o777 != (0o700 if path.is_dir() else 0o600)
    ]


@pytest.mark.parametrize("umask", ["777", pytest.param("077", marks=pytest.mark.slow)])
def test_a_umask_that_closes_files_to_their_owner(folder: Path, rights: tuple[str, ...], umask: str) -> None:
    machine = Machine(folder, *rights, *_limited(f"umask {umask}"))
    machine.root.rmdir()
    _teaches(machine)
    assert _odd_modes(machine.root) == []


def test_the_database_is_its_owners_while_it_is_open(folder: Path, rights: tuple[str, ...]) -> None:
    """Its log and the memory that processes share have its mode, not that of the umask."""
    machine = Machine(folder, *rights, *_limited("umask 777"))
    script = (
        "import os, sys; from pathlib import Path; from learnloop.store import history\n"
        "with history.opened(sys.argv[1]) as it, it:\n"
        "    it.execute('CREATE TABLE x (y)')\n"
        "    for file in sorted(history.path(sys.argv[1]).parent.iterdir()):\n"
        "        print(file.name, oct(file.stat().st_mode & 0o777))\n"
    )
    done = machine.run(machine.python, "-c", script, str(machine.root))
    modes = dict(line.split() for line in done.stdout.decode().splitlines())
    assert modes == dict.fromkeys(("history.db", "history.db-wal", "history.db-shm"), "0o600"), done.stderr


@pytest.mark.slow
def test_a_user_without_rights(folder: Path) -> None:
    """Nobody, with an interpreter that nobody may start."""
    if os.getuid() != 0:
        pytest.skip("all other tests run without root's rights then")
    system = f"/usr/bin/python3.{sys.version_info.minor}"
    reads = f"import sys; sys.path[:] = {OWN_PATH!r} + sys.path; import learnloop, pydantic_core"
    python = next((it for it in (system, sys.executable) if _ends_well(*NOBODY, it, "-c", reads)), None)
    if python is None:
        pytest.skip("nobody may read the interpreter or the program here, or setpriv is not here")
    for path in (folder, *folder.rglob("*")):
        os.chown(path, 65534, 65534)
    _teaches(Machine(folder, *NOBODY, python=python))


@pytest.mark.slow
@pytest.mark.parametrize(
    "prefix",
    [
        pytest.param(_limited("ulimit -v 262144"), id="256 MiB of memory"),
        pytest.param(ONE_CPU, id="one processor"),
        pytest.param(NO_PROC, id="no /proc"),
    ],
)
def test_a_machine_that_lacks_something(
    folder: Path, rights: tuple[str, ...], prefix: tuple[str, ...]
) -> None:
    if not _ends_well(*prefix, "true"):
        pytest.skip(f"{prefix[0]} is not here, or needs rights that this run does not have")
    _teaches(Machine(folder, *prefix, *rights))


def test_without_proc_nothing_is_known_of_who_started_a_hook(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on macOS: the prompt is kept, and says nothing of its starter."""

    def missing(*_: object) -> str:
        raise FileNotFoundError

    monkeypatch.setattr(regular, "of_process", missing)
    prompt = {"kind": "prompt", "payload": {"prompt": TYPED}}
    provenance.mark("/nowhere", [prompt], is_hook=True)
    assert prompt["payload"] == {"prompt": TYPED}

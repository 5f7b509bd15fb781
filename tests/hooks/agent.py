"""An agent as hooks see it: it runs the registered command and writes a payload to its standard input."""

import contextlib
import json
import os
import shlex
import shutil
import signal
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from learnloop.service import workspace
from learnloop.service.setup import install
from learnloop.wire import codec, paths


def _without_alarm() -> None:
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGALRM})


_PROVENANCE = ("starter", "seal")


@contextlib.contextmanager
def _as_client() -> Iterator[None]:
    """This process under a client's name, where the system lets it have one."""
    name = Path("/proc/self/comm")
    before = name.read_text() if name.exists() else ""
    try:
        before and name.write_text("claude")
        yield
    finally:
        before and name.write_text(before)


class Agent:
    """Fires hooks through the deployed command, in a project and with a home of its own."""

    def __init__(self, root: str, project: Path) -> None:
        self.root = root
        self.project = project
        self.has_alarm = True
        """Without its alarm nothing ends a hook that waits, and the test that fired it fails."""
        self.shell: tuple[str, ...] = ("sh", "-c")
        """How its client runs the command."""
        self.command = install.hook_command(workspace.open_workspace(root), "claude")
        self.env = {
            "PATH": "/usr/bin:/bin",
            "HOME": os.environ["HOME"],
            "LEARNLOOP_BACKGROUND": "0",
            "CLAUDE_PROJECT_DIR": str(project),
        }

    def own_hooks(self) -> Path:
        """The folder of its hooks, from now on a copy that a test may change."""
        folder = Path(paths.hooks(self.root))
        shared = folder.resolve()
        if folder.is_symlink():
            folder.unlink()
            shutil.copytree(shared, folder, symlinks=True)
        return folder

    def start(self, **env: str) -> "subprocess.Popen[bytes]":
        """A hook process that waits for its input."""
        shell = [*self.shell, self.command]  # it would let the alarm through
        return subprocess.Popen(
            shell if self.has_alarm else shlex.split(self.command), env=self.env | env, cwd=self.project,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            preexec_fn=None if self.has_alarm else _without_alarm,
        )  # fmt: skip

    def write(self, data: bytes, **env: str) -> bytes:
        """Fire with raw bytes; asserts what must hold whatever they are, and returns the output."""
        with _as_client():
            process = self.start(**env)
            out, err = process.communicate(data, timeout=60)
        assert (process.returncode, err) == (0, b"")
        if out:
            assert isinstance(json.loads(out), dict)
        return out

    def fire(
        self, event: str, session: str = "s1", *, env: Mapping[str, str] | None = None, **fields: Any
    ) -> bytes:
        """Fire an event with the fields that every event has."""
        payload = {
            "hook_event_name": event, "session_id": session, "cwd": str(self.project),
            "transcript_path": "/nowhere.jsonl", **fields,
        }  # fmt: skip
        return self.write(json.dumps(payload).encode(), **(env or {}))

    def events(self) -> list[dict[str, Any]]:
        """What stands in the journal."""
        try:
            lines = Path(self.root, "journal.jsonl").read_bytes().splitlines()
        except FileNotFoundError:
            return []
        return [codec.decode(line.decode()) for line in lines if line.strip()]

    def payloads(self) -> list[tuple[str, dict[str, Any]]]:
        """Kind and payload of what stands in the journal, without where a prompt comes from."""
        return [
            (
                event["kind"],
                {name: value for name, value in event["payload"].items() if name not in _PROVENANCE},
            )
            for event in self.events()
        ]

"""A laboratory for the real clients of other hosts: the same scripted model in their own dialects."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.e2e.lab import LEARN, SCENARIOS, Lab, Play

_FETCH = (
    "import sys, tempfile, pathlib, hosts, run_host; host = hosts.HOSTS[sys.argv[1]];"
    "name = f'realhost-npm-{host.name}-{host.version}';"
    "run_host.install(host, pathlib.Path(tempfile.gettempdir(), name), host.version)"
)


def fetch(realclient: Path, host: str) -> str:
    """Fetch a host from npm where it is not there yet; the reason where that fails."""
    ran = subprocess.run(
        [sys.executable, "-c", _FETCH, host], cwd=realclient / "hosts", capture_output=True, text=True
    )
    return (ran.stderr.strip() or "no message").splitlines()[-1] if ran.returncode else ""


def _in_terminal(scenario: Path, folder: Path) -> Path:
    """The same scenario, with its prompts typed in one terminal session."""
    script = json.loads(scenario.read_text("utf-8"))
    answers = iter([turn["text"] for turn in script["turns"] if "text" in turn])
    keys: list[list[Any]] = [["ready"]]
    for step in script["steps"]:
        keys += [["say", step["prompt"]], ["see", re.escape(next(answers))], ["sleep", 1.5]]
    script["steps"] = [{"tui": [*keys, ["quit"]]}]
    typed = folder / scenario.name
    typed.write_text(json.dumps(script), "utf-8")
    return typed


class HostLab(Lab):
    """A scratch home, project and store of one host; each `play` is one scenario in them."""

    def __init__(self, realclient: Path, host: str, work: Path) -> None:
        super().__init__(realclient / "hosts", work, work)
        self.host = host

    def _command(
        self, scenario: str, setup: tuple[str, ...], install: bool, recorder: bool, env: dict[str, str],
        attended: bool,
    ) -> list[str]:  # fmt: skip
        steps = [f"'{LEARN}' install --host {self.host}", *setup] if install else [*setup]
        named = {"LEARNLOOP_HOME": str(self.root), "LEARNLOOP_BACKGROUND": "0", **env}
        own: Path | str = SCENARIOS / f"{scenario}.json" if scenario.startswith("hosts_") else scenario
        if isinstance(own, Path):  # where a person types
            own = _in_terminal(own, self.work)
        return [
            sys.executable, str(self._realclient / "run_host.py"), str(own),
            "--host", self.host, "--work", str(self.work), "--limit", "100",
            *(word for step in steps for word in ("--setup", step)),
            *(word for item in named.items() for word in ("--env", "=".join(item))),
            *([] if recorder else ["--no-recorder"]),
        ]  # fmt: skip


def requests_with(played: Play, words: str) -> list[int]:
    """The numbers of the agent's own requests that hold these words anywhere."""
    bodies = [line["body"] for line in played.requests if line.get("kind") == "main"]
    return [number for number, body in enumerate(bodies) if words in json.dumps(body, ensure_ascii=False)]

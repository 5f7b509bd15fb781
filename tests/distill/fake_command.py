"""A command that answers as a model does, or fails as commands do: `fake_command.py WAY [WORDS]`."""

import json
import os
import sys
import time
from pathlib import Path

HOLDING = (
    "import fcntl, sys, time; f = open(sys.argv[1]); fcntl.flock(f, 2); print(flush=True); time.sleep(60)"
)


def _hang() -> None:
    time.sleep(60)


def _ignore() -> None:
    import signal

    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    print("ready", flush=True)
    _hang()


def _fork() -> None:
    import subprocess

    child = subprocess.Popen([sys.executable, "-c", HOLDING, sys.argv[2]], stdout=subprocess.PIPE)
    assert child.stdout
    child.stdout.readline()


def _complain() -> None:
    while True:
        os.write(2, b"it goes wrong\n" * 1000)


def _flood() -> None:
    os.write(1, b"x" * 1_000_000)
    _hang()


def _hang_after_trial() -> None:
    if "learnloop-trial-" in sys.stdin.read():
        sys.stdout.write('{"facts": []}')
        return
    (Path(sys.argv[2]) / "hangs").touch()
    _hang()


WAYS = {
    "hang": _hang, "ignore": _ignore, "fork": _fork, "complain": _complain, "flood": _flood,
    "hang-after-trial": _hang_after_trial,
}  # fmt: skip


def main() -> int:
    way, words = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else ""
    if way == "exit":
        print("it broke", file=sys.stderr)
        return int(words)
    if way == "say":
        sys.stdin.read()
        sys.stdout.write(words)
        return 0
    if way == "answers":
        folder = Path(words)
        asked = len(list(folder.glob("asked-*")))
        (folder / f"asked-{asked}").write_text(sys.stdin.read())
        beside = [str(path) for path in Path.cwd().iterdir()]
        (folder / f"seen-{asked}").write_text(json.dumps([sys.argv[3:], dict(os.environ), beside]))
        sys.stdout.write((folder / f"answer-{asked}").read_text())
        return 0
    WAYS[way]()
    return 0


if __name__ == "__main__":
    sys.exit(main())

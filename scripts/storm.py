"""A storm of `kill -9` in a throw-away store, as one command: `make storm ARGS="--seconds 60"`."""

import argparse
import os
import sys
import tempfile
from pathlib import Path

from tests.faults import hooked_store
from tests.faults.storm import Aftermath, Storm, aftermath
from tests.generated_drafts import seed_queue
from tests.hooks.agent import Agent

_DRAFTS_A_SECOND = 40


def main() -> int:
    """Rage, then print what was acknowledged and what of it is lost, twice or torn; 1 where anything is."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0, help="how long processes are killed")
    parser.add_argument("--seed", type=int, default=1, help="decides what is started, and when it dies")
    parser.add_argument("--consoles", action="store_true", help="kill consoles too, which need a terminal")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="learnloop-storm-") as folder:
        agent = _agent(Path(folder))
        seed_queue(agent.root, int(args.seconds * _DRAFTS_A_SECOND) + 100)
        storm = Storm(agent, sorted(hooked_store.status(agent.root)), args.seed)
        found = aftermath(agent.root, storm.rage(args.seconds, consoles=args.consoles))
    print(_table(found))
    return 1 if found.lost or found.twice or found.torn else 0


def _agent(folder: Path) -> Agent:
    """An agent with a home, a store and a project of its own."""
    for name in [name for name in os.environ if name.startswith(("LEARNLOOP_", "XDG_", "CLAUDE"))]:
        del os.environ[name]
    os.environ |= {
        "HOME": f"{folder}/user", "LEARNLOOP_HOME": f"{folder}/home", "LEARNLOOP_BACKGROUND": "0",
    }  # fmt: skip
    for part in ("user", "project/.git"):
        (folder / part).mkdir(parents=True)
    return Agent(f"{folder}/home", folder / "project")


def _table(found: Aftermath) -> str:
    outcome = found.outcome
    rows = [
        (name, f"{count:,}", f"{outcome.killed.get(name, 0):,}") for name, count in outcome.started.items()
    ]
    lines = [
        f"{name:<12}{count:>10}{killed:>10}" for name, count, killed in [("", "started", "killed"), *rows]
    ]
    figures = {"acknowledged": found.acknowledged, "lost": len(found.lost), "twice": len(found.twice),
               "torn": len(found.torn)}  # fmt: skip
    return "\n".join([*lines, "", *(f"{name:<12}{number:>10,}" for name, number in figures.items())])


if __name__ == "__main__":
    sys.exit(main())

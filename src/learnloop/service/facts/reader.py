"""The detached reading: `python -m learnloop.service.facts.reader [ROOT]`, niced and silent.

It reads what waits, then takes in what a person's standing approval covers.
"""

import contextlib
import os
import sys

from learnloop.distill import runner
from learnloop.errors import Busy
from learnloop.ingest import background
from learnloop.service.facts import check_proposals, taking_in
from learnloop.service.workspace import open_workspace
from learnloop.settings import load
from learnloop.wire import paths
from learnloop.wire import project as wire_project


def main(argv: list[str] | None = None) -> int:
    """Read what waits. Always return 0, because nobody reads the exit code."""
    arguments = sys.argv[1:] if argv is None else argv
    root = arguments[0] if arguments else paths.root()
    with contextlib.suppress(OSError):
        os.nice(10)
    background.logged(root, lambda: _read_alone(root), "facts")
    return 0


def _read_alone(root: str) -> None:
    folder = os.environ.get("CLAUDE_PROJECT_DIR", "")
    project = wire_project.find(folder) if folder else ""
    with contextlib.suppress(Busy):  # the other one reads what waits
        runner.run(root, project=project)
        ws, settings = open_workspace(root), load(environment=False)
        taking_in.take_in(ws, settings, project)
        check_proposals.ask_wanted(ws, settings)


if __name__ == "__main__":
    sys.exit(main())

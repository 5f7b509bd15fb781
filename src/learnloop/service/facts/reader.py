"""The detached reading: `python -m learnloop.service.facts.reader [ROOT [SESSION]]`, niced and silent.

It reads what waits, then takes in what a person's standing approval covers, and judges the turns that wait.
Of a session it judges the turns alone, and prints what an agent waits for that its last one broke.
"""

import contextlib
import os
import sys

from learnloop.distill import runner
from learnloop.errors import Busy
from learnloop.ingest import background
from learnloop.service.facts import check_proposals, taking_in, turn_asking
from learnloop.service.workspace import open_workspace
from learnloop.settings import load
from learnloop.wire import codec, paths
from learnloop.wire import project as wire_project


def main(argv: list[str] | None = None) -> int:
    """Read what waits. Always return 0, because nobody reads the exit code."""
    arguments = sys.argv[1:] if argv is None else argv
    root = arguments[0] if arguments else paths.root()
    with contextlib.suppress(OSError):
        os.nice(10)
    session_id = arguments[1] if len(arguments) > 1 else ""
    background.logged(root, lambda: _judge(root, session_id) if session_id else _read_alone(root), "facts")
    return 0


def _judge(root: str, session_id: str) -> None:
    """Judge the turns of a session, and tell the hook that started this, if it still waits."""
    ws = open_workspace(root)
    with contextlib.suppress(Busy):  # the other one asks about it
        turn_asking.ask(ws, load(environment=False), session_id, _project())
    with contextlib.suppress(OSError):
        os.write(1, codec.encode(turn_asking.held_by(ws, session_id)).encode())


def _project() -> str:
    """The project of the hook that started this: of no other one its variables decide."""
    folder = os.environ.get("CLAUDE_PROJECT_DIR", "")
    return wire_project.find(folder) if folder else ""


def _read_alone(root: str) -> None:
    project = _project()
    with contextlib.suppress(Busy):  # the other one reads what waits
        runner.run(root, project=project)
        ws, settings = open_workspace(root), load(environment=False)
        taking_in.take_in(ws, settings, project)
        check_proposals.ask_wanted(ws, settings)
        turn_asking.ask(ws, settings, project=project)


if __name__ == "__main__":
    sys.exit(main())

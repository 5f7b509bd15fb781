"""The instruction file that a project lacks."""

from pathlib import Path

from learnloop.errors import Refused
from learnloop.hosts import agent_files
from learnloop.ingest import instruction_files
from learnloop.service.patches.board import Board
from learnloop.service.workspace import Workspace
from learnloop.store import foreign

_NAMES = ("CLAUDE.md", "AGENTS.md", "GEMINI.md")
_MODE = 0o644


def path_in(project: str, home: str = "") -> str:
    """The file that most of the person's agents would read there; CLAUDE.md of several that do."""
    hosts = agent_files.used_hosts(home)
    paths = (f"{project}/{name}" for name in _NAMES)
    return max(paths, key=lambda path: len(hosts.intersection(instruction_files.readers(path, project))))


def create(ws: Workspace, patch_id: str) -> str:
    """Create an empty instruction file in the project of a patch; return its path.

    Raises Refused where the project has an instruction file, or something of that name.
    """
    board = Board(ws)
    patch = board.find(patch_id)
    path = Path(path_in(patch.project, board.home))

    def check() -> None:
        if not board.lacks_file(patch) or path.exists() or path.is_symlink():
            raise Refused(f"{path} cannot be created: the project has such a file", "learn patches shows it")

    check()
    foreign.replace(path.parent, path.name, b"", mode=_MODE, check=check)
    return str(path)

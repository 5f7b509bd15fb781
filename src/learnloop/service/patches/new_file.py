"""The instruction file that a project lacks."""

from pathlib import Path

from learnloop.errors import Refused
from learnloop.service.patches.board import Board
from learnloop.service.workspace import Workspace
from learnloop.store import foreign

NAME = "CLAUDE.md"
_MODE = 0o644


def create(ws: Workspace, patch_id: str) -> str:
    """Create an empty CLAUDE.md in the project of a patch; return its path.

    Raises Refused where the project has an instruction file, or something of that name.
    """
    board = Board(ws)
    patch = board.find(patch_id)
    path = Path(patch.project) / NAME

    def check() -> None:
        if not board.lacks_file(patch) or path.exists() or path.is_symlink():
            raise Refused(f"{path} cannot be created: the project has such a file", "learn patches shows it")

    check()
    foreign.replace(path.parent, NAME, b"", mode=_MODE, check=check)
    return str(path)

"""The command of the person that has to pass before an agent is done: what may run, and for what."""

import os
import shlex
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from learnloop.errors import Refused
from learnloop.models import Lesson
from learnloop.models.lesson_check import OwnCommand
from learnloop.service import place, workspace
from learnloop.service.lessons import documents
from learnloop.service.review import agent_guard
from learnloop.service.workspace import Workspace
from learnloop.wire import own_command, paths, project

_SHELL = set("|&;<>()$`\n*?~#")
_LONGEST = 500
_RECIPES = {
    "make": ("Makefile", "makefile", "GNUmakefile"), "just": ("justfile", ".justfile"),
    "npm": ("package.json",), "pnpm": ("package.json",), "yarn": ("package.json",), "bun": ("package.json",),
    "tox": ("tox.ini",), "nox": ("noxfile.py",), "rake": ("Rakefile",), "task": ("Taskfile.yml",),
    "pre-commit": (".pre-commit-config.yaml",),
}  # fmt: skip
"""The files that say what a program runs in a project."""


def allowed(ws: Workspace, lesson: Lesson, line: str) -> dict[str, Any] | None:
    """The command of a person as it may run from now on; None for an empty line.

    It is bound to the lesson's project, else to the one that it is typed in, and to what it runs of it.
    Raises Refused where no person types it, for what only a shell understands, and for no program.
    """
    agent_guard.refuse("set a command that runs")
    if not place.here().attended:
        raise Refused("a command that runs is only set by you", "type it in a terminal, or in learn-tui")
    line = line.strip()
    if not line:
        return None
    if workspace.redacted(ws, line) != line or len(line) > _LONGEST:
        raise Refused(
            "the command is too long, or looks like a secret", "put it into a script, and name that"
        )
    where = lesson.project or documents.came_from(ws, lesson) or project.find(str(Path.cwd()), paths.home())
    if not Path(where).is_dir():
        raise Refused(f"there is no folder {where} here", "set it where the project is checked out")
    argv = _argv(line, where)
    return OwnCommand(line=line, argv=argv, project=where, files=_files(argv, where)).as_json()


def _argv(line: str, where: str) -> tuple[str, ...]:
    """The words of a line, the program by its full path."""
    try:
        words = shlex.split(line)
    except ValueError as error:
        raise Refused(f"the command cannot be read ({error})", "close each quote") from None
    if not words or not _SHELL.isdisjoint(line):
        raise Refused("no shell reads the command", "put what needs one into a script, and name that")
    path = os.pathsep.join((*_own_programs(where), os.environ.get("PATH", os.defpath)))
    named = str(Path(where, words[0])) if "/" in words[0] else words[0]
    program = shutil.which(named, path=path)
    if not program:
        raise Refused(f"there is no program {words[0]}", "name it by its path")
    return (os.path.abspath(program), *words[1:])  # noqa: PTH100  # a link stays one


def _own_programs(where: str) -> Iterator[str]:
    """Where a project keeps programs of its own."""
    return (str(Path(where, folder)) for folder in (".venv/bin", "venv/bin", "node_modules/.bin"))


def _files(argv: Sequence[str], where: str) -> dict[str, int]:
    """The files of the project that a command runs or is given, each with its checksum."""
    root = Path(where)
    named = [root / word for word in argv] + [root / name for name in _RECIPES.get(Path(argv[0]).name, ())]
    inside = (path for path in named if path.is_relative_to(root) and path.is_file())
    return {str(path): own_command.checksum(str(path)) for path in inside}

"""The line that makes agents read a file of facts: whether it is needed, and where it may go.

Agents read a file by its name, or by an import line in one that they read. So the first fact in a file comes
with such a line, where the person chooses.
"""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from shlex import quote

from learnloop.errors import Refused
from learnloop.hosts import client
from learnloop.ingest import instruction_files
from learnloop.models.base import Document
from learnloop.models.patch import Patch
from learnloop.patch import plain_bullets, propose
from learnloop.service.patches.board import Board
from learnloop.wire import clock

NOWHERE = "none"
"""The choice that no import line is written."""
_MEMORY = {"CLAUDE.md": "", ".claude/CLAUDE.md": "../", "CLAUDE.local.md": ""}
"""The instruction files of a project that load what they import, and the way from them to the project."""


class ImportChoice(Document):
    """A file of facts that no agent reads yet, and the patches of which one makes agents read it."""

    path: str
    options: tuple[Patch, ...]
    """The best first."""


def choices(now: Board, chosen: Iterable[Patch]) -> list[ImportChoice]:
    """The files that get their first fact by patches and that no agent reads, each with its options."""
    project_by_path = {
        target.path: patch.project
        for patch in chosen
        if patch.is_item and patch.project
        for target in patch.targets
        if not _has_facts(now, target.path)
    }
    return unread_choices(now, project_by_path)


def of_project(now: Board, project: str) -> list[ImportChoice]:
    """The same for a project's own file of facts, before there is any fact."""
    return unread_choices(now, {f"{project}/{plain_bullets.PROJECT_FILE}": project})


def unread_choices(now: Board, project_by_path: Mapping[str, str]) -> list[ImportChoice]:
    """Those of some files that no agent reads, whatever is in them."""
    version = client.version("claude") if project_by_path else None
    return [
        ImportChoice(path=path, options=tuple(_options(now, project, path, version)))
        for path, project in project_by_path.items()
        if not instruction_files.is_loaded(project, path, version)
    ]


def _has_facts(now: Board, path: str) -> bool:
    facts = (patch for patch in now.patches if patch.is_item)
    return any(target.path == path and target.is_applied for patch in facts for target in patch.targets)


def _options(now: Board, project: str, path: str, version: tuple[int, ...] | None) -> Iterator[Patch]:
    """The patches that would make agents read a file, the best first."""
    folder, _, name = path.rpartition("/")
    at = clock.iso(clock.now_ms())
    if name == plain_bullets.PROJECT_FILE:
        places = [(place, [f"{way}{name}"]) for place, way in _MEMORY.items() if _is_own(project, place)]
        has_stand_in = _is_own(project, plain_bullets.FOLDER_FILE)
        stand_in = f"{project}/{plain_bullets.FOLDER_FILE}"
        if has_stand_in and instruction_files.is_loaded(project, stand_in, version):
            places.append((plain_bullets.FOLDER_FILE, [name]))
        if not os.path.lexists(f"{project}/CLAUDE.md"):
            places.append(("CLAUDE.md", [*([plain_bullets.FOLDER_FILE] if has_stand_in else []), name]))
    else:
        places = [("CLAUDE.md", [name])]
    for place, names in places:
        lines = "\n".join(f"@{imported}" for imported in names)
        patch = propose.import_lines(project, f"{folder}/{place}", lines, at)
        yield now.by_id.get(patch.id, patch)


def _is_own(project: str, place: str) -> bool:
    """Whether a project has a file there, and not by a link."""
    path = f"{project}/{place}"
    return os.path.realpath(path) == path and Path(path).is_file()


def import_patches(now: Board, chosen: Iterable[Patch], places: Sequence[str] | None) -> list[Patch]:
    """The patches of import lines in the places that the person chose; raises Refused where one is open."""
    return [patch for choice in choices(now, chosen) for patch in placed(choice, places or ())]


def placed(choice: ImportChoice, places: Sequence[str]) -> list[Patch]:
    """The patch in the place that the person chose, none for `none`; raises Refused where it is open."""
    by_place = {option.targets[0].path: option for option in choice.options}
    named = [by_place[place] for place in places if place in by_place]
    if not named and NOWHERE not in places:
        options = " or ".join(f"--import {quote(place)}" for place in (*by_place, NOWHERE))
        raise Refused(f"no agent reads {choice.path} yet", f"say where its import line goes: {options}")
    return named[:1]


def unread(now: Board) -> list[str]:
    """The files with facts that no agent reads."""
    project_by_path: dict[str, str] = {}
    for patch in now.patches:
        if patch.is_item and patch.project:
            project_by_path |= {t.path: patch.project for t in patch.targets if t.is_applied}
    version = client.version("claude") if project_by_path else None
    return [
        path
        for path, project in sorted(project_by_path.items())
        if Path(path).is_file() and not instruction_files.is_loaded(project, path, version)
    ]

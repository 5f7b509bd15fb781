"""Trust in a project's own files, bound to what they said when a person gave it."""

import hashlib
from collections.abc import Iterable, Mapping
from pathlib import Path

from learnloop.ingest import instruction_files
from learnloop.learn.profile import beliefs
from learnloop.models.decision import Decision
from learnloop.store.files import listing
from learnloop.wire import regular

SHARED = ".learnloop/lessons"
"""The folder of a project with the lessons that it shares."""
LONGEST, _MOST = 8_000, 500
"""Bytes of a file there, and files that are read."""


def digest(project: str) -> str:
    """A hash of what agents read of a project's own files."""
    files = hashlib.sha256()
    for path, text in instruction_files.texts_of(project):
        files.update(repr((path, text)).encode("utf-8", "surrogatepass"))
    return files.hexdigest()


def trusted(decisions: Iterable[Decision]) -> frozenset[str]:
    """The trusted projects whose files still say what they said then."""
    digests = beliefs.trusted_projects(decisions)
    return frozenset(project for project in digests if holds(digests, project))


def holds(digests: Mapping[str, str], project: str) -> bool:
    """Whether trust, given for the files of some hashes, still holds in a project."""
    return project in digests and digests[project] in ("", digest(project))


def shared_lessons(project: str) -> list[tuple[str, bytes]]:
    """The files of the lessons that a project shares, by name, with their first bytes; links are none."""
    folder, files = Path(project, SHARED), []
    if not (folder.is_symlink() or folder.parent.is_symlink()):
        for path in listing(folder, ".json")[:_MOST]:
            try:
                files.append((path.name, regular.read(str(path), LONGEST + 1)))
            except OSError:
                files.append((path.name, b""))
    return files


def shared_digest(project: str) -> str:
    """A hash of what a project shares; empty where it shares nothing."""
    files = shared_lessons(project)
    return hashlib.sha256(repr(files).encode()).hexdigest() if files else ""


def sharing(decisions: Iterable[Decision]) -> frozenset[str]:
    """The projects whose shared lessons still are what a person trusted."""
    digests = beliefs.trusted_projects(decisions, "shared")
    return frozenset(project for project, digest in digests.items() if digest == shared_digest(project))


def changed(decisions: Iterable[Decision]) -> frozenset[str]:
    """The projects to be trusted anew, because their files, or the lessons that they share, are others."""
    every = list(decisions)
    shared = beliefs.trusted_projects(every, "shared")
    others = frozenset(project for project, digest in shared.items() if digest != shared_digest(project))
    return (frozenset(shared) - trusted(every)) | others

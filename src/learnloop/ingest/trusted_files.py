"""Trust in a project's own files, bound to what they said when a person gave it."""

import hashlib
from collections.abc import Iterable, Mapping

from learnloop.ingest import instruction_files
from learnloop.learn.profile import beliefs
from learnloop.models.decision import Decision


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


def changed(decisions: Iterable[Decision]) -> frozenset[str]:
    """The projects that are trusted no more because their files say something else."""
    every = list(decisions)
    return frozenset(beliefs.trusted_projects(every)) - trusted(every)

"""Trust: which projects' own files may be read. In other projects only the switches are."""

from learnloop.errors import Refused
from learnloop.ingest import instruction_files
from learnloop.learn.profile import beliefs
from learnloop.models import Decision
from learnloop.service.lessons import documents
from learnloop.service.review import verdicts
from learnloop.service.workspace import Workspace


def trust(ws: Workspace, project: str, trusted: bool = True) -> Decision:
    """Allow Learnloop to read a project's own files as they are now, or no more.

    Raises Refused where that is so already.
    """
    decisions = documents.decisions(ws.root)
    given = {of: beliefs.trusted_projects(decisions, of).get(project) for of in ("files", "shared")}
    bound = {
        "files": instruction_files.digest_of(project),
        "shared": instruction_files.shared_digest(project),
    }
    bound = bound if trusted else {}
    if given == (bound or dict.fromkeys(given)):
        state = "is trusted already" if trusted else "is not trusted"
        raise Refused(f"{project} {state}", "nothing is to be done")
    return verdicts.decide(ws, "trust", [], {"project": project, "trusted": trusted, **bound})


def is_trusted(root: str, project: str) -> bool:
    """Whether a person has allowed to read that project's own files."""
    return instruction_files.holds(beliefs.trusted_projects(documents.decisions(root)), project)


def trusted(root: str) -> frozenset[str]:
    """The trusted projects whose files still say what they said then."""
    return instruction_files.trusted(documents.decisions(root))


def changed(root: str) -> frozenset[str]:
    """The projects that are to be trusted again, because their files say something else."""
    return instruction_files.changed(documents.decisions(root))

"""Trust: which projects' own files may be read. In other projects only the switches are."""

from learnloop.errors import Refused
from learnloop.learn.profile import beliefs
from learnloop.models import Decision
from learnloop.service.lessons import documents
from learnloop.service.review import verdicts
from learnloop.service.workspace import Workspace


def trust(ws: Workspace, project: str, trusted: bool = True) -> Decision:
    """Allow Learnloop to read a project's own files, or no more; raises Refused where that is so already."""
    if is_trusted(ws.root, project) == trusted:
        state = "is trusted already" if trusted else "is not trusted"
        raise Refused(f"{project} {state}", "nothing is to be done")
    return verdicts.decide(ws, "trust", [], {"project": project, "trusted": trusted})


def is_trusted(root: str, project: str) -> bool:
    """Whether a person has allowed to read that project's own files."""
    return bool(project) and project in trusted(root)


def trusted(root: str) -> frozenset[str]:
    """The trusted projects."""
    return beliefs.trusted_projects(documents.decisions(root))

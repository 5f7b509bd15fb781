"""The summary of what is known of a project already."""

from learnloop.ingest import known_facts
from learnloop.models.summary import KnownFacts
from learnloop.service.workspace import Workspace


def summary(ws: Workspace, project: str) -> KnownFacts:
    """The summary of a project, made anew where one of its sources changed."""
    return known_facts.read(ws.root, project, ws.settings)

"""The summary of what is known of a project already."""

from learnloop.distill import summary_call
from learnloop.ingest import known_facts
from learnloop.models.summary import KnownFacts
from learnloop.service import workspace
from learnloop.service.review import agent_guard
from learnloop.service.workspace import Workspace


def asked(ws: Workspace, project: str) -> str:
    """Exactly what a model would be asked to sum up."""
    request, _ = summary_call.request(*known_facts.documents(ws.root, project, ws.settings))
    return f"{request.system}\n\n{request.text}"


def summary(ws: Workspace, project: str) -> KnownFacts:
    """The summary of a project, made anew where one of its sources changed.

    A model makes it where one may read along; not below an agent, where nobody has one asked.
    """
    if agent_guard.is_inside():
        return known_facts.read(ws.root, project, ws.settings)
    made = summary_call.made_now(ws.root, ws.settings, project)
    workspace.ingest(ws)
    return made

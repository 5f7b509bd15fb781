"""Everything that is believed of a person, their agents and their projects, for one page.

page(ws)    preferences, project patterns, weak areas of agents
"""

from typing import TYPE_CHECKING, NamedTuple

from learnloop.learn.profile import beliefs
from learnloop.models.preferences import Preferences
from learnloop.models.project_patterns import Finding, ProjectPatterns
from learnloop.service.lessons import documents
from learnloop.service.profile import preferences
from learnloop.service.profile import projects as patterns

if TYPE_CHECKING:
    from learnloop.service.workspace import Workspace


class BeliefPage(NamedTuple):
    """What is believed."""

    preferences: Preferences
    projects: tuple[ProjectPatterns, ...]
    """Projects of which something can be confirmed, or is."""
    weak_areas: tuple[Finding, ...]
    """Of agents; `source` is the agent."""


def belief_page(ws: "Workspace") -> BeliefPage:
    """Everything that is believed now."""
    known = [patterns.project_patterns(ws, project) for project in patterns.projects(ws)]
    return BeliefPage(
        preferences.preferences(ws), tuple(one for one in known if one.findings), tuple(_weak(ws))
    )


def _weak(ws: "Workspace") -> list[Finding]:
    decisions = documents.decisions(ws.root)
    told, dropped = beliefs.confirmed(decisions), beliefs.dismissed(decisions)
    found = {one.id: one for one in told.values() if one.kind == "weak_area"}
    found |= {one.id: one for one in preferences.weak_areas(ws) if one.id not in found}
    return [
        Finding(
            id=one.id,
            kind=one.kind,
            statement=one.statement,
            source=one.agent,
            confirmed=one.id in told,
            dismissed=one.id in dropped and dropped[one.id].statement == one.statement,
        )
        for one in found.values()
    ]

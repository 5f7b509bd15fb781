"""Everything that is believed of a person, their projects and their agents, for one page."""

from typing import NamedTuple

from learnloop.models.preferences import Preferences
from learnloop.models.project_patterns import Finding, ProjectPatterns
from learnloop.service.profile import agent_figures, preferences, project_findings
from learnloop.service.profile.project_findings import BeliefVerdicts
from learnloop.service.workspace import Workspace


class BeliefPage(NamedTuple):
    """The beliefs, with and without verdicts."""

    preferences: Preferences
    projects: tuple[ProjectPatterns, ...]
    """Projects with findings."""
    weak_areas: tuple[Finding, ...]
    """Of agents; `source` is the agent."""


def belief_page(ws: Workspace) -> BeliefPage:
    """Everything that is believed now."""
    return BeliefPage(
        preferences.preferences(ws),
        tuple(patterns for patterns in project_findings.all_patterns(ws) if patterns.findings),
        tuple(_weak_areas(ws)),
    )


def _weak_areas(ws: Workspace) -> list[Finding]:
    """The weak areas of agents: confirmed ones as they were then, and those of today."""
    verdicts = BeliefVerdicts(ws)
    belief_by_id = {key: belief for key, belief in verdicts.confirmed.items() if belief.kind == "weak_area"}
    for belief in agent_figures.weak_area_beliefs(ws):
        belief_by_id.setdefault(belief.id, belief)
    return [
        verdicts.finding(belief.id, belief.kind, belief.statement, belief.agent)
        for belief in belief_by_id.values()
    ]

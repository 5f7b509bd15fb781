"""Queries on agents, and on what is believed of the person, their projects and agents."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from learnloop.models.agent import AgentPerformance
    from learnloop.service.profile.belief_verdicts import BeliefPage
    from learnloop.service.profile.judged_turns import Figure, JudgedTurn
    from learnloop.service.workspace import Workspace


def agents(ws: Workspace, *, split: bool) -> tuple[AgentPerformance, ...]:
    """Every agent's figures; with `split` for each project and host."""
    from learnloop.service.profile import agent_figures

    return tuple(agent_figures.performance(ws, split=split))


def behind(ws: Workspace, agent: str, figure: str, project: str, host: str) -> tuple[JudgedTurn, ...]:
    """The turns behind an agent's figure, everywhere or in one project with one host."""
    from learnloop.service.profile import judged_turns

    return tuple(
        judged_turns.turns_behind(
            ws, agent, cast("Figure", figure), project=project or None, host=host or None
        )
    )


def beliefs(ws: Workspace) -> BeliefPage:
    """What is believed of the person, their projects and agents."""
    from learnloop.service.profile import belief_verdicts

    return belief_verdicts.belief_page(ws)

"""Where agents may be told earlier tasks: decisions of the person, by project. Pure."""

from collections.abc import Iterable, Mapping

from learnloop.learn.lessons.decisions import effective_decisions
from learnloop.models.decision import Decision

ACTION = "priming"
EVERYWHERE = ""
"""Stands for the projects of which nothing was decided."""


def by_project(decisions: Iterable[Decision]) -> dict[str, bool]:
    """The projects of which it was decided last whether agents are told earlier tasks."""
    decided: dict[str, bool] = {}
    for decision in effective_decisions(decisions):
        project, is_on = decision.args.get("project"), decision.args.get("on")
        if decision.action == ACTION and isinstance(project, str) and isinstance(is_on, bool):
            decided[project] = is_on
    return decided


def is_on(decided: Mapping[str, bool], project: str) -> bool:
    """Whether agents are told earlier tasks in a project."""
    return decided.get(project, decided.get(EVERYWHERE, False))

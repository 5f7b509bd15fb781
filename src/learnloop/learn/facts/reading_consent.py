"""Where a model may read along: decisions of the person by project, under the setting's limit. Pure."""

from collections.abc import Iterable
from typing import NamedTuple

from learnloop.learn.lessons.decisions import effective_decisions
from learnloop.models.decision import Decision

MODES = ("off", "draft")
"""From the least to the most."""


class Consent(NamedTuple):
    """What a person lets a model do in a project."""

    mode: str
    since: str
    """When it was given: earlier prompts are not read."""


def by_project(decisions: Iterable[Decision], most: str) -> dict[str, Consent]:
    """The projects in which a model reads along, each with the lower of decision and setting."""
    given: dict[str, Consent] = {}
    for decision in effective_decisions(decisions):
        mode, project = decision.args.get("mode"), str(decision.args.get("project", ""))
        if decision.action != "facts" or mode not in MODES or not project:
            continue
        before = given.get(project, Consent("off", ""))
        since = before.since if before.mode != "off" else decision.ts
        given[project] = Consent(min(str(mode), most, key=MODES.index), since)
    return {project: consent for project, consent in given.items() if consent.mode != "off"}

"""Where a model may read along: decisions of the person by project, under the setting's limit. Pure."""

from collections.abc import Iterable
from typing import NamedTuple

from learnloop.learn.lessons.decisions import effective_decisions
from learnloop.models.decision import Decision

AUTO = "auto"
EVERYWHERE = "*"
"""In a decision in place of a project: every one that has none of its own, later ones too."""
MODES = ("off", "draft", AUTO)
"""From the least to the most."""


class Consent(NamedTuple):
    """What a person lets a model do in a project."""

    mode: str
    since: str
    """When it was given: earlier prompts are not read."""
    auto_since: str = ""
    """When `auto` was given: what was found earlier waits for the person."""
    imports: tuple[str, ...] = ()
    """The file for the line that makes agents read facts, or `none`, as the person chose it with `auto`."""


def asked(decisions: Iterable[Decision]) -> dict[str, str]:
    """Where a person lets finished turns be judged, by project since when; empty where no more.

    It is a yes of its own, and ends with the other one.
    """
    given: dict[str, str] = {}
    for decision in effective_decisions(decisions):
        is_on, project = decision.args.get("turns"), str(decision.args.get("project", ""))
        is_over = is_on is False or decision.args.get("mode") == "off"
        if decision.action != "facts" or not project or not (is_on is True or is_over):
            continue
        if is_over and project == EVERYWHERE:
            given.clear()
        elif not (is_on and given.get(project)):
            given[project] = "" if is_over else decision.ts
    return given


def by_project(decisions: Iterable[Decision], most: str, projects: Iterable[str] = ()) -> dict[str, Consent]:
    """The projects in which a model reads along, each with the lower of decision and setting.

    `projects` are those that a consent for every project is about.
    """
    given: dict[str, Consent] = {}
    for decision in effective_decisions(decisions):
        mode, project = decision.args.get("mode"), str(decision.args.get("project", ""))
        if decision.action != "facts" or mode not in MODES or not project:
            continue
        if (project, mode) == (EVERYWHERE, "off"):
            given.clear()
            continue
        before = given.get(project, given.get(EVERYWHERE, Consent("off", "")))
        since = before.since if before.mode != "off" else decision.ts
        named = decision.args.get("imports")
        imports = tuple(map(str, named)) if isinstance(named, list | tuple) else ()
        auto_since = (before.auto_since or decision.ts) if mode == AUTO else ""
        given[project] = Consent(str(mode), since, auto_since, imports)
    if everywhere := given.pop(EVERYWHERE, None):
        given = dict.fromkeys(projects, everywhere) | given
    limited = {
        project: each._replace(mode=min(each.mode, most, key=MODES.index)) for project, each in given.items()
    }
    return {project: consent for project, consent in limited.items() if consent.mode != "off"}

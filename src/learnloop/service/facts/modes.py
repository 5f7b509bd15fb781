"""Where a model may read along, as a person decided it by project."""

from learnloop.distill import consented
from learnloop.errors import Refused
from learnloop.learn.facts import reading_consent
from learnloop.models import Decision
from learnloop.models.base import Document
from learnloop.service.lessons import documents
from learnloop.service.review import verdicts
from learnloop.service.workspace import Workspace


class ReadingMode(Document):
    """What a model may do in one project."""

    project: str
    mode: str
    """As decided."""
    in_force: str
    """The lower of decision and setting; off where a switch silences the project."""
    since: str


def set_mode(ws: Workspace, project: str, mode: str) -> Decision:
    """Let a model read along in a project, or no more; raises Refused where that is so already."""
    if mode not in reading_consent.MODES:
        raise Refused(f"{mode!r} is no mode", f"take {', '.join(reading_consent.MODES)}")
    before = next((each.mode for each in modes(ws) if each.project == project), "off")
    if before == mode:
        raise Refused(f"{project} is {mode} already", "nothing is to be done")
    return verdicts.decide(ws, "facts", [], {"project": project, "mode": mode})


def modes(ws: Workspace) -> list[ReadingMode]:
    """The projects in which a model may read along, by their names."""
    decided = reading_consent.by_project(documents.decisions(ws.root), reading_consent.MODES[-1])
    allowed = reading_consent.by_project(documents.decisions(ws.root), ws.settings.facts.mode)
    return [
        ReadingMode(
            project=project, mode=each.mode, in_force=_in_force(ws, project, allowed), since=each.since
        )
        for project, each in sorted(decided.items())
    ]


def _in_force(ws: Workspace, project: str, allowed: dict[str, reading_consent.Consent]) -> str:
    if project not in allowed or consented.is_switched_off(ws.root, project):
        return "off"
    return allowed[project].mode

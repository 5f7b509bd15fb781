"""Where a model may read along, as a person decided it by project."""

from collections.abc import Sequence
from typing import Any

from learnloop.distill import consented
from learnloop.errors import Refused
from learnloop.learn.facts import reading_consent
from learnloop.models import Decision
from learnloop.models.base import Document
from learnloop.service.lessons import documents
from learnloop.service.patches import fact_imports
from learnloop.service.patches.board import Board
from learnloop.service.review import trust, verdicts
from learnloop.service.workspace import Workspace


class ReadingMode(Document):
    """What a model may do in one project."""

    project: str
    mode: str
    """As decided."""
    in_force: str
    """The lower of decision and setting; off where a switch silences the project."""
    since: str


def set_mode(ws: Workspace, project: str, mode: str, imports: Sequence[str] = ()) -> Decision:
    """Let a model read along in a project, or no more; raises Refused where that is so already.

    `auto` needs a project whose files are trusted. `imports` says where the line goes that makes agents read
    what it writes, or `none`; raises Refused where that is open.
    """
    if mode not in reading_consent.MODES:
        raise Refused(f"{mode!r} is no mode", f"take {', '.join(reading_consent.MODES)}")
    before = reading_consent.by_project(documents.decisions(ws.root), reading_consent.MODES[-1]).get(project)
    is_same = mode == (before.mode if before else "off")
    if is_same and (not imports or (before and before.imports == tuple(imports))):
        raise Refused(f"{project} is {mode} already", "nothing is to be done")
    args: dict[str, Any] = {"project": project, "mode": mode}
    if mode == reading_consent.AUTO:
        if not trust.is_trusted(ws.root, project):
            raise Refused(
                f"{project} is not trusted, and auto reads and writes its files", "run: learn config --trust"
            )
        for choice in fact_imports.of_project(Board(ws, [project]), project):
            fact_imports.placed(choice, imports)
        args["imports"] = list(imports)
    return verdicts.decide(ws, "facts", [], args)


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

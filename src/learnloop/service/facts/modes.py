"""Where a model may read along, as a person decided it: by project, or everywhere."""

from collections.abc import Sequence
from typing import Any

from learnloop import settings
from learnloop.distill import work
from learnloop.errors import Refused
from learnloop.learn.facts import reading_consent
from learnloop.learn.facts.reading_consent import AUTO, MODES, Consent
from learnloop.models import Decision
from learnloop.models.base import Document
from learnloop.service.lessons import documents
from learnloop.service.patches import fact_imports
from learnloop.service.patches.board import Board
from learnloop.service.review import trust, verdicts
from learnloop.service.setup import settings_file
from learnloop.service.workspace import Workspace

EVERYWHERE = reading_consent.EVERYWHERE


class ReadingMode(Document):
    """What a model may do in one project."""

    project: str
    """`*` for every one that has none of its own."""
    mode: str
    """As decided."""
    in_force: str
    """The lower of decision and setting; off where a switch silences the project."""
    since: str


def set_mode(ws: Workspace, project: str, mode: str, imports: Sequence[str] = ()) -> Decision:
    """Let a model read along in a project or `EVERYWHERE`, or no more; raises Refused where it is so already.

    It raises the setting that limits the mode, where that is lower; a consent that this setting kept out of
    force stays out of it. `off` everywhere withdraws every consent.
    `auto` needs a project whose files are trusted. `imports` says where the line goes that makes agents read
    what it writes, or `none`; raises Refused where that is open.
    """
    if mode not in MODES:
        raise Refused(f"{mode!r} is no mode", f"take {', '.join(MODES)}")
    decided = _decided(ws, AUTO)
    before = decided.get(project, decided.get(EVERYWHERE))
    is_limited = MODES.index(settings.load(environment=False).facts.mode) < MODES.index(mode)
    is_same = mode == (before.mode if before else "off") and (project, mode) != (EVERYWHERE, "off")
    if is_same and not is_limited and (not imports or (before and before.imports == tuple(imports))):
        raise Refused(f"{project} is {mode} already", "nothing is to be done")
    args: dict[str, Any] = {"project": project, "mode": mode}
    if mode == AUTO:
        if project == EVERYWHERE:
            raise Refused("auto reads and writes a project's files", "switch it on project by project")
        if not trust.is_trusted(ws.root, project):
            raise Refused(
                f"{project} is not trusted, and auto reads and writes its files", "run: learn config --trust"
            )
        for choice in fact_imports.of_project(Board(ws, [project]), project):
            fact_imports.placed(choice, imports)
        args["imports"] = list(imports)
    if is_limited and decided and ws.settings.facts.mode == "off":  # nothing was sent by these: ask again
        verdicts.decide(ws, "facts", [], {"project": EVERYWHERE, "mode": "off"})
    decision = verdicts.decide(ws, "facts", [], args)
    if is_limited:
        settings_file.set_("facts.mode", mode)
    return decision


def modes(ws: Workspace) -> list[ReadingMode]:
    """The projects in which a model may read along, by their names."""
    decided, allowed = _decided(ws, AUTO), _decided(ws, ws.settings.facts.mode)
    return [
        ReadingMode(
            project=project, mode=each.mode, in_force=_in_force(ws, project, allowed), since=each.since
        )
        for project, each in sorted(decided.items())
    ]


def _decided(ws: Workspace, most: str) -> dict[str, Consent]:
    return reading_consent.by_project(documents.decisions(ws.root), most, [EVERYWHERE])


def _in_force(ws: Workspace, project: str, allowed: dict[str, Consent]) -> str:
    if project not in allowed or work.is_switched_off(ws.root, project):
        return "off"
    return allowed[project].mode

"""How things stand, in a few lines."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from learnloop.cli import output

if TYPE_CHECKING:
    from learnloop.service.workspace import Workspace


def status(ws: Workspace) -> dict[str, Any]:
    """What `learn status` tells, as JSON values."""
    from learnloop import __version__
    from learnloop.service.health import quick_status
    from learnloop.service.intake import analysis
    from learnloop.service.setup import install

    now = quick_status.standing(ws)
    return {
        "version": __version__,
        "root": ws.root,
        "summary": quick_status.status_line(now),
        "hooks": [asdict(found) for found in install.installed(ws)],
        "recording": now.recording,
        "recalling": now.recalling,
        "last_capture": now.last_capture,
        "drafts": now.drafts,
        "active": now.active,
        "journal_lines": now.journal_lines,
        "outdated": analysis.is_outdated(ws),
    }


def show(found: dict[str, Any]) -> None:
    """Prints it for a person."""
    from learnloop.service.health.quick_status import ago

    output.line(found["summary"])
    if found["outdated"]:
        from learnloop.service.intake import analysis

        output.note(f"{analysis.REMARK.capitalize()}: {analysis.HINT}")
    last = found["last_capture"]
    output.fields(
        [
            ("hooks", _hooks(found["hooks"])),
            ("recording", _switch(found["recording"])),
            ("recall", _switch(found["recalling"])),
            ("last capture", ago(last) if last else "none yet"),
            ("lessons", f"{found['active']} active, {output.count(found['drafts'], 'draft')} to look at"),
            ("data", found["root"]),
        ]
    )


def _switch(on: bool) -> str:
    return "on" if on else "off (learn on switches it on)"


def _hooks(installed: list[dict[str, Any]]) -> str:
    if not installed:
        return "not installed (learn install does it)"
    return ", ".join(
        f"{one['path']}{'' if one['current'] else ' (learn doctor has a remark)'}" for one in installed
    )

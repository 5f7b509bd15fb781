"""`learn status`: the state of the installation in a few lines."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from learnloop.cli import options, output
from learnloop.cli.commands import Namespace, Workspace

add_options = options.add_json


def run(ws: Workspace, args: Namespace) -> None:
    from learnloop.service.workspace import are_settings_touched

    document = _status(ws)
    if args.json:
        parts = {"recall_cost": asdict(document["recall_cost"]), "at_start": document["at_start"]._asdict()}
        output.as_json({**document, **parts})
    else:
        _print(document)
        if are_settings_touched():
            _ = ws.settings  # a fault of theirs is told last


def _status(ws: Workspace) -> dict[str, Any]:
    """The document of `learn status --json`."""
    from learnloop import __version__
    from learnloop.service.health import quick_status, recall_cost
    from learnloop.service.intake import analysis
    from learnloop.service.recall import at_start
    from learnloop.service.setup import install

    now = quick_status.quick_status(ws, project=options.project_of("."))
    return {
        "version": __version__, "root": ws.root, "summary": quick_status.status_line(now),
        "hooks": [asdict(hooks) for hooks in install.installed(ws)],
        "recording": now.recording, "recalling": now.recalling,
        "silenced_by": list(now.silences), "last_capture": now.last_capture,
        "drafts": now.drafts, "active": now.active, "journal_lines": now.journal_lines,
        "outdated": analysis.is_outdated(ws),
        "recall_cost": recall_cost.of_store(ws.root),
        "at_start": at_start.at_start(ws.root, options.project_named(".")),
        "reading": _reading(ws),
    }  # fmt: skip


def _reading(ws: Workspace) -> str:
    """How a model reads along: off while no setting is touched, which is known without reading any."""
    from learnloop.service.workspace import are_settings_touched

    if not are_settings_touched():
        return "off"
    from learnloop.service.facts.reading_status import reading_status

    return reading_status(ws).words


def _print(document: dict[str, Any]) -> None:
    from learnloop.service.health.quick_status import ago, queued

    output.line(document["summary"])
    if document["outdated"]:
        from learnloop.service.intake import analysis

        output.note(f"{analysis.REMARK.capitalize()}: {analysis.HINT}")
    hooks = ", ".join(
        f"{installed['path']}{' (not run)' if installed['not_run'] else ''}"
        f"{'' if installed['current'] else ' (learn doctor has a remark)'}"
        for installed in document["hooks"]
    )
    last, drafts = document["last_capture"], output.count(document["drafts"], "draft")
    top = queued(document["root"])
    if top is not None and top < document["drafts"]:
        drafts = f"{drafts}, {top:,} of them in Triage"
    output.fields(
        [
            ("hooks", hooks or "not installed (learn install does it)"),
            ("recording", _switch(document["recording"], document["silenced_by"])),
            ("recall", _switch(document["recalling"], document["silenced_by"])),
            ("told", document["recall_cost"].words),
            ("at start", document["at_start"].words),
            ("a model", document["reading"] if document["reading"] != "off" else ""),
            ("last capture", ago(last) if last else "none yet"),
            ("lessons", f"{document['active']} active, {drafts}"),
            ("data", document["root"]),
        ]
    )


def _switch(on: bool, reasons: Sequence[str]) -> str:
    return "on" if on else f"off ({reasons[0]})"

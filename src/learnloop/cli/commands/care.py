"""`learn status`, `doctor`, `report`, `forget`, `completion` and `mcp`."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from learnloop.cli import files, options, output
from learnloop.errors import LearnloopError, Refused

if TYPE_CHECKING:
    from collections.abc import Sequence

    from learnloop.cli.commands import ArgumentParser, Namespace, Workspace
    from learnloop.service.transfer.forget import ForgetReport


def _run_status(ws: Workspace, args: Namespace) -> None:
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
        drafts = f"{drafts}, {top:,} of them in the Inbox"
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


_MARKS = {"ok": ("✓", "green"), "warn": ("!", "yellow"), "fail": ("✗", "red")}


def _doctor_options(parser: ArgumentParser) -> None:
    parser.add_argument("--fix", action="store_true", help="mend what can be mended without asking")
    options.add_json(parser)


def _doctor(ws: Workspace, args: Namespace) -> int:
    from learnloop.service.health import doctor

    checks = doctor.examine(ws, fix=args.fix)
    if args.json:
        output.documents(checks)
    else:
        for check in checks:
            output.marked(*_MARKS[check.level], f"{check.name}: {check.message}")
            if check.hint and check.level != "ok":
                output.line(f"    → {check.hint}")
    return 1 if any(check.level == "fail" for check in checks) else 0


def _report_options(parser: ArgumentParser) -> None:
    add = parser.add_argument
    add(
        "--since", type=options.duration, metavar="AGE",
        help="what happened since then, like 30d (default: all)",
    )  # fmt: skip
    add("--project", metavar="FOLDER", help="only what was done in one project")
    add("-o", "--output", metavar="FILE", help="where to; - is stdout (default: below the data folder)")
    add("--no-quotes", action="store_true", help="leave out what was said, word for word")


def _report(ws: Workspace, args: Namespace) -> None:
    from learnloop.service.report import report_file

    project = options.project_named(args.project) if args.project else ""
    html = report_file.page(ws, days_ms=(args.since or 0) * 1000, project=project, quotes=not args.no_quotes)
    if args.output == "-":
        output.line(html)
        return
    path = args.output or str(report_file.path(ws))
    Path(path).expanduser().parent.mkdir(0o700, parents=True, exist_ok=True)
    files.write(path, html)
    quotes = "" if args.no_quotes else " It quotes you: before you send it, read it, or use --no-quotes."
    output.line(f"Wrote {path}. It needs no network.{quotes}")


def _forget_options(parser: ArgumentParser) -> None:
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--all", action="store_true", help="everything that was ever recorded and learned")
    what.add_argument("--project", metavar="FOLDER", help="what was recorded in one project")
    what.add_argument("--session", metavar="ID", help="what was recorded in one session")
    parser.add_argument(
        "--yes", action="store_true", help="do not ask; nobody is asked where there is no terminal"
    )


def _forget(ws: Workspace, args: Namespace) -> None:
    from learnloop.service.transfer import forget

    project = options.project_named(args.project) if args.project else None
    if not args.yes and output.can_ask():  # a script that names what is to be forgotten means it
        recorded = f"everything recorded in {project or f'session {args.session}'}"
        what = "everything that was recorded and learned" if args.all else recorded
        answer = output.ask(f"Forget {output.safe(what)}? This cannot be undone. Type yes to go on: ")
        if answer.lower() not in ("y", "yes"):
            raise Refused("nothing was forgotten", "answer yes to go on")
    report = forget.forget(ws, everything=args.all, project=project, session=args.session)
    output.line(f"Forgot {_counted(report)}.")
    for place in report.outside:
        output.note(f"Outside: {place}")
    if report.remaining:
        left = ", ".join(report.remaining_in)
        what = f"{output.count(report.remaining, 'file')} still name or quote it: {left}"
        raise LearnloopError(what, "run it again")
    output.line("Every file was read again: nothing of it is left.")
    output.note("Your agent's own transcripts are not touched; learn off stops recording.")


def _counted(report: ForgetReport) -> str:
    counts = {"event": report.events, "session": report.sessions, "turn or feedback": report.documents}
    counts |= {"lesson": report.lessons, "verdict": report.decisions, "file": report.files}
    plural = {"turn or feedback": "turns and feedback"}
    parts = [output.count(count, name, plural.get(name, "")) for name, count in counts.items() if count]
    return ", ".join(parts) or "nothing"


_HELP = """\
Add the line of your shell to its start file:

  bash   eval "$(learn completion bash)"       in ~/.bashrc
  zsh    eval "$(learn completion zsh)"        in ~/.zshrc, after compinit
  fish   learn completion fish | source        in ~/.config/fish/config.fish
"""


def _completion_options(parser: ArgumentParser) -> None:
    from learnloop.cli.suggestions import SHELLS

    parser.epilog = _HELP
    parser.add_argument("shell", choices=SHELLS, help="the shell that completes")


def _completion(ws: Workspace, args: Namespace) -> None:
    from learnloop.cli.suggestions import script

    del ws
    print(script(args.shell))


def _mcp_options(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--project", metavar="FOLDER", default=".",
        help="whose lessons (default: the folder it is started in)",
    )  # fmt: skip
    parser.epilog = "For agents without hooks: name it in the agent's MCP settings. It needs learnloop[mcp]."


def _mcp(ws: Workspace, args: Namespace) -> None:
    try:
        from learnloop.mcp import server
    except ModuleNotFoundError as error:
        raise Refused(f"{error.name} is not installed", "pip install 'learnloop[mcp]' gets it") from None
    server.serve(ws.root, options.project_of(args.project))


COMMANDS = {
    "status": (options.add_json, _run_status), "doctor": (_doctor_options, _doctor),
    "report": (_report_options, _report), "forget": (_forget_options, _forget),
    "completion": (_completion_options, _completion), "mcp": (_mcp_options, _mcp),
}  # fmt: skip
"""By verb what declares its options, and what runs it."""

"""`learn forget`: remove what was recorded."""

from __future__ import annotations

from typing import TYPE_CHECKING

from learnloop.cli import options, output
from learnloop.errors import LearnloopError, Refused

if TYPE_CHECKING:
    from learnloop.cli.commands import ArgumentParser, Namespace, Workspace
    from learnloop.service.transfer.forget import ForgetReport


def add_options(parser: ArgumentParser) -> None:
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--all", action="store_true", help="everything that was ever recorded and learned")
    what.add_argument("--project", metavar="FOLDER", help="what was recorded in one project")
    what.add_argument("--session", metavar="ID", help="what was recorded in one session")
    parser.add_argument(
        "--yes", action="store_true", help="do not ask; nobody is asked where there is no terminal"
    )


def run(ws: Workspace, args: Namespace) -> None:
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

"""`learn backfill`: learn from existing transcripts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from learnloop.cli import options, output
from learnloop.cli.columns import Column
from learnloop.cli.commands import triage
from learnloop.cli.progress import progress
from learnloop.errors import Refused

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from learnloop.cli.commands import ArgumentParser, Namespace, Workspace
    from learnloop.service.intake.backfill import BackfillReport
    from learnloop.service.intake.repeated_corrections import Repeated
    from learnloop.service.intake.transcript_files import TranscriptProject


def add_options(parser: ArgumentParser) -> None:
    add = parser.add_argument
    parser.epilog = "Safe to run twice: what hooks or an earlier run recorded is skipped."
    add("paths", nargs="*", metavar="PATH", help="transcripts, folders of them, or projects; without: asks")
    add("--all", action="store_true", help="every project that has transcripts")
    despite = (
        "also sessions where the client's settings switch hooks off (disableAllHooks, LEARNLOOP_DISABLE)"
    )
    add("--despite-settings", action="store_true", help=despite)
    options.add_json(parser)


def run(ws: Workspace, args: Namespace) -> None:
    from learnloop.service.intake import transcript_files

    if args.paths:
        _backfill_paths(ws, args.paths, args)
        return
    projects = transcript_files.projects()
    if args.json and not args.all:
        output.documents(projects)
    elif projects:
        _backfill_paths(ws, _chosen(projects, args), args)
    else:
        raise Refused("there are no transcripts yet", "work with your agent, or name a folder of transcripts")


def _chosen(projects: Sequence[TranscriptProject], args: Namespace) -> list[str]:
    if args.all:
        return [item.path for item in projects]
    _print_projects(projects)
    answer = output.ask("Which projects? Numbers such as 1 3 5-7, or all: ")
    if not answer and not output.can_ask():
        options.wrong_usage("which projects? Name their paths, or say --all", "learn backfill")
    return [projects[number - 1].path for number in options.numbers(answer, len(projects))]


def _print_projects(projects: Sequence[TranscriptProject]) -> None:
    columns = [Column("", "right"), Column("SESSIONS", "right"), Column("LAST"), Column("PROJECT", wide=True)]
    rows = [
        [number, project.sessions, output.local(project.last), project.project]
        for number, project in enumerate(projects, 1)
    ]
    output.table(columns, rows)


def _backfill_paths(ws: Workspace, paths: Sequence[str], args: Namespace) -> None:
    from learnloop.service.intake import backfill

    with progress("Sessions") as on_progress:
        report = backfill.backfill(ws, paths, on_progress, despite_settings=args.despite_settings)
    if args.json:
        output.as_json(report.as_json())
        return
    for name in report.unreadable:
        output.note(f"Not read: {name}")
    can_decide = output.on_terminal() and output.can_ask()
    for text in lines(report, with_commands=not can_decide):
        output.line(text)
    if can_decide:
        _decide(ws, report)
        triage.ask_once(ws)


def _decide(ws: Workspace, report: BackfillReport) -> None:
    """Ask the person at the terminal about each thing that is not approved yet."""
    from learnloop.service.setup import install

    if waiting := {thing.id: thing for thing in report.said.repeated if not thing.approved}:
        triage.Talk(ws, only=waiting).run()
    if not install.hook_state(ws)["hooked"]:
        output.line("Agents hear nothing yet: learn install registers the hooks.")


def lines(report: BackfillReport, *, with_commands: bool) -> Iterator[str]:
    """The report; `with_commands` names the command that keeps each thing."""
    said = report.said
    yield f"{report}."
    yield f"\n{said}"
    if said.repeated:
        yield ""
    for thing in said.repeated:
        yield f"{thing.times:>3}×  “{output.safe(thing.quote)}”{_place(thing)}"
        if with_commands or thing.approved:
            yield f"      {_command(thing)}"
    if left := said.things - len(said.repeated):
        yield f"      and {left} more: learn triage"
    if said.share:
        yield f"\n{said.share}"
    if report.drafts and (with_commands or not said.repeated):
        yield "Next: read the drafts in learn-tui, or with: learn triage"


def _place(thing: Repeated) -> str:
    if thing.projects > 1:
        return f"  in {thing.projects} projects"
    return f"  {output.safe(thing.folder)}" if thing.folder else ""


def _command(thing: Repeated) -> str:
    if thing.approved:
        return f"{thing.short} is a lesson already"
    words = ' --statement "what to do instead"' if thing.needs_words else ""
    everywhere = f" && learn edit {thing.short} --scope global" if thing.others else ""
    return f"learn promote {thing.short}{words}{everywhere}"
